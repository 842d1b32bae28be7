import { z } from 'zod';
import { apiUrl, flag, id, text, webUrl } from '../../responses/schema';
import { languageSchema } from '../languages/schema';

const url = (path = '') => apiUrl(`projects/app/${path}`);

export const projectSchema = z
  .strictObject({
    name: text,
    slug: text,
    id,
    web: text,
    web_url: webUrl,
    url: url(),
    check_flags: text,
    components_list_url: url('components/'),
    repository_url: url('repository/'),
    statistics_url: url('statistics/'),
    categories_url: url('categories/'),
    changes_list_url: url('changes/'),
    languages_url: url('languages/'),
    labels_url: url('labels/'),
    credits_url: url('credits/'),
    lock_url: url('lock/'),
    translation_review: flag,
    source_review: flag,
    commit_policy: id,
    set_language_team: flag,
    instructions: text,
    enable_hooks: flag,
    language_aliases: text,
    secondary_language: id.nullable(),
    enforced_2fa: flag,
    machinery_settings: url('machinery_settings/'),
    locked: flag,
  })
  .meta({ id: 'Project' });

/** The project of a component, with the component's source language. */
export const componentProjectSchema = projectSchema.extend({ source_language: languageSchema });

export const lockSchema = z.strictObject({ locked: flag }).meta({ id: 'Lock' });
