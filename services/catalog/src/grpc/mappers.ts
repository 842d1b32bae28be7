import type { catalog, common } from '@parlance/contracts';
import type { AddonView } from '../app/addons';
import type { ComponentListView } from '../app/component-lists';
import type { LanguageView } from '../app/languages';
import type { RepositoryMatch } from '../app/match-repositories';
import type { ComponentView, ProjectView } from '../app/views';
import type { Category, Label, Language } from '../domain/objects';

export function languageToProto({ language, inUse }: LanguageView): catalog.Language {
  return { ...language, inUse };
}

export function languageInfo(language: Language | null): common.LanguageInfo {
  if (!language) return {};
  const { id, code, name, direction, plural } = language;
  return { id, code, name, direction, pluralNumber: plural.number, pluralFormula: plural.formula };
}

/** @param hookSecret opened; only for processes */
export function projectToProto({ project, locked, componentCount }: ProjectView, hookSecret = ''): catalog.Project {
  const { id, version, createdMs, settings } = project;
  return {
    ...settings,
    id,
    version,
    createdMs,
    locked,
    componentCount,
    hookSecret,
    hasHookSecret: project.hookSecret !== '',
  };
}

/** A linked component shows the addresses of the repository it shares. */
export function componentToProto(view: ComponentView, full?: { repo: string; push: string }): catalog.Component {
  const { component: c, owner } = view;
  const { fileFormatParams, ...settings } = c.settings;
  const { repo, push, branch, pushBranch } = owner.settings;
  return {
    ...settings,
    repo,
    push,
    branch,
    pushBranch,
    fileFormatParamsJson: JSON.stringify(fileFormatParams),
    id: c.id,
    projectId: c.projectId,
    projectSlug: view.projectSlug,
    path: view.path,
    categoryId: c.categoryId,
    linkedComponentId: c.linkedId,
    linkedComponentPath: view.linkedPath,
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

export function matchToProto(match: RepositoryMatch): catalog.RepositoryMatch {
  return match;
}
