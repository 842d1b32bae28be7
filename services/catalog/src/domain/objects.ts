/** Fields of every editable object. */
export interface Versioned {
  /** Incremented by every write (optimistic concurrency). */
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

/** Names as in the gRPC contract; the schema in libs/contracts documents them. */
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
  /** Sealed secret of inbound hooks; '' for none. */
  hookSecret: string;
}

/** Names as in the gRPC contract; the schema in libs/contracts documents them. */
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
  /** 0: the project's language. */
  secondaryLanguage: number;
}

export interface Component extends Versioned {
  id: number;
  createdMs: number;
  projectId: number;
  /** 0: directly in the project. */
  categoryId: number;
  /** Component whose repository it shares; 0: its own. */
  linkedId: number;
  sourceLanguage: string;
  settings: ComponentSettings;
  /** Sealed credentials of the addresses; '' for none. */
  repoSecret: string;
  pushSecret: string;
  /** No branch was requested, so the repository's default branch is used. */
  branchIsDefault: boolean;
  /** Keys that inbound hooks are matched by. */
  repoKeys: string[];
  locked: boolean;
  /** Reason of a lock that was not set by a user. */
  lockReason: string;
  /** Background task of the component; '' for none. */
  taskId: string;
  /** Other projects that show the component. */
  links: number[];
  /** Codes of languages with translations in it. */
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
  /** Deletion has begun: no objects can be added. */
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
  /** The component that it is installed in; 0: a project or the site. */
  componentId: number;
  /** The project that it is installed in, or its component's project; 0: the site. */
  projectId: number;
  configuration: Record<string, unknown>;
}

/** Maximum nesting depth of categories. */
export const MAX_CATEGORY_DEPTH = 3;
