/** What every editable object has. */
export interface Versioned {
  /** Grows with every write; writes are conditional on it. */
  version: number;
}

export interface Plural {
  id: number;
  source: number;
  number: number;
  formula: string;
  type: number;
}

export interface Language extends Versioned {
  id: number;
  code: string;
  name: string;
  direction: string;
  population: number;
  aliases: string[];
  plural: Plural;
}

/** Names as in the gRPC contract; what each means stands in the settings table of libs/contracts. */
export interface ProjectSettings {
  name: string;
  slug: string;
  web: string;
  checkFlags: string;
  translationReview: boolean;
  sourceReview: boolean;
  commitPolicy: number;
  setLanguageTeam: boolean;
  enableHooks: boolean;
  instructions: string;
  languageAliases: string;
  /** 0: none. */
  secondaryLanguage: number;
  enforced_2fa: boolean;
  accessControl: number;
  useSharedTm: boolean;
  contributeSharedTm: boolean;
}

export interface Project extends Versioned {
  id: number;
  createdMs: number;
  settings: ProjectSettings;
  /** Secret for inbound hooks, sealed; '' when none is set. */
  hookSecret: string;
}

/** Names as in the gRPC contract; what each means stands in the settings table of libs/contracts. */
export interface ComponentSettings {
  name: string;
  slug: string;
  vcs: string;
  /** Without credentials; '' for a linked component. */
  repo: string;
  /** Without credentials. */
  push: string;
  branch: string;
  pushBranch: string;
  repoweb: string;
  mergeStyle: string;
  pushOnCommit: boolean;
  commitPendingAge: number;
  filemask: string;
  screenshotFilemask: string;
  template: string;
  editTemplate: boolean;
  intermediate: string;
  newBase: string;
  fileFormat: string;
  fileFormatParams: Record<string, unknown>;
  newLang: string;
  languageCodeStyle: string;
  languageRegex: string;
  keyFilter: string;
  variantRegex: string;
  license: string;
  agreement: string;
  checkFlags: string;
  enforcedChecks: string[];
  priority: number;
  restricted: boolean;
  reportSourceBugs: string;
  allowTranslationPropagation: boolean;
  manageUnits: boolean;
  enableSuggestions: boolean;
  suggestionVoting: boolean;
  suggestionAutoaccept: number;
  autoLockError: boolean;
  commitMessage: string;
  addMessage: string;
  deleteMessage: string;
  mergeMessage: string;
  addonMessage: string;
  pullMessage: string;
  isGlossary: boolean;
  glossaryColor: string;
  /** 0: that of the project. */
  secondaryLanguage: number;
}

export interface Component extends Versioned {
  id: number;
  createdMs: number;
  projectId: number;
  /** 0: directly in the project. */
  categoryId: number;
  /** Component whose repository it shares; 0: it has its own. */
  linkedId: number;
  sourceLanguage: string;
  settings: ComponentSettings;
  /** Credentials of the addresses, sealed; '' when there are none. */
  repoSecret: string;
  pushSecret: string;
  /** The branch is the repository's default one: none was asked for. */
  branchIsDefault: boolean;
  /** What inbound hooks are matched by. */
  repoKeys: string[];
  locked: boolean;
  /** Why it was locked when that was not a person's doing. */
  lockReason: string;
  /** Background task that works for it; ''. */
  taskId: string;
  /** Other projects that show it. */
  links: number[];
  /** Codes of languages it has translations in. */
  languages: string[];
}

export interface CategorySettings {
  name: string;
  slug: string;
  configuration: Record<string, unknown>;
}

export interface Category extends Versioned {
  id: number;
  projectId: number;
  /** 0: directly in the project. */
  categoryId: number;
  settings: CategorySettings;
  /** It is on its way out: nothing comes in any more. */
  deleting?: true;
}

export interface Label {
  id: number;
  projectId: number;
  name: string;
  description: string;
  color: string;
}

export interface AutoAssign {
  projectMatch: string;
  componentMatch: string;
}

export interface ComponentList extends Versioned {
  id: number;
  name: string;
  slug: string;
  showDashboard: boolean;
  componentIds: number[];
  autoAssign: AutoAssign[];
}

export interface Addon extends Versioned {
  id: number;
  name: string;
  /** The component it is installed in; 0: in a project or the site. */
  componentId: number;
  /** The project it is installed in, or that of its component; 0: the site. */
  projectId: number;
  configuration: Record<string, unknown>;
}

/** Categories may lie in one another this deep. */
export const MAX_CATEGORY_DEPTH = 3;
