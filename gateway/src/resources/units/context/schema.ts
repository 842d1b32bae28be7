import { z } from 'zod';
import { apiUrl, count, flag, text } from '../../../responses/schema';
import { spanSchema } from '../checks/schema';
import { memoryEntrySchema } from '../../memory/schema';
import { screenshotSchema } from '../../screenshots/schema';
import { changeSchema } from '../../site/schema';
import { unitSchema } from '../schema';
import { diffPart } from '../suggestions/schema';

const variantSchema = z
  .strictObject({
    unit: apiUrl('units/1/').meta({ description: 'The string of the glossary.' }),
    source: text,
    targets: z.array(text),
    forbidden: flag.meta({ description: 'The translations must not be used.' }),
    read_only: flag.meta({ description: 'The term stays untranslated.' }),
  })
  .meta({ id: 'Term' });

const termSchema = z
  .strictObject({
    ...variantSchema.shape,
    variants: z
      .array(variantSchema)
      .meta({ description: 'Terms of the same glossary that mean the same, by the flag variant.' }),
    spans: z.array(
      z.strictObject({ form: count, start: count, end: count, start_code_point: count, end_code_point: count }),
    ),
  })
  .meta({ id: 'FoundTerm' });

const highlightSchema = z
  .strictObject({
    kind: z.enum(['placeholder', 'markup', 'whitespace', 'term']),
    ...spanSchema.shape,
  })
  .meta({ id: 'Highlight' });

const machineSuggestionSchema = z
  .strictObject({
    engine: text.meta({ examples: ['libretranslate'] }),
    engine_name: text,
    quality: count.meta({ description: 'Of the engine, in percent.' }),
    target: z.array(text),
  })
  .meta({ id: 'MachineSuggestion' });

const sourceFileSchema = z
  .strictObject({
    filename: text,
    line: count.nullable(),
    url: text.nullable().meta({ description: 'Null without repoweb of the component.' }),
  })
  .meta({ id: 'SourceFile' });

export const unitContextSchema = z
  .strictObject({
    unit: apiUrl('units/1/'),
    before: z.array(unitSchema).meta({ description: 'The strings before it in the file.' }),
    after: z.array(unitSchema),
    same_source: z
      .array(unitSchema)
      .meta({ description: 'Strings of the project with the same source and context in the same language.' }),
    glossary: z.array(termSchema).meta({ description: 'Terms of the source, in any inflected form.' }),
    highlights: z
      .array(highlightSchema)
      .meta({ description: 'Parts that an editor marks: source before target, by form and place.' }),
    source_files: z.array(sourceFileSchema).meta({ description: 'Where the source code uses the string.' }),
    memory: z
      .array(memoryEntrySchema.extend({ similarity: z.number() }).meta({ id: 'MemoryMatch' }))
      .nullable()
      .meta({ description: 'Similar texts of the translation memory; null without machinery.view.' }),
    machinery: z
      .strictObject({ suggestions: z.array(machineSuggestionSchema), problems: z.array(text) })
      .meta({ id: 'MachineSuggestions' })
      .nullable()
      .meta({
        description: 'Answers of the engines of the project; null unless asked for, and without machinery.view.',
      }),
    screenshots: z.array(screenshotSchema),
    history: z
      .array(
        changeSchema
          .extend({ diff: z.array(diffPart).meta({ description: 'How old becomes target; empty without old.' }) })
          .meta({ id: 'ChangeWithDiff' }),
      )
      .meta({ description: 'The newest entries, newest first.' }),
    history_count: count,
  })
  .meta({ id: 'UnitContext' });
