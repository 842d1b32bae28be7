import { z } from 'zod';
import { apiUrl, text } from '../../responses/schema';

export const severity = z.enum(['error', 'warning', 'info']);

export const checkSchema = z
  .strictObject({
    id: text.meta({ examples: ['end_stop'] }),
    name: text,
    description: text,
    applies: z.enum(['source', 'target']).meta({ description: 'Kind of strings: source strings or translations.' }),
    severity,
    flag: text.nullable().meta({ description: 'Flag that enables the check; null: enabled by default.' }),
    ignore_flag: text.meta({ description: 'Flag that disables the check for a string.' }),
    url: apiUrl('checks/end_stop/'),
  })
  .meta({ id: 'Check' });
