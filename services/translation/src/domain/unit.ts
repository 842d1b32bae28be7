import { hash } from 'node:crypto';

/** Unit states of the public API. */
export const State = { empty: 0, fuzzy: 10, translated: 20, approved: 30, readonly: 100 } as const;

/** Author of an edit in commits and the history. */
export interface Author {
  userId: number;
  username: string;
  fullName: string;
  email: string;
}

/** An edit that no commit contains yet. */
export interface PendingEdit {
  id: string;
  author: Author;
  target: string[];
  state: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The edit adds the string to its file. */
  adds?: boolean;
  /** The file cannot hold the edit; recorded in the history. */
  refused?: boolean;
  /** The last edits of the same author that this one replaced: a commit in progress may contain one of them. */
  replaced?: Pick<PendingEdit, 'id' | 'target' | 'state'>[];
}

/** A string in one language. Fields that are empty, false or 0 may be absent in the store. */
export interface Unit {
  id: number;
  translation: number;
  component: number;
  project: number;
  language: string;
  isSource: boolean;
  /** Identity within the translation; equals the id_hash of the API. */
  key: string;
  contentHash: string;
  position: number;
  source: string[];
  target: string[];
  previousSource: string[];
  context: string;
  note: string;
  location: string;
  /** Flags of the file. */
  flags: string;
  state: number;
  /** State to return to when the string is no longer read-only. */
  formerState?: number;
  checks: string[];
  dismissedChecks: string[];
  words: number;
  chars: number;
  priority: number;
  explanation: string;
  extraFlags: string;
  labels: number[];
  suggestions: number;
  comments: number;
  sourceUnit: number;
  /** Pending edits, oldest first; consecutive edits have different authors. */
  edits: PendingEdit[];
  /** Text and state in the repository's file while there are edits. */
  stored?: { target: string[]; state: number };
  created: number;
  updated: number;
  version: number;
}

const SEPARATOR = '\u0000';

function signed64(text: string): string {
  return hash('sha1', text, 'buffer').readBigInt64BE(0).toString();
}

/** Identity of a unit: the key of a monolingual file, else context and source. A signed 64-bit number in decimals. */
export function idHash(monolingual: boolean, context: string, source: readonly string[]): string {
  return monolingual ? signed64(context) : signed64(`${source.join(SEPARATOR)}${SEPARATOR}${context}`);
}

/** Identity of a source string in its context. A signed 64-bit number in decimals. */
export function contentHash(context: string, source: readonly string[]): string {
  return signed64(`${source.join(SEPARATOR)}${SEPARATOR}${context}`);
}

/** Hash of texts, to find strings with the same text. 53 bits: exact in JavaScript numbers. */
export function textKey(texts: readonly string[]): number {
  return Number(hash('sha1', texts.join(SEPARATOR), 'buffer').readBigUInt64BE(0) >> 11n);
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/**
 * Time of a write to a unit, in milliseconds since the epoch: later than the unit's last write, also with skewed clocks.
 */
export const timeAfter = ({ updated }: Pick<Unit, 'updated'>, time: number): number => Math.max(time, updated + 1);

/** Whether texts are equal up to trailing empty plural forms, which come and go with a file's header. */
export function sameForms(a: readonly string[], b: readonly string[]): boolean {
  const filled = (forms: readonly string[]) => forms.slice(0, forms.findLastIndex((form) => form !== '') + 1);
  return sameTexts(filled(a), filled(b));
}

/** A text counts as missing when every form is empty. */
export function isBlank(texts: readonly string[]): boolean {
  return texts.every((text) => text === '');
}
