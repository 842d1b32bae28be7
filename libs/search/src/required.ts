import type { Query, TextField } from './ast';

/** A condition that every matching unit fulfills. */
export type Required =
  /** No restriction. */
  | { type: 'any' }
  /** One of the fields contains the text, case-insensitive. */
  | { type: 'text'; value: string }
  | { type: 'and'; children: readonly Required[] }
  | { type: 'or'; children: readonly Required[] };

const ANY: Required = { type: 'any' };

/**
 * A necessary condition of a query on some text fields, for index lookups. Matching units fulfill it; the converse does not hold.
 *
 * @param fields indexed fields; terms that also search other fields impose no restriction
 */
export function requiredTexts(query: Query, fields: ReadonlySet<TextField>): Required {
  switch (query.type) {
    case 'and': {
      const children = query.children.map((child) => requiredTexts(child, fields)).filter((c) => c.type !== 'any');
      return children.length === 0 ? ANY : { type: 'and', children };
    }
    case 'or': {
      const children = query.children.map((child) => requiredTexts(child, fields));
      return children.some((child) => child.type === 'any') ? ANY : { type: 'or', children };
    }
    case 'text': {
      if (query.match.kind === 'regex' || query.match.value === '' || !query.fields.every((field) => fields.has(field)))
        return ANY;
      return { type: 'text', value: query.match.value };
    }
    default:
      return ANY;
  }
}
