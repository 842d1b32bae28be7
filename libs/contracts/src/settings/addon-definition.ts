import type { SettingsTable } from './types';

/** Where an add-on can be installed. */
export type AddonScope = 'component' | 'project' | 'site';

/** One add-on that can be installed. */
export interface AddonDefinition {
  /** Identifier that clients send. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the documentation. */
  readonly doc: string;
  /** May be installed several times in one place. */
  readonly multiple: boolean;
  readonly scopes: readonly AddonScope[];
  /** Acts on the whole repository, so components that share one cannot have their own. */
  readonly repositoryWide?: boolean;
  /** Which components it fits; what is absent does not matter. */
  readonly fits: {
    readonly formats?: readonly string[];
    /** Only components with a template, or in one of these formats. */
    readonly monolingualOr?: readonly string[];
    readonly versionControls?: readonly string[];
    /** The component has a repository of its own. */
    readonly ownRepository?: boolean;
    /** The base file can be edited. */
    readonly editTemplate?: boolean;
    /** One of these files is in the repository; `{folder}` is the folder of the translation files. */
    readonly files?: readonly string[];
  };
  readonly settings: SettingsTable;
}
