import type { ComponentSettings, ProjectSettings } from '../domain/objects';

/** Interns strings that many objects share, such as default messages. */
const texts = new Map<string, string>();
const MAX_TEXTS = 5_000;
/** Longer strings are rarely shared. */
const MAX_TEXT_LENGTH = 1_000;

function shared(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return text;
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}

// Documents of the driver are slow to copy and large; explicit copies give all objects the same shape.

export function copyComponentSettings(s: ComponentSettings): ComponentSettings {
  return {
    name: s.name,
    slug: s.slug,
    vcs: shared(s.vcs),
    repo: s.repo,
    push: s.push,
    branch: shared(s.branch),
    pushBranch: shared(s.pushBranch),
    repoweb: shared(s.repoweb),
    mergeStyle: shared(s.mergeStyle),
    pushOnCommit: s.pushOnCommit,
    commitPendingAge: s.commitPendingAge,
    filemask: s.filemask,
    screenshotFilemask: shared(s.screenshotFilemask),
    template: shared(s.template),
    editTemplate: s.editTemplate,
    intermediate: shared(s.intermediate),
    newBase: shared(s.newBase),
    fileFormat: shared(s.fileFormat),
    fileFormatParams: s.fileFormatParams,
    newLang: shared(s.newLang),
    languageCodeStyle: shared(s.languageCodeStyle),
    languageRegex: shared(s.languageRegex),
    keyFilter: shared(s.keyFilter),
    variantRegex: shared(s.variantRegex),
    license: shared(s.license),
    agreement: shared(s.agreement),
    checkFlags: shared(s.checkFlags),
    enforcedChecks: s.enforcedChecks,
    priority: s.priority,
    restricted: s.restricted,
    reportSourceBugs: shared(s.reportSourceBugs),
    allowTranslationPropagation: s.allowTranslationPropagation,
    manageUnits: s.manageUnits,
    enableSuggestions: s.enableSuggestions,
    suggestionVoting: s.suggestionVoting,
    suggestionAutoaccept: s.suggestionAutoaccept,
    autoLockError: s.autoLockError,
    commitMessage: shared(s.commitMessage),
    addMessage: shared(s.addMessage),
    deleteMessage: shared(s.deleteMessage),
    mergeMessage: shared(s.mergeMessage),
    addonMessage: shared(s.addonMessage),
    pullMessage: shared(s.pullMessage),
    isGlossary: s.isGlossary,
    glossaryColor: shared(s.glossaryColor),
    secondaryLanguage: s.secondaryLanguage,
  };
}

export function copyProjectSettings(s: ProjectSettings): ProjectSettings {
  return {
    name: s.name,
    slug: s.slug,
    web: shared(s.web),
    checkFlags: shared(s.checkFlags),
    translationReview: s.translationReview,
    sourceReview: s.sourceReview,
    commitPolicy: s.commitPolicy,
    setLanguageTeam: s.setLanguageTeam,
    enableHooks: s.enableHooks,
    instructions: shared(s.instructions),
    languageAliases: shared(s.languageAliases),
    secondaryLanguage: s.secondaryLanguage,
    enforced_2fa: s.enforced_2fa,
    accessControl: s.accessControl,
    useSharedTm: s.useSharedTm,
    contributeSharedTm: s.contributeSharedTm,
  };
}
