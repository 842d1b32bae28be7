import type { Query, TextField } from './ast';

/** What every unit that fits a query must hold. */
export type Required =
  /** Nothing is known: any unit may fit. */
  | { type: 'any' }
  /** One of the fields has the text, in whatever case. */
  | { type: 'text'; value: string }
  | { type: 'and'; children: readonly Required[] }
  | { type: 'or'; children: readonly Required[] };

const ANY: Required = { type: 'any' };

/**
 * What an index of some text fields can narrow a query down with. A unit that fits the query fulfils it; one that fulfils it need
 * not fit the query.
 *
 * @param fields those whose texts the index knows; terms that also look elsewhere say nothing
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
