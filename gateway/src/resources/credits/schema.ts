import { z } from 'zod';
import { count, text } from '../../responses/schema';

/** The people who worked on each language, by its name. */
export const creditsSchema = z.array(
  z.record(z.string(), z.array(z.strictObject({ email: text, full_name: text, change_count: count }))),
);
