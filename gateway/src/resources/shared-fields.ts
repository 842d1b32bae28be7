import { field } from '@parlance/contracts';
import { operations } from './components/repository';
import { z } from 'zod';

/** Fields and query parameters shared by several resources. */

export const lockFields = z.object({
  lock: field.boolean('Whether edits are rejected.'),
});

export const agreementFields = z.object({
  agreed: field.boolean('true: the caller accepts the agreement.'),
});

export const operationFields = z.object({
  operation: field.choice('Operation on the repository.', Object.keys(operations)),
});

export const languageFields = z.object({
  language_code: field.line('Code of the language to add.'),
});

const STATES = [0, 10, 20, 30];

export const unitFields = z.object({
  target: field.list('Texts, one for each plural form; a single text is accepted without a list.').optional(),
  state: field.integerChoice('0 untranslated, 10 needs editing, 20 translated, 30 approved.', STATES).optional(),
  explanation: field.text('Explanation for translators; source strings only.', { maxLength: 10_000 }).optional(),
  extra_flags: field.line('Flags; source strings only.', { maxLength: 10_000 }).optional(),
  labels: field.integers('Ids of labels; source strings only.').optional(),
});

export const commentFields = z.object({
  comment: field.text('The remark.', { filled: true, maxLength: 1000 }),
  scope: field.choice('translation: on this string; global or report: on its source string.', [
    'translation',
    'global',
    'report',
  ]),
  user_email: field
    .line('Mail address of the author; requires project.edit. Unknown addresses mean the caller.', {
      shape: 'email',
      access: 'write-only',
    })
    .optional(),
  timestamp: field
    .line('Creation time in ISO 8601; requires project.edit. Default: now.', { shape: 'date-time' })
    .optional(),
});

export const newUnitFields = z.object({
  key: field.text('Key, in a monolingual component.', { maxLength: 10_000 }).nullable().optional(),
  value: field.list('Texts, in a monolingual component.').optional(),
  context: field.text('Context, in a bilingual component.', { maxLength: 10_000 }).optional(),
  source: field.list('Source texts, in a bilingual component.').optional(),
  target: field.list('Translated texts, in a bilingual component.').optional(),
  state: field.integerChoice('0 untranslated, 10 needs editing, 20 translated, 30 approved.', STATES).optional(),
});

export const uploadFields = z.object({
  method: field
    .choice('How strings of the file are imported.', [
      'translate',
      'approve',
      'suggest',
      'fuzzy',
      'replace',
      'source',
      'add',
    ])
    .default('translate'),
  conflicts: field
    .choice('How strings that are already translated are handled.', [
      '',
      'ignore',
      'replace-translated',
      'replace-approved',
    ])
    .default(''),
  fuzzy: field.choice('How strings that need editing in the file are handled.', ['', 'process', 'approve']).default(''),
  author: field.line('Name of the author; author_name is accepted, too.', { maxLength: 200 }).optional(),
  email: field
    .line('Mail address of the author; author_email is accepted, too.', { maxLength: 190, shape: 'email' })
    .optional(),
});

export const searchFields = z.object({
  q: field.line('Search query.', { shape: 'query' }).default(''),
});

export const downloadFields = z.object({
  format: field.line('Converter; default: the stored file.', { filled: true }).optional(),
  q: field.line('Only strings that match this query; requires format.', { shape: 'query' }).default(''),
});

export const changeFields = z.object({
  user: field.line('Name of the user who made the changes.').optional(),
  action: field.integers('Numbers of actions; can be repeated.').optional(),
  timestamp_after: field.line('ISO 8601 time, inclusive.').optional(),
  timestamp_before: field.line('ISO 8601 time, inclusive.').optional(),
});
