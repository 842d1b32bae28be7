import { hash } from 'node:crypto';
import { parsePluralFormula } from '@parlance/plurals';
import type { Language } from '../component';
import { isBlank, State, type Unit } from '../unit';

/** A language of an entry. */
export interface MemoryLanguage {
  id: number;
  code: string;
}

/** A text and its translation that can be suggested again. */
export interface NewMemoryEntry {
  source: string;
  target: string;
  sourceLanguage: MemoryLanguage;
  targetLanguage: MemoryLanguage;
  /** `project/component`, or the name of the file that it came from. */
  origin: string;
  /** Project whose memory it belongs to; 0: none. */
  project: number;
  /** User whose own memory it belongs to; 0: none. */
  user: number;
  fromFile: boolean;
  /** Every project that takes part in the shared memory may use it. */
  shared: boolean;
}

export interface MemoryEntry extends NewMemoryEntry {
  id: number;
  /** When it was made or last confirmed, milliseconds since the epoch. */
  stamp: number;
}

/** Longest text that the memory keeps, in characters. */
export const MAX_MEMORY_TEXT = 10_000;

/** Names the pair of languages that an entry belongs to. */
export function pairOf(source: string, target: string): string {
  return `${source}>${target}`;
}

const SEPARATOR = '\u0000';

/** A number that stands for a source text; equal texts have equal numbers. */
export function sourceHash(source: string): number {
  return Number(hash('sha1', source, 'buffer').readBigUInt64BE(0) >> 11n);
}

/** What makes two entries of the same source one: the same translation in the same memory. */
export function entryHash(entry: NewMemoryEntry): string {
  const parts = [entry.target, String(entry.project), String(entry.user), entry.project || entry.user ? '' : 'shared'];
  return hash('sha1', parts.join(SEPARATOR), 'base64url');
}

/** Which source text each plural form of a language translates: the first for the form of 1, else the last. */
export function sourceOfForm(language: Language, sources: readonly string[]): string[] {
  if (sources.length < 2) return [sources[0] ?? ''];
  const singular = parsePluralFormula(language.pluralFormula).evaluate(1);
  return Array.from({ length: language.pluralNumber }, (_, form) =>
    form === singular && language.pluralNumber > 1 ? sources[0]! : sources.at(-1)!,
  );
}

/**
 * The pairs of texts that a unit teaches: one, and of a plural those of the form of 1 and of the last form.
 * Only finished translations teach.
 */
export function lessonsOf(unit: Unit, language: Language): { source: string; target: string }[] {
  const finished = unit.state === State.translated || unit.state === State.approved;
  if (!finished || unit.isSource || isBlank(unit.target)) return [];
  const sources = sourceOfForm(language, unit.source);
  const forms =
    unit.source.length < 2
      ? [0]
      : [...new Set([sources.indexOf(unit.source[0]!), unit.target.length - 1])].filter((form) => form >= 0);
  return forms.flatMap((form) => {
    const [source, target] = [sources[form] ?? '', unit.target[form] ?? ''];
    const kept = source.trim() !== '' && target.trim() !== '';
    return kept && source.length <= MAX_MEMORY_TEXT && target.length <= MAX_MEMORY_TEXT ? [{ source, target }] : [];
  });
}
