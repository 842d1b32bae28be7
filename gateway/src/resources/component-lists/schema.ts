import { z } from 'zod';
import { apiUrl, flag, id, text } from '../../responses/schema';

export const componentListSchema = z
  .strictObject({
    name: text,
    slug: text,
    id,
    show_dashboard: flag,
    components: z.array(apiUrl('components/app/web/')),
    auto_assign: z.array(z.strictObject({ project_match: text, component_match: text })),
    url: apiUrl('component-lists/app/'),
  })
  .meta({ id: 'ComponentList' });
