import type { SettingsTable } from '../types';

/** Where an add-on can be installed. */
export type AddonScope = 'component' | 'project' | 'site';

/** When an add-on does its work. */
export type AddonEvent =
  /** It was installed or configured. */
  | 'install'
  /** The repository was brought up to date and its files were read. */
  | 'update'
  /** Files are being read. */
  | 'import'
  /** A commit with edits of a translation is made; what the add-on changes is part of it. */
  | 'commit'
  /** Commits are about to be pushed. */
  | 'push'
  /** A language was added. */
  | 'language'
  /** Once a day. */
  | 'daily'
  /** Something entered the history. */
  | 'change';

/** One add-on that can be installed. */
export interface AddonDefinition {
  /** Identifier that clients send. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the documentation. */
  readonly doc: string;
  readonly events: readonly AddonEvent[];
  /** May be installed several times in one place. */
  readonly multiple: boolean;
  readonly scopes: readonly AddonScope[];
  /** Why it cannot be installed anywhere. */
  readonly unavailable?: string;
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
    /** There is a template for new translations. */
    readonly newBase?: boolean;
    /** One of these files is in the repository; `{folder}` is the folder of the translation files. */
    readonly files?: readonly string[];
  };
  readonly settings: SettingsTable;
}

export const everywhere = ['component', 'project', 'site'] as const;
export const QUERY = { type: 'string', filled: true, maxLength: 4_000, shape: 'query' } as const;
export const url = (name: string, doc: string) =>
  ({ name, type: 'string', required: true, filled: true, maxLength: 500, shape: 'http-url', doc }) as const;
export const hookEvents = {
  name: 'events',
  type: 'integers',
  default: [],
  maxItems: 100,
  doc: 'Numbers of the actions that are sent; none: all of them.',
} as const;
export const PO = ['po', 'po-mono'];
export const JAVA = ['properties', 'properties-utf8', 'properties-utf16', 'gwt', 'gwt-iso', 'xwiki-java-properties'];
export const JSON_LIKE = [
  'json',
  'json-nested',
  'webextension',
  'i18next',
  'i18nextv4',
  'go-i18n-json',
  'go-i18n-json-v2',
  'gotext',
  'arb',
  'formatjs',
];

export function simple(
  name: string,
  title: string,
  doc: string,
  events: readonly AddonEvent[],
  fits: AddonDefinition['fits'] = {},
): AddonDefinition {
  return { name, title, doc, events, multiple: false, scopes: everywhere, fits, settings: [] };
}
