import { z } from 'zod';
import * as field from '../field';
import type { RequestSchema } from '../request';

/** Where an add-on can be installed. */
export type AddonScope = 'component' | 'project' | 'site';

/** Event on which an add-on runs. */
export type AddonEvent =
  /** The add-on was installed or configured. */
  | 'install'
  /** The repository was updated and its files were parsed. */
  | 'update'
  /** Files are being parsed. */
  | 'import'
  /** A commit with edits of a translation is made. It includes the changes of the add-on. */
  | 'commit'
  /** Commits are about to be pushed. */
  | 'push'
  /** A language was added. */
  | 'language'
  /** Once a day. */
  | 'daily'
  /** The history got a new entry. */
  | 'change';

/** An add-on that can be installed. */
export interface AddonDefinition {
  /** Identifier in the API. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the documentation. */
  readonly doc: string;
  readonly events: readonly AddonEvent[];
  /** May be installed several times in the same scope. */
  readonly multiple: boolean;
  readonly scopes: readonly AddonScope[];
  /** Reason why the add-on cannot be installed. Absent: it can. */
  readonly unavailable?: string;
  /** Affects the whole repository, so components that share a repository cannot have separate installations. */
  readonly repositoryWide?: boolean;
  /** Requirements of a component. Absent fields do not restrict. */
  readonly fits: {
    readonly formats?: readonly string[];
    /** The component has a template or one of these formats. */
    readonly monolingualOr?: readonly string[];
    readonly versionControls?: readonly string[];
    /** The component does not share the repository of another component. */
    readonly ownRepository?: boolean;
    /** The base file can be edited. */
    readonly editTemplate?: boolean;
    /** `new_base` is set. */
    readonly newBase?: boolean;
    /** The repository has one of these files; `{folder}` is the folder of the translation files. */
    readonly files?: readonly string[];
  };
  readonly settings: RequestSchema;
}

export const everywhere = ['component', 'project', 'site'] as const;
export const query = (doc: string) => field.line(doc, { filled: true, maxLength: 4_000, shape: 'query' });
/** Settings of an add-on that sends changes to an address. */
export const hookSettings = z.object({
  webhook_url: field.line('Address that receives the changes.', { filled: true, maxLength: 500, shape: 'http-url' }),
  events: field.integers('Numbers of the actions to send; empty: all actions.', { maxItems: 100 }).default([]),
});
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

export const noSettings = z.object({});

export function simple(
  name: string,
  title: string,
  doc: string,
  events: readonly AddonEvent[],
  fits: AddonDefinition['fits'] = {},
): AddonDefinition {
  return { name, title, doc, events, multiple: false, scopes: everywhere, fits, settings: noSettings };
}
