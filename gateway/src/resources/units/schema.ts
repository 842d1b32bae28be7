import { z } from 'zod';
import { apiUrl, count, flag, id, text, time, webUrl } from '../../responses/schema';
import { labelSchema } from '../labels/schema';

const url = apiUrl('units/1/');

export const unitSchema = z
  .strictObject({
    translation: apiUrl('translations/app/web/cs/'),
    language_code: text,
    source: z.array(text),
    previous_source: text,
    target: z.array(text),
    /** 64 bits: a string, because JSON numbers lose precision. */
    id_hash: text,
    content_hash: text,
    location: text,
    context: text,
    note: text,
    flags: text,
    labels: z.array(labelSchema),
    state: id.meta({ description: '0 untranslated, 10 needs editing, 20 translated, 30 approved, 100 read-only.' }),
    fuzzy: flag,
    translated: flag,
    approved: flag,
    position: count,
    has_suggestion: flag,
    has_comment: flag,
    has_failing_check: flag,
    num_words: count,
    source_unit: url,
    priority: count,
    id,
    web_url: webUrl,
    url,
    explanation: text,
    extra_flags: text,
    pending: flag,
    timestamp: time.nullable(),
    last_updated: time.nullable(),
  })
  .meta({ id: 'Unit' });

/** The writable fields after a change. */
export const changedUnitSchema = z
  .strictObject({ target: z.array(text), state: id, explanation: text, extra_flags: text, labels: z.array(id) })
  .meta({ id: 'ChangedUnit' });

export const commentSchema = z
  .strictObject({ comment: text, timestamp: time.nullable(), id, user: apiUrl('users/ann/') })
  .meta({ id: 'Comment' });
