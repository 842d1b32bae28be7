import { z } from 'zod';
import { apiUrl, count, text } from '../../responses/schema';

export const hookSchema = z
  .strictObject({
    message: text,
    status: z.enum(['success', 'failure']),
    match_status: z
      .strictObject({ repository_matches: count, branch_matches: count, enabled_hook_matches: count })
      .nullable(),
    updated_components: z.array(apiUrl('components/app/web/')).nullable(),
  })
  .meta({ id: 'HookResult' });

export const updateSchema = z
  .strictObject({ status: z.literal('success'), message: text })
  .meta({ id: 'UpdateResult' });
