import type { Query, TextField } from './ast';
import { literalsOf } from './regex-literals';

/** A condition that every matching unit fulfills. */
export type Required =
  /** No restriction. */
  | { type: 'any' }
  /** One of the fields contains the text, case-insensitive. `exact`: units that fulfill the condition match, too. */
  | { type: 'text'; value: string; exact: boolean }
  | { type: 'and'; children: readonly Required[] }
  | { type: 'or'; children: readonly Required[] };

const ANY: Required = { type: 'any' };

/**
 * A necessary condition of a query on some text fields, for index lookups. Matching units fulfill it. The converse holds if all its
 * texts are exact and it contains no `any`.
 *
 * @param fields indexed fields; terms that also search other fields impose no restriction
 */
export function requiredTexts(query: Query, fields: ReadonlySet<TextField>): Required {
  switch (query.type) {
    case 'and': {
      const children = query.children.map((child) => requiredTexts(child, fields));
      return children.every((child) => child.type === 'any') ? ANY : { type: 'and', children };
    }
    case 'or': {
      const children = query.children.map((child) => requiredTexts(child, fields));
      return children.some((child) => child.type === 'any') ? ANY : { type: 'or', children };
    }
    case 'text': {
      const { match } = query;
      if (match.value === '' || !query.fields.every((field) => fields.has(field))) return ANY;
      if (match.kind === 'regex') {
        const children = literalsOf(match.value).map((value): Required => ({ type: 'text', value, exact: false }));
        return children.length === 0 ? ANY : { type: 'and', children };
      }
      const exact = match.kind === 'contains' && query.fields.length === fields.size;
      return { type: 'text', value: match.value, exact };
    }
    default:
      return ANY;
  }
}
