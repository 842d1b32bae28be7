import { field } from '@parlance/contracts';
import { z } from 'zod';

/** Describes a value with the example that the API's description shows. */
const like = <S extends z.ZodType>(schema: S, example: unknown): S => schema.meta({ examples: [example] });

export const id = z.int();
export const count = z.int();
export const text = z.string();
export const flag = z.boolean();
export const percentage = like(z.number(), 33.3);

/** URL of the API, such as `projects/app/`. */
export const apiUrl = (path: string) => like(z.string(), `https://parlance.example/api/${path}`);

/** URL of a page for browsers. */
export const webUrl = like(z.string(), 'https://parlance.example/projects/app/');

/** ISO 8601 in UTC with microseconds. */
export const time = like(z.iso.datetime(), '2026-01-02T03:04:05.006000Z');

/** JSON that depends on the kind of the object, such as the configuration of an add-on. */
export const anyObject = z.record(z.string(), z.unknown());

const makePage = <S extends z.ZodType>(item: S) =>
  z.strictObject({ count, next: z.string().nullable(), previous: z.string().nullable(), results: z.array(item) });

const pageSchemas = new WeakMap<z.ZodType, z.ZodType>();

/** A page of a list; one schema for each kind of item. */
export function pageSchema<S extends z.ZodType>(item: S): ReturnType<typeof makePage<S>> {
  let page = pageSchemas.get(item);
  if (!page) pageSchemas.set(item, (page = makePage(item)));
  return page as ReturnType<typeof makePage<S>>;
}

/** Whether a response is a page of a list, for some clients at least. */
export function isPageSchema(schema: z.ZodType | undefined): boolean {
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).some(isPageSchema);
  return schema instanceof z.ZodObject && 'results' in schema.shape && 'next' in schema.shape;
}

/** Query parameters of every list. */
export const pagingFields = z.object({
  page: field.line('Number of the page, or last.').optional(),
  page_size: field.integer('Items per page; larger numbers mean the maximum.', { min: 1 }).optional(),
});

/** The body of every response that is not a success. */
export const errorSchema = z
  .strictObject({
    detail: like(z.string(), 'Not found.'),
    type: z.enum(['validation_error', 'client_error', 'server_error']),
    errors: z.array(
      z.strictObject({
        code: like(z.string(), 'not_found'),
        detail: like(z.string(), 'Not found.'),
        attr: like(z.string().nullable(), null),
      }),
    ),
  })
  .meta({ id: 'Error' });
