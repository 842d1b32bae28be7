import { hash } from 'node:crypto';
import { parsePluralFormula } from '@parlance/plurals';
import type { Language } from '../component';
import { isBlank, State, type Unit } from '../unit';

export interface MemoryLanguage {
  id: number;
  code: string;
}

export interface NewMemoryEntry {
  source: string;
  target: string;
  sourceLanguage: MemoryLanguage;
  targetLanguage: MemoryLanguage;
  /** `project/component`, or the name of the imported file. */
  origin: string;
  /** Project whose memory contains it; 0: none. */
  project: number;
  /** User whose personal memory contains it; 0: none. */
  user: number;
  fromFile: boolean;
  /** Part of the shared memory, which every participating project may use. */
  shared: boolean;
}

export interface MemoryEntry extends NewMemoryEntry {
  id: number;
  /** Time of creation or last confirmation, milliseconds since the epoch. */
  stamp: number;
}

/** In characters. */
export const MAX_MEMORY_TEXT = 10_000;

/** Key of a language pair. */
export function pairOf(source: string, target: string): string {
  return `${source}>${target}`;
}

const SEPARATOR = '\u0000';

/** Hash of a source text; 53 bits, exact in JavaScript numbers. */
export function sourceHash(source: string): number {
  return Number(hash('sha1', source, 'buffer').readBigUInt64BE(0) >> 11n);
}

/** Identity among entries of the same source: target and owner. */
export function entryHash(entry: NewMemoryEntry): string {
  const parts = [entry.target, String(entry.project), String(entry.user), entry.project || entry.user ? '' : 'shared'];
  return hash('sha1', parts.join(SEPARATOR), 'base64url');
}

/** Source text of each plural form of a language: the first text for the form of 1, the last one for other forms. */
export function sourceOfForm(language: Language, sources: readonly string[]): string[] {
  if (sources.length < 2) return [sources[0] ?? ''];
  const singular = parsePluralFormula(language.pluralFormula).evaluate(1);
  return Array.from({ length: language.pluralNumber }, (_, form) =>
    form === singular && language.pluralNumber > 1 ? sources[0]! : sources.at(-1)!,
  );
}

/**
 * The text pairs of a finished translation that the memory stores. A plural contributes the form of 1 and the last form.
 */
export function textPairsOf(unit: Unit, language: Language): { source: string; target: string }[] {
  const finished = unit.state === State.translated || unit.state === State.approved;
  if (!finished || unit.isSource || isBlank(unit.target)) return [];
  const sources = sourceOfForm(language, unit.source);
  const forms =
    unit.source.length < 2
      ? [0]
      : [...new Set([sources.indexOf(unit.source[0]!), unit.target.length - 1])].filter((form) => form >= 0);
  return forms.flatMap((form) => {
    const [source, target] = [sources[form] ?? '', unit.target[form] ?? ''];
    const isUsable = source.trim() !== '' && target.trim() !== '';
    return isUsable && source.length <= MAX_MEMORY_TEXT && target.length <= MAX_MEMORY_TEXT ? [{ source, target }] : [];
  });
}
