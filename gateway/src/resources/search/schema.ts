import { z } from 'zod';
import { text } from '../../responses/schema';

export const searchSchema = z.array(
  z.strictObject({
    url: text.meta({ examples: ['/projects/app/'] }),
    name: text,
    category: z.enum(['Project', 'Category', 'Component', 'User', 'Language']),
  }),
);
