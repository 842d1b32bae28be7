import type { Counters } from './counters';
import type { Language } from './component';

/** The strings of a component in one language. */
export interface Translation {
  id: number;
  component: number;
  project: number;
  language: Language;
  /** Code as the repository spells it. */
  fileLanguageCode: string;
  /** Path in the repository; '' where the strings have no file of their own. */
  filename: string;
  /** Git blob hash of the file as last read or committed. */
  revision: string;
  isTemplate: boolean;
  isSource: boolean;
  counters: Counters;
  /** Grows with every write to the translation's strings; pages are cached under it. */
  version: number;
}
