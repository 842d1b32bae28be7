import { z } from 'zod';
import { anyObject, apiUrl, id, text } from '../../responses/schema';

const url = (path = '') => apiUrl(`categories/1/${path}`);

export const categorySchema = z
  .strictObject({
    id,
    name: text,
    slug: text,
    project: apiUrl('projects/app/'),
    category: url().nullable(),
    configuration: anyObject,
    url: url(),
    statistics_url: url('statistics/'),
  })
  .meta({ id: 'Category' });
