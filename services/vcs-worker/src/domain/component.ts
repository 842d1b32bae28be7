import type { catalog, common, translation } from '@parlance/contracts';
import type { AccessTarget } from '@parlance/access';

/** Address of repositories without a remote. */
export const LOCAL_URL = 'local:';
/** Only branch of a local repository. */
export const LOCAL_BRANCH = 'main';

/** A component with its project and source language. Addresses include credentials. */
export interface Component {
  settings: catalog.Component__Output;
  project: catalog.Project__Output;
  sourceLanguage: catalog.Language__Output;
}

/** The target of permission checks. */
export function accessTarget(component: Pick<Component, 'settings' | 'project'>): AccessTarget {
  return {
    projectId: component.project.id,
    accessControl: component.project.accessControl,
    componentId: component.settings.id,
    restricted: component.settings.restricted,
    enforced2fa: component.project.enforced_2fa,
  };
}

/** Component that owns the repository of this one. */
export const ownerOf = (component: Pick<Component, 'settings'>): number =>
  component.settings.linkedComponentId || component.settings.id;

export const repoUrl = (component: Component): string =>
  component.settings.repoWithCredentials || component.settings.repo;
/** Push address; empty for none. */
export const pushUrl = (component: Component): string =>
  component.settings.pushWithCredentials || component.settings.push;
export const isLocal = (component: Component): boolean => component.settings.vcs === 'local';

export function languageInfo(language: catalog.Language__Output): common.LanguageInfo__Output {
  return {
    id: language.id,
    code: language.code,
    name: language.name,
    direction: language.direction,
    pluralNumber: language.plural?.number ?? 2,
    pluralFormula: language.plural?.formula ?? 'n != 1',
  };
}

/** Component settings that the translation service needs for files. */
export function componentInfo(component: Component): translation.ComponentInfo {
  const { settings, project } = component;
  return {
    componentId: settings.id,
    fileFormat: settings.fileFormat,
    template: settings.template,
    sourceLanguage: languageInfo(component.sourceLanguage),
    sourceReview: project.sourceReview,
    keyFilter: settings.keyFilter,
    commitPolicy: project.commitPolicy,
  };
}
