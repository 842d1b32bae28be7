import { z } from 'zod';
import { apiUrl, count, flag, id, percentage, text, time, webUrl } from '../../responses/schema';
import { componentSchema } from '../components/schema';
import { languageSchema } from '../languages/schema';

const url = (path = '') => apiUrl(`translations/app/web/cs/${path}`);

/** A translation in the list of its component, which is omitted. */
export const componentTranslationSchema = z
  .strictObject({
    language: languageSchema,
    language_code: text,
    id,
    filename: text,
    revision: text,
    web_url: webUrl,
    share_url: webUrl,
    translate_url: webUrl,
    url: url(),
    is_template: flag,
    is_source: flag,
    total: count,
    total_words: count,
    translated: count,
    translated_words: count,
    translated_percent: percentage,
    fuzzy: count,
    fuzzy_words: count,
    fuzzy_percent: percentage,
    failing_checks: count,
    failing_checks_words: count,
    failing_checks_percent: percentage,
    have_suggestion: count,
    have_comment: count,
    last_change: time.nullable(),
    last_author: text.nullable(),
    repository_url: url('repository/'),
    file_url: url('file/'),
    statistics_url: url('statistics/'),
    changes_list_url: url('changes/'),
    units_list_url: url('units/'),
  })
  .meta({ id: 'ComponentTranslation' });

export const translationSchema = componentTranslationSchema
  .extend({ component: componentSchema })
  .meta({ id: 'Translation' });

/** A new translation, also under `data`. */
export const newTranslationSchema = componentTranslationSchema.extend({ data: componentTranslationSchema });

export const uploadSchema = z
  .strictObject({ not_found: count, skipped: count, accepted: count, total: count, result: flag, count })
  .meta({ id: 'UploadResult' });

export const autotranslateSchema = z
  .strictObject({ details: text, task_url: apiUrl('tasks/b1d7c0d2-4b2e-4a7e-9a4e-2f1f0e1a2b3c/') })
  .meta({ id: 'AutotranslateResult' });
