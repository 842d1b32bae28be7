import { z } from 'zod';
import { count, flag, id, pageSchema, text } from '../../responses/schema';

export const memoryEntrySchema = z
  .strictObject({
    id,
    source: text,
    target: text,
    source_language: id,
    target_language: id,
    origin: text,
    project: id.nullable(),
    from_file: flag,
    shared: flag,
  })
  .meta({ id: 'MemoryEntry' });

/** Searches by source text add the similarity in percent. */
export const memoryListSchema = pageSchema(memoryEntrySchema.extend({ similarity: z.number().optional() }));

export const memoryImportSchema = z
  .strictObject({ accepted: count, known: count, skipped: count, total: count })
  .meta({ id: 'MemoryImport' });

/** A translation memory as a JSON file. */
export const exportedMemorySchema = z.array(z.looseObject({ source: text, target: text }));
