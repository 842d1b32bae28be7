import { z } from 'zod';
import { count, text } from '../../responses/schema';

/** Contributors by language name. */
export const creditsSchema = z.array(
  z.record(z.string(), z.array(z.strictObject({ email: text, full_name: text, change_count: count }))),
);
