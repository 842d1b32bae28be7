import { z } from 'zod';
import { anyObject, apiUrl, id, text } from '../../responses/schema';

export const addonSchema = z
  .strictObject({
    component: apiUrl('components/app/web/').nullable(),
    project: apiUrl('projects/app/').nullable(),
    name: text,
    id,
    configuration: anyObject,
    url: apiUrl('addons/1/'),
  })
  .meta({ id: 'Addon' });
