import { hash } from 'node:crypto';

/** Unit states of the public API. */
export const State = { empty: 0, fuzzy: 10, translated: 20, approved: 30, readonly: 100 } as const;

/** Who made an edit, as it goes into commits and the history. */
export interface Author {
  userId: number;
  username: string;
  fullName: string;
  email: string;
}

/** An edit that no commit holds yet. */
export interface PendingEdit {
  id: string;
  author: Author;
  target: string[];
  state: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The string was added here: no file has it before this edit is committed. */
  adds?: boolean;
  /** The file cannot hold it, and the history says so. */
  refused?: boolean;
  /** Edits of the same author that this one took the place of, the last ones: a commit that is being made may hold one of them. */
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
  /** State to return to when a read-only flag is taken away. */
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
  /** Edits that wait for a commit, oldest first; one an author in a row. */
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

/** The same number for the same texts: how strings with one text find each other. 53 bits, so that it is exact everywhere. */
export function textKey(texts: readonly string[]): number {
  return Number(hash('sha1', texts.join(SEPARATOR), 'buffer').readBigUInt64BE(0) >> 11n);
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

/**
 * When a write to a unit was, in milliseconds since the epoch: also one that began before another, or where a clock is slow, is later in
 * the history than what it came after.
 */
export const timeAfter = ({ updated }: Pick<Unit, 'updated'>, time: number): number => Math.max(time, updated + 1);

/** Whether two versions of a file say the same: empty plural forms come and go with its header. */
export function sameForms(a: readonly string[], b: readonly string[]): boolean {
  const filled = (forms: readonly string[]) => forms.slice(0, forms.findLastIndex((form) => form !== '') + 1);
  return sameTexts(filled(a), filled(b));
}

/** A text counts as missing when every form is empty. */
export function isBlank(texts: readonly string[]): boolean {
  return texts.every((text) => text === '');
}
