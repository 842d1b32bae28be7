import type { z } from 'zod';
import { can, type Caller } from '@parlance/access';
import { licenceUrl, type catalog } from '@parlance/contracts';
import { componentTarget, seesRepositoryOwner } from '../../access/access';
import type { ComponentView } from '../../directory/component-view';
import type { Links } from '../../responses/links';
import type { languageSchema } from '../languages/schema';
import type { projectSchema } from '../projects/schema';
import type { componentSchema } from './schema';

export function presentLanguage(language: catalog.Language__Output, links: Links): z.infer<typeof languageSchema> {
  const { plural } = language;
  return {
    id: language.id,
    code: language.code,
    name: language.name,
    plural: plural && {
      id: plural.id,
      source: plural.source,
      number: plural.number,
      formula: plural.formula,
      type: plural.type,
    },
    aliases: language.aliases,
    direction: language.direction,
    population: language.population,
    web_url: links.web(`languages/${language.code}/`),
    url: links.language(language.code),
    statistics_url: `${links.language(language.code)}statistics/`,
  };
}

export function presentProject(project: catalog.Project__Output, links: Links): z.infer<typeof projectSchema> {
  const url = links.project(project.slug);
  return {
    name: project.name,
    slug: project.slug,
    id: project.id,
    web: project.web,
    web_url: links.web(`projects/${project.slug}/`),
    url,
    check_flags: project.checkFlags,
    components_list_url: `${url}components/`,
    repository_url: `${url}repository/`,
    statistics_url: `${url}statistics/`,
    categories_url: `${url}categories/`,
    changes_list_url: `${url}changes/`,
    languages_url: `${url}languages/`,
    labels_url: `${url}labels/`,
    credits_url: `${url}credits/`,
    lock_url: `${url}lock/`,
    translation_review: project.translationReview,
    source_review: project.sourceReview,
    commit_policy: project.commitPolicy,
    set_language_team: project.setLanguageTeam,
    instructions: project.instructions,
    enable_hooks: project.enableHooks,
    language_aliases: project.languageAliases,
    secondary_language: project.secondaryLanguage || null,
    enforced_2fa: project.enforced_2fa,
    machinery_settings: `${url}machinery_settings/`,
    locked: project.locked,
  };
}

type Component = ComponentView['component'];

/** Parts of a component that only some callers may see. */
interface Visible {
  /** The location of files. */
  files: boolean;
  /** The component whose repository it uses, if it is another one. */
  owner: boolean;
  /** The repository. */
  repository: boolean;
}

/** All that the presentation of a component depends on besides the component and the host. */
export function visibleParts(view: ComponentView, caller: Caller): Visible {
  const files = can(caller, 'vcs.view', componentTarget(view));
  const owner = seesRepositoryOwner(caller, view);
  return { files, owner, repository: files && owner };
}

/** Branch of the repository; '' for callers who may not see it. */
export const visibleBranch = (view: ComponentView, caller: Caller): string =>
  visibleParts(view, caller).repository ? view.component.branch : '';

function presentOrigin({ component: c, project }: ComponentView, links: Links, visible: Visible) {
  return {
    vcs: visible.files ? c.vcs : null,
    repo: visible.repository ? c.repo : null,
    git_export: c.linkedComponentId ? '' : links.web(`git/${project.slug}/${c.path}/`),
    branch: visible.repository ? c.branch : null,
    push_branch: visible.repository ? c.pushBranch : null,
    filemask: visible.files ? c.filemask : null,
    screenshot_filemask: visible.files ? c.screenshotFilemask : null,
  };
}

function presentAddresses({ component: c, project }: ComponentView, links: Links) {
  const url = links.component(project.slug, c.path);
  return {
    web_url: links.web(`projects/${project.slug}/${c.path}/`),
    url,
    repository_url: `${url}repository/`,
    translations_url: `${url}translations/`,
    statistics_url: `${url}statistics/`,
    lock_url: `${url}lock/`,
    links_url: `${url}links/`,
    changes_list_url: `${url}changes/`,
    task_url: c.taskId ? links.task(c.taskId) : null,
    credits_url: `${url}credits/`,
  };
}

const presentMessages = (c: Component) => ({
  commit_message: c.commitMessage,
  add_message: c.addMessage,
  delete_message: c.deleteMessage,
  merge_message: c.mergeMessage,
  addon_message: c.addonMessage,
  pull_message: c.pullMessage,
});

/** Address of the component whose repository a component uses. */
function linkedComponent({ linkedComponentPath }: Component, links: Links): string | null {
  if (!linkedComponentPath) return null;
  const [project, ...path] = linkedComponentPath.split('/');
  return links.component(project!, path.join('/'));
}

/**
 * A component as the caller may see it: the origin of its files requires access to repositories; the repository of another
 * component requires access to that component.
 */
export function presentComponent(view: ComponentView, links: Links, caller: Caller): z.infer<typeof componentSchema> {
  const { component: c, project, sourceLanguage } = view;
  const visible = visibleParts(view, caller);
  const language = presentLanguage(sourceLanguage, links);
  return {
    name: c.name,
    slug: c.slug,
    id: c.id,
    source_language: language,
    project: { ...presentProject(project, links), source_language: language },
    ...presentOrigin(view, links, visible),
    template: c.template,
    edit_template: c.editTemplate,
    intermediate: c.intermediate,
    new_base: c.newBase,
    file_format: c.fileFormat,
    file_format_params: c.fileFormatParamsJson ? (JSON.parse(c.fileFormatParamsJson) as Record<string, unknown>) : {},
    license: c.license,
    license_url: licenceUrl(c.license),
    agreement: c.agreement,
    ...presentAddresses(view, links),
    new_lang: c.newLang,
    language_code_style: c.languageCodeStyle,
    push: visible.repository ? c.push : null,
    check_flags: c.checkFlags,
    priority: c.priority,
    enforced_checks: c.enforcedChecks,
    restricted: c.restricted,
    repoweb: c.repoweb,
    report_source_bugs: c.reportSourceBugs,
    merge_style: c.mergeStyle,
    ...presentMessages(c),
    allow_translation_propagation: c.allowTranslationPropagation,
    manage_units: c.manageUnits,
    enable_suggestions: c.enableSuggestions,
    suggestion_voting: c.suggestionVoting,
    suggestion_autoaccept: c.suggestionAutoaccept,
    push_on_commit: c.pushOnCommit,
    commit_pending_age: c.commitPendingAge,
    auto_lock_error: c.autoLockError,
    language_regex: c.languageRegex,
    key_filter: c.keyFilter,
    secondary_language: c.secondaryLanguage || null,
    variant_regex: c.variantRegex,
    addons: c.addonIds.map((id) => links.addon(id)),
    is_glossary: c.isGlossary,
    glossary_color: c.glossaryColor,
    category: c.categoryId ? links.category(c.categoryId) : null,
    linked_component: visible.owner ? linkedComponent(c, links) : null,
    locked: c.locked,
  };
}
