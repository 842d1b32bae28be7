import type { media } from '@parlance/contracts';
import type { z } from 'zod';
import { timestamp, type Links } from '../../responses/links';
import type { fontSchema } from './schema';

export function presentFont(font: media.Font__Output, project: string, links: Links): z.infer<typeof fontSchema> {
  const { id, family, style, weight, italic, characters, filename, size, createdMs } = font;
  const url = links.font(project, id);
  return {
    id,
    family,
    style,
    weight,
    italic,
    characters,
    filename,
    size,
    timestamp: timestamp(createdMs)!,
    file_url: `${url}file/`,
    url,
  };
}
