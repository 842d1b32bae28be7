import { z } from 'zod';
import { apiUrl, id, text } from '../../responses/schema';

export const roleSchema = z
  .strictObject({ id, name: text, permissions: z.array(text), url: apiUrl('roles/1/') })
  .meta({ id: 'Role' });
