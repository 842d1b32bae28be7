import { z } from 'zod';
import { id, text } from '../../responses/schema';

export const labelSchema = z.strictObject({ id, name: text, description: text, color: text }).meta({ id: 'Label' });

export type Label = z.infer<typeof labelSchema>;
