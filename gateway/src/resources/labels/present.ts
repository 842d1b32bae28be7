import type { catalog } from '@parlance/contracts';
import type { labelSchema } from './schema';
import type { z } from 'zod';

export function presentLabel(label: catalog.Label__Output): z.infer<typeof labelSchema> {
  return { id: label.id, name: label.name, description: label.description, color: label.color };
}
