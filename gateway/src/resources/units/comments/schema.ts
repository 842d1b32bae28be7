import { z } from 'zod';
import { apiUrl, flag, id, text, time } from '../../../responses/schema';

export const commentOnUnitSchema = z
  .strictObject({
    id,
    unit: apiUrl('units/1/').meta({ description: 'The string that it is on: a translation, or the source string.' }),
    comment: text,
    scope: z.enum(['translation', 'global', 'report']),
    user: apiUrl('users/ann/').nullable(),
    timestamp: time.nullable(),
    resolved: flag.meta({ description: 'Resolved comments do not count.' }),
    url: apiUrl('units/1/comments/2/'),
  })
  .meta({ id: 'CommentOnUnit' });
