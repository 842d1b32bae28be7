import type { TextFacts } from './facts';
import type { Flags } from './flags';

/** A unit to check. */
export interface CheckInput {
  /** Plural forms of the source; one for a unit without plurals. */
  source: readonly string[];
  /** Plural forms of the translation in the order of the language's formula. */
  target: readonly string[];
  sourceLanguage: string;
  targetLanguage: string;
  /** The flags in effect, from `mergeFlags`. */
  flags: Flags;
  /** True for a unit of the source language: only the checks of sources run. */
  isSource?: boolean;
  /** 0, 10, 20, 30 or 100; translations in 0 and 100 are not checked. 20 by default. */
  state?: number;
  /** The target language's formula; without it only the first form is taken for the singular. */
  pluralFormula?: string;
  /** The unit belongs to a glossary. */
  isGlossary?: boolean;
}

/** What all checks of a unit share. */
export interface UnitFacts {
  input: CheckInput;
  flags: Flags;
  source: readonly TextFacts[];
  target: readonly TextFacts[];
  /** Language part of the target's code. */
  language: string;
}

/** One form of the translation beside the form of the source that it is compared with. */
export interface Pair {
  unit: UnitFacts;
  source: TextFacts;
  target: TextFacts;
  /** Index of the target form. */
  form: number;
  /** The form stands for exactly one number (as "one" in Czech): a translator may spell it out instead of showing it. */
  singleNumber: boolean;
}
