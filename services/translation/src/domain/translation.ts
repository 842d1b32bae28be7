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
  /** Path in the repository; '': no file. */
  filename: string;
  /** Git blob hash of the file as last read or committed. */
  revision: string;
  isTemplate: boolean;
  isSource: boolean;
  counters: Counters;
  /** Incremented by every write to the translation's strings; cache key of pages. */
  version: number;
}
