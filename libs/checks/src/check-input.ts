import type { AnalyzedText } from './text/analyzed-text';
import type { Flags } from './flags/flags';
import type { ProjectFonts } from './fonts/project-fonts';

/** A unit to check. */
export interface CheckInput {
  /** Plural forms of the source; a single one for a unit without plurals. */
  source: readonly string[];
  /** Plural forms of the translation, ordered by the language's formula. */
  target: readonly string[];
  sourceLanguage: string;
  targetLanguage: string;
  /** Effective flags from `mergeFlags`. */
  flags: Flags;
  /** The unit belongs to the source language: only source checks run. */
  isSource?: boolean;
  /** 0, 10, 20 (default), 30 or 100. Translations in 0 and 100 are not checked. */
  state?: number;
  /** Plural formula of the target language. Without it, only the first form counts as singular. */
  pluralFormula?: string;
  /** The unit belongs to a glossary. */
  isGlossary?: boolean;
  /** Fonts of the project, which texts are measured in. */
  fonts?: ProjectFonts | undefined;
}

/** A unit with the analysis that its checks share. */
export interface AnalyzedUnit {
  input: CheckInput;
  flags: Flags;
  source: readonly AnalyzedText[];
  target: readonly AnalyzedText[];
  /** Primary language subtag of the target language. */
  language: string;
}

/** A target form and the source form that it is compared with. */
export interface FormPair {
  unit: AnalyzedUnit;
  source: AnalyzedText;
  target: AnalyzedText;
  /** Index of the target form. */
  form: number;
  /** The form applies to exactly one number (such as "one" in Czech), so the number may be spelled out. */
  singleNumber: boolean;
}
