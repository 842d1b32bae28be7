import type { ImportMarks } from './import-marks';
import type { AccessTarget } from '@parlance/access';

/** A language as strings and checks need it. */
export interface Language {
  id: number;
  code: string;
  name: string;
  direction: string;
  pluralNumber: number;
  pluralFormula: string;
}

/** Settings of a component that strings depend on. */
export interface Component {
  /** Only while its files are read: which texts need editing then. */
  importMarks?: ImportMarks;
  id: number;
  project: number;
  projectSlug: string;
  /** Category slugs and slug, joined by slashes. */
  path: string;
  name: string;
  accessControl: number;
  restricted: boolean;
  locked: boolean;
  agreement: string;
  /** Of the project: people who change anything need a second factor. */
  enforced2fa: boolean;
  fileFormat: string;
  fileFormatParams: Record<string, unknown>;
  /** Monolingual base file; '' for bilingual components. */
  template: string;
  /** Monolingual file with the developers' texts, which are polished in the base file before anybody translates; '' without. */
  intermediate: string;
  editTemplate: boolean;
  manageUnits: boolean;
  newBase: string;
  sourceLanguage: Language;
  checkFlags: string;
  enforcedChecks: string[];
  translationReview: boolean;
  sourceReview: boolean;
  priority: number;
  isGlossary: boolean;
  propagation: boolean;
  enableSuggestions: boolean;
  suggestionVoting: boolean;
  suggestionAutoaccept: number;
  /** Keys that are taken from monolingual files, a regular expression; '' takes all. */
  keyFilter: string;
  /** Of the project: 0 commits everything, 20 nothing that needs editing, 30 only what is approved. */
  commitPolicy: number;
  /** What contexts of strings that are variants of each other differ by; '' where there are none. */
  variantRegex: string;
}

export function accessTarget(component: Component, languageCode?: string): AccessTarget {
  return {
    projectId: component.project,
    accessControl: component.accessControl,
    componentId: component.id,
    restricted: component.restricted,
    enforced2fa: component.enforced2fa,
    ...(languageCode === undefined ? {} : { languageCode }),
  };
}
