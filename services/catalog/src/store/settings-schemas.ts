import { objectSchema, required, typed } from '@parlance/store-kit';

// Names as in the gRPC contract; the settings tables of libs/contracts document them.

/** Settings of a stored project. */
export const projectSettings = objectSchema({
  name: required(String),
  slug: required(String),
  web: required(String),
  checkFlags: required(String),
  translationReview: required(Boolean),
  sourceReview: required(Boolean),
  commitPolicy: required(Number),
  setLanguageTeam: required(Boolean),
  enableHooks: required(Boolean),
  instructions: required(String),
  languageAliases: required(String),
  /** 0: none. */
  secondaryLanguage: required(Number),
  enforced_2fa: required(Boolean),
  accessControl: required(Number),
  useSharedTm: required(Boolean),
  contributeSharedTm: required(Boolean),
});

/** Settings of a stored component. */
export const componentSettings = objectSchema({
  name: required(String),
  slug: required(String),
  vcs: required(String),
  /** Without credentials; '' for a linked component. */
  repo: required(String),
  /** Without credentials. */
  push: required(String),
  branch: required(String),
  pushBranch: required(String),
  repoweb: required(String),
  mergeStyle: required(String),
  pushOnCommit: required(Boolean),
  commitPendingAge: required(Number),
  filemask: required(String),
  screenshotFilemask: required(String),
  template: required(String),
  editTemplate: required(Boolean),
  intermediate: required(String),
  newBase: required(String),
  fileFormat: required(String),
  // Free keys: each file format defines its own.
  fileFormatParams: required(typed<Record<string, unknown>>()),
  newLang: required(String),
  languageCodeStyle: required(String),
  languageRegex: required(String),
  keyFilter: required(String),
  variantRegex: required(String),
  license: required(String),
  agreement: required(String),
  checkFlags: required(String),
  enforcedChecks: required([String]),
  priority: required(Number),
  restricted: required(Boolean),
  reportSourceBugs: required(String),
  allowTranslationPropagation: required(Boolean),
  manageUnits: required(Boolean),
  enableSuggestions: required(Boolean),
  suggestionVoting: required(Boolean),
  suggestionAutoaccept: required(Number),
  autoLockError: required(Boolean),
  commitMessage: required(String),
  addMessage: required(String),
  deleteMessage: required(String),
  mergeMessage: required(String),
  addonMessage: required(String),
  pullMessage: required(String),
  isGlossary: required(Boolean),
  glossaryColor: required(String),
  /** 0: the project's language. */
  secondaryLanguage: required(Number),
});
