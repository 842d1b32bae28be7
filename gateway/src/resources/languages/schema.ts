import { apiUrl, count, id, text, webUrl } from '../../responses/schema';
import { z } from 'zod';

export const languageSchema = z
  .strictObject({
    id,
    code: text,
    name: text,
    plural: z.strictObject({ id, source: id, number: count, formula: text, type: id }).nullable(),
    aliases: z.array(text),
    direction: text,
    population: count,
    web_url: webUrl,
    url: apiUrl('languages/cs/'),
    statistics_url: apiUrl('languages/cs/statistics/'),
  })
  .meta({ id: 'Language' });
