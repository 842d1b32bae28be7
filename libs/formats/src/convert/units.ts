import type { PluralInfo, UnitState } from '../format';

/** A string to convert. */
export interface ConvertUnit {
  /** Context, or the key of a monolingual component. */
  context: string;
  source: readonly string[];
  target: readonly string[];
  state: UnitState;
  note?: string;
  comment?: string;
  location?: string;
  flags?: readonly string[];
  previousSource?: string;
  /** Suggested translations. PO files include them as translator comments. */
  suggestions?: readonly string[];
}

export interface ConvertOptions {
  language: string;
  sourceLanguage: string;
  plural?: PluralInfo;
  /** Name of the component or file, for headers. */
  name: string;
  /** Throw for plurals in key-value formats without plurals. Default: write the last form. */
  allForms?: boolean;
}

export function isTranslated({ target }: ConvertUnit): boolean {
  return target.some((text) => text !== '');
}

export function isFinished({ state, target }: ConvertUnit): boolean {
  return state !== 'fuzzy' && state !== 'empty' && target.every((text) => text !== '');
}

/** A file made of units. */
export type Converter = (units: readonly ConvertUnit[], options: ConvertOptions) => Buffer;

/** A file with one entry for each string, which depends on nothing else. */
export interface EntryFile {
  readonly head: string;
  /** The entry of a string; empty for strings that the format omits. */
  readonly entry: (unit: ConvertUnit) => string;
  readonly tail: string;
}

/** A format whose files have one entry for each string. */
export type EntryConverter = (options: ConvertOptions) => EntryFile;

/** Drops characters that XML cannot represent instead of failing the download. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** A language code with hyphens, as XML formats write it. */
export function bcp(code: string): string {
  return code.replaceAll('_', '-');
}
