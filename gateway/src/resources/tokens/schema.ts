import { z } from 'zod';
import { apiUrl, flag, id, text, time } from '../../responses/schema';

export const tokenSchema = z
  .strictObject({
    id,
    name: text,
    hint: text,
    read_only: flag.meta({ description: 'Writing requests are refused.' }),
    projects: z.array(apiUrl('projects/hello/')).meta({ description: 'What it is limited to; empty: no limit.' }),
    user: apiUrl('users/ann/'),
    groups: z.array(apiUrl('groups/1/')).optional(),
    created: time.nullable(),
    expires: time.nullable(),
    last_used: time.nullable(),
    url: apiUrl('users/ann/tokens/1/'),
  })
  .meta({ id: 'Token' });

/** The response to creating a token is the only one with its value. */
export const newTokenSchema = tokenSchema.extend({ token: text }).meta({ id: 'NewToken' });
