import { z } from 'zod';
import { apiUrl, flag, id, text } from '../../responses/schema';

export const groupSchema = z
  .strictObject({
    id,
    name: text,
    defining_project: apiUrl('projects/app/').nullable(),
    project_selection: id,
    language_selection: id,
    url: apiUrl('groups/1/'),
    roles: z.array(apiUrl('roles/1/')),
    languages: z.array(apiUrl('languages/cs/')),
    projects: z.array(apiUrl('projects/app/')),
    componentlists: z.array(apiUrl('component-lists/app/')),
    components: z.array(apiUrl('components/app/web/')),
    enforced_2fa: flag,
  })
  .meta({ id: 'Group' });
