import type { catalog, common } from '@parlance/contracts';
import type { AddonView } from '../app/addons/addons';
import type { ComponentListView } from '../app/lists/component-lists';
import type { LanguageView } from '../app/languages/languages';
import type { LinkedComponentView } from '../app/linking/linked-components';
import type { RepositoryMatch } from '../app/linking/match-repositories';
import type { ComponentView, ProjectView } from '../app/views';
import type { Category, Label, Language } from '../domain/objects';

export function languageToProto({ language, inUse }: LanguageView): catalog.Language {
  return { ...language, inUse };
}

export function languageInfoToProto(language: Language | null): common.LanguageInfo {
  if (!language) return {};
  const { id, code, name, direction, plural } = language;
  return { id, code, name, direction, pluralNumber: plural.number, pluralFormula: plural.formula };
}

// Explicit copies take a tenth of the time of generic ones; pages of these objects are the most frequent responses.

/** @param hookSecret in plain text; only for services */
export function projectToProto({ project, locked, componentCount }: ProjectView, hookSecret = ''): catalog.Project {
  const s = project.settings;
  return {
    id: project.id,
    version: project.version,
    createdMs: project.createdMs,
    locked,
    componentCount,
    hookSecret,
    hasHookSecret: project.hookSecret !== '',
    name: s.name,
    slug: s.slug,
    web: s.web,
    checkFlags: s.checkFlags,
    translationReview: s.translationReview,
    sourceReview: s.sourceReview,
    commitPolicy: s.commitPolicy,
    setLanguageTeam: s.setLanguageTeam,
    enableHooks: s.enableHooks,
    instructions: s.instructions,
    languageAliases: s.languageAliases,
    secondaryLanguage: s.secondaryLanguage,
    enforced_2fa: s.enforced_2fa,
    accessControl: s.accessControl,
    useSharedTm: s.useSharedTm,
    contributeSharedTm: s.contributeSharedTm,
  };
}

/** A linked component shows the addresses of the repository that it shares. */
// eslint-disable-next-line max-lines-per-function -- A row for each field. A spread of the settings takes 15 times as long.
export function componentToProto(view: ComponentView, full?: { repo: string; push: string }): catalog.Component {
  const c = view.component;
  const s = c.settings;
  const owner = view.owner.settings;
  return {
    id: c.id,
    projectId: c.projectId,
    projectSlug: view.projectSlug,
    path: view.path,
    categoryId: view.categoryId,
    linkedComponentId: c.linkedId,
    linkedComponentPath: view.linkedPath,
    linkedProjectId: c.linkedId ? view.owner.projectId : 0,
    linkedAccessControl: c.linkedId ? view.ownerAccessControl : 0,
    linkedRestricted: c.linkedId !== 0 && owner.restricted,
    locked: c.locked,
    lockReason: c.lockReason,
    taskId: c.taskId,
    sourceLanguageCode: c.sourceLanguage,
    addonIds: view.addonIds,
    version: c.version,
    createdMs: c.createdMs,
    linkProjectIds: c.links,
    repoWithCredentials: full?.repo ?? '',
    pushWithCredentials: full?.push ?? '',
    repo: owner.repo,
    push: owner.push,
    branch: owner.branch,
    pushBranch: owner.pushBranch,
    fileFormatParamsJson: JSON.stringify(s.fileFormatParams),
    name: s.name,
    slug: s.slug,
    vcs: s.vcs,
    repoweb: s.repoweb,
    mergeStyle: s.mergeStyle,
    pushOnCommit: s.pushOnCommit,
    commitPendingAge: s.commitPendingAge,
    filemask: s.filemask,
    screenshotFilemask: s.screenshotFilemask,
    template: s.template,
    editTemplate: s.editTemplate,
    intermediate: s.intermediate,
    newBase: s.newBase,
    fileFormat: s.fileFormat,
    newLang: s.newLang,
    languageCodeStyle: s.languageCodeStyle,
    languageRegex: s.languageRegex,
    keyFilter: s.keyFilter,
    variantRegex: s.variantRegex,
    license: s.license,
    agreement: s.agreement,
    checkFlags: s.checkFlags,
    enforcedChecks: s.enforcedChecks,
    priority: s.priority,
    restricted: s.restricted,
    reportSourceBugs: s.reportSourceBugs,
    allowTranslationPropagation: s.allowTranslationPropagation,
    manageUnits: s.manageUnits,
    enableSuggestions: s.enableSuggestions,
    suggestionVoting: s.suggestionVoting,
    suggestionAutoaccept: s.suggestionAutoaccept,
    autoLockError: s.autoLockError,
    commitMessage: s.commitMessage,
    addMessage: s.addMessage,
    deleteMessage: s.deleteMessage,
    mergeMessage: s.mergeMessage,
    addonMessage: s.addonMessage,
    pullMessage: s.pullMessage,
    isGlossary: s.isGlossary,
    glossaryColor: s.glossaryColor,
    secondaryLanguage: s.secondaryLanguage,
  };
}

export function categoryToProto(category: Category, projectSlug: string, path: string): catalog.Category {
  const { id, projectId, categoryId, version, settings } = category;
  return {
    id,
    projectId,
    categoryId,
    version,
    projectSlug,
    path,
    name: settings.name,
    slug: settings.slug,
    configurationJson: JSON.stringify(settings.configuration),
  };
}

export function labelToProto(label: Label): catalog.Label {
  return label;
}

export function listToProto({ list, components }: ComponentListView): catalog.ComponentList {
  const { id, name, slug, showDashboard, autoAssign, version } = list;
  return { id, name, slug, showDashboard, autoAssign, version, components };
}

export function addonToProto({ addon, component, projectSlug, configuration }: AddonView): catalog.Addon {
  return {
    id: addon.id,
    name: addon.name,
    component,
    projectId: addon.componentId === 0 ? addon.projectId : 0,
    projectSlug,
    configurationJson: JSON.stringify(configuration),
    version: addon.version,
  };
}

export function linkedToProto({ component, place, projectName }: LinkedComponentView): catalog.LinkedComponent {
  const { name, filemask } = component.settings;
  const { id, path, projectId, projectSlug } = place;
  return { id, name, path, projectId, projectName, projectSlug, filemask };
}

export function matchToProto(match: RepositoryMatch): catalog.RepositoryMatch {
  return match;
}
