import { z } from 'zod';
import { apiUrl, count, flag, id, text, time } from '../../responses/schema';

const url = (path = '') => apiUrl(`projects/app/fonts/1/${path}`);

export const fontSchema = z
  .strictObject({
    id,
    family: text,
    style: text,
    weight: count,
    italic: flag,
    characters: count,
    filename: text,
    size: count,
    timestamp: time,
    file_url: url('file/'),
    url: url(),
  })
  .meta({ id: 'Font' });
