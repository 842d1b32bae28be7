import { z } from 'zod';
import { apiUrl, count, flag, text } from '../../../responses/schema';
import { severity } from '../../checks/schema';

export const spanSchema = z
  .strictObject({
    side: z.enum(['source', 'target']),
    form: count.meta({ description: 'Index of the plural form.' }),
    start: count.meta({ description: 'First UTF-16 code unit.' }),
    end: count.meta({ description: 'UTF-16 code unit after the last one.' }),
    start_code_point: count,
    end_code_point: count,
  })
  .meta({ id: 'CheckSpan' });

export const unitCheckSchema = z
  .strictObject({
    id: text.meta({ examples: ['end_stop'] }),
    name: text,
    description: text,
    severity,
    doc_url: apiUrl('checks/end_stop/'),
    dismissed: flag.meta({ description: 'Dismissed checks do not count as failing.' }),
    scope: z
      .enum(['string', 'source'])
      .nullable()
      .meta({ description: 'What the dismissal covers: this string, or all translations of its source string.' }),
    spans: z.array(spanSchema).meta({ description: 'Where it fails; empty: the check looks at the text as a whole.' }),
    has_fix: flag.meta({
      description: 'The automatic corrections of a save repair this check and break no other one.',
    }),
    fix: z.array(text).nullable().meta({ description: 'The target after these corrections.' }),
  })
  .meta({ id: 'UnitCheck' });
