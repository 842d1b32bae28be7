import type { AccessTarget } from '@parlance/access';
import type { ProjectFonts } from '@parlance/checks';

/** A language as strings and checks need it. */
export interface Language {
  id: number;
  code: string;
  name: string;
  direction: string;
  pluralNumber: number;
  pluralFormula: string;
}

/** Imported texts to mark as needing editing. */
export interface ImportMarks {
  newSources: boolean;
  newTexts: boolean;
  changedTexts: boolean;
  sameTexts: boolean;
}

/** Settings of a component that strings depend on. */
export interface Component {
  /** During an import only: texts to mark as needing editing. */
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
  /** Setting of the project: changes need a second factor. */
  enforced2fa: boolean;
  fileFormat: string;
  fileFormatParams: Record<string, unknown>;
  /** Monolingual base file; '' for bilingual components. */
  template: string;
  /** Monolingual file with the developers' texts, which the base file rewrites before translation; '': none. */
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
  /** Regular expression of the keys to import from monolingual files; '': all. */
  keyFilter: string;
  /** Setting of the project: 0 commits all texts, 20 no texts that need editing, 30 only approved texts. */
  commitPolicy: number;
  /** Regular expression of the part in which contexts of variants differ; '': no variants. */
  variantRegex: string;
  /** Fonts of the project; absent: none. */
  fonts?: ProjectFonts;
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
