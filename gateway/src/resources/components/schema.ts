import { z } from 'zod';
import { anyObject, apiUrl, count, flag, id, text, time, webUrl } from '../../responses/schema';
import { languageSchema } from '../languages/schema';
import { componentProjectSchema, projectSchema } from '../projects/schema';
import { pageSchema } from '../../responses/schema';

const url = (path = '') => apiUrl(`components/app/web/${path}`);

export const componentSchema = z
  .strictObject({
    name: text,
    slug: text,
    id,
    source_language: languageSchema,
    project: componentProjectSchema,
    vcs: text.nullable(),
    repo: text.nullable(),
    git_export: text,
    branch: text.nullable(),
    push_branch: text.nullable(),
    filemask: text.nullable(),
    screenshot_filemask: text.nullable(),
    template: text,
    edit_template: flag,
    intermediate: text,
    new_base: text,
    file_format: text,
    file_format_params: anyObject,
    license: text,
    license_url: text.nullable(),
    agreement: text,
    web_url: webUrl,
    url: url(),
    repository_url: url('repository/'),
    translations_url: url('translations/'),
    statistics_url: url('statistics/'),
    lock_url: url('lock/'),
    links_url: url('links/'),
    changes_list_url: url('changes/'),
    task_url: apiUrl('tasks/b1d7c0d2-4b2e-4a7e-9a4e-2f1f0e1a2b3c/').nullable(),
    credits_url: url('credits/'),
    new_lang: text,
    language_code_style: text,
    push: text.nullable(),
    check_flags: text,
    priority: count,
    enforced_checks: z.array(text),
    restricted: flag,
    repoweb: text,
    report_source_bugs: text,
    merge_style: text,
    commit_message: text,
    add_message: text,
    delete_message: text,
    merge_message: text,
    addon_message: text,
    pull_message: text,
    allow_translation_propagation: flag,
    manage_units: flag,
    enable_suggestions: flag,
    suggestion_voting: flag,
    suggestion_autoaccept: count,
    push_on_commit: flag,
    commit_pending_age: count,
    auto_lock_error: flag,
    language_regex: text,
    key_filter: text,
    secondary_language: id.nullable(),
    variant_regex: text,
    addons: z.array(apiUrl('addons/1/')),
    is_glossary: flag,
    glossary_color: text,
    category: apiUrl('categories/1/').nullable(),
    linked_component: url().nullable(),
    locked: flag,
  })
  .meta({ id: 'Component' });

export const agreementSchema = z
  .strictObject({ agreement: text, agreed: flag, agreed_at: time.nullable() })
  .meta({ id: 'Agreement' });

const commonStatus = { needs_commit: flag, needs_merge: flag, needs_push: flag, url: url('repository/') };

export const projectRepositorySchema = z.strictObject(commonStatus).meta({ id: 'ProjectRepository' });

export const repositorySchema = z
  .strictObject({
    ...commonStatus,
    remote_commit: text.nullable(),
    local_commit: text.nullable(),
    status: text,
    merge_failure: text.nullable(),
  })
  .meta({ id: 'Repository' });

export const operationSchema = z
  .strictObject({ result: flag, detail: text.optional() })
  .meta({ id: 'OperationResult' });

/** A component on the other side of a link. */
export const linkedComponentSchema = z
  .strictObject({
    id,
    name: text,
    slug: text,
    project: z.strictObject({ name: text, slug: text, url: apiUrl('projects/app/') }),
    filemask: text,
    url: url(),
    web_url: webUrl,
  })
  .meta({ id: 'LinkedComponent' });

export const linksSchema = pageSchema(projectSchema).extend({ projects: z.array(projectSchema) });
export const newLinkSchema = z.strictObject({ data: componentSchema });
