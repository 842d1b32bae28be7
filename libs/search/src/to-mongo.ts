import {
  type Comparison,
  type DateField,
  type ExactField,
  forEachTerm,
  type HasName,
  type NumberField,
  type Query,
  type StateField,
  type Term,
  type TextField,
  type TextMatch,
} from './ast';
import { escapeLiteral } from '@parlance/patterns';

/** A filter document of the Mongo query language. */
export type MongoFilter = Record<string, unknown>;

/**
 * Maps query fields to paths in unit documents: `component` is one path or several, `has:X` a boolean path. Terms of missing fields go
 * to {@link ResolveTerm}.
 *
 * `label` and the paths of language, project and component must contain the values that users write in queries. If documents store ids instead, omit the field and resolve it. `labels_count` is the path of the array that is counted.
 */
export type UnitFieldMap = Partial<
  Record<
    | TextField
    | NumberField
    | StateField
    | DateField
    | ExactField
    | 'flags'
    | 'extra_flags'
    | 'labels'
    | 'pending'
    | `has:${HasName}`,
    string
  >
> & { component?: readonly string[] };

/** Returns the filter on unit documents for a term on other data, e.g. `{ _id: { $in: [...] } }`. */
export type ResolveTerm = (term: Term) => MongoFilter;

export interface ToMongoOptions {
  /** Required if {@link joinTerms} returns terms. */
  resolve?: ResolveTerm;
}

/** A term has no path and no resolver: a defect of the caller, not of the query. */
export class UnmappedTermError extends Error {
  override readonly name = 'UnmappedTermError';
  constructor(readonly term: Term) {
    super(`no field and no resolver for the search term ${JSON.stringify(term)}`);
  }
}

/** Matches nothing on all engines. */
export const NOTHING: MongoFilter = { _id: { $in: [] } };

const operators: Record<Comparison, string> = { '=': '$eq', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };

function textCondition(match: TextMatch): MongoFilter {
  switch (match.kind) {
    case 'contains':
      return { $regex: escapeLiteral(match.value), $options: 'i' };
    case 'exact':
      // Documents omit empty texts; null also matches a missing field.
      return { $in: match.value === '' ? ['', null] : [match.value] };
    case 'regex':
      return { $regex: match.value };
  }
}

const anyOf = (filters: MongoFilter[]): MongoFilter => (filters.length === 1 ? filters[0]! : { $or: filters });
const allOf = (filters: MongoFilter[]): MongoFilter => (filters.length === 1 ? filters[0]! : { $and: filters });

const notEmptyText = (path: string): MongoFilter => ({ [path]: { $exists: true, $nin: ['', null] } });
const notEmptyArray = (path: string): MongoFilter => ({ [`${path}.0`]: { $exists: true } });

function hasFilter(what: HasName, map: UnitFieldMap): MongoFilter | undefined {
  const flag = map[`has:${what}`];
  if (flag !== undefined) return { [flag]: true };
  const given = (path: string | undefined, make: (path: string) => MongoFilter): MongoFilter | undefined =>
    path === undefined ? undefined : make(path);
  switch (what) {
    case 'plural':
      return given(map.source, (path) => ({ [`${path}.1`]: { $exists: true } }));
    case 'translation':
      return given(map.state, (path) => ({ [path]: { $gte: 20 } }));
    case 'explanation':
    case 'location':
    case 'note':
    case 'context':
      return given(map[what], notEmptyText);
    case 'flags': {
      const filters = [map.flags, map.extra_flags].filter((path) => path !== undefined).map(notEmptyText);
      return filters.length === 0 ? undefined : anyOf(filters);
    }
    case 'check':
      return given(map.check, notEmptyArray);
    case 'dismissed-check':
      return given(map.dismissed_check, notEmptyArray);
    case 'label':
      return given(map.labels, notEmptyArray);
    default:
      return undefined;
  }
}

function countFilter(path: string, term: Extract<Term, { type: 'number' }>): MongoFilter {
  // An index exists if the array is longer, which avoids an expression per document.
  const atLeast = (count: number): MongoFilter => (count <= 0 ? {} : { [`${path}.${count - 1}`]: { $exists: true } });
  const atMost = (count: number): MongoFilter => (count < 0 ? NOTHING : { [`${path}.${count}`]: { $exists: false } });
  if (term.values) return anyOf(term.values.map((count) => allOf([atLeast(count), atMost(count)])));
  return allOf([atLeast(term.min ?? 0), ...(term.max === undefined ? [] : [atMost(term.max)])]);
}

/** The filter of a term; undefined if it needs other data. */
function termFilter(term: Term, map: UnitFieldMap): MongoFilter | undefined {
  switch (term.type) {
    case 'text': {
      const paths = term.fields.map((field) => map[field]);
      if (paths.some((path) => path === undefined)) return undefined;
      // Every text contains the empty text, even if the document omits it.
      if (term.match.kind === 'contains' && term.match.value === '') return {};
      return anyOf(paths.map((path) => ({ [path!]: textCondition(term.match) })));
    }
    case 'number': {
      const path = map[term.field];
      if (path === undefined) return undefined;
      if (term.field === 'labels_count') return countFilter(path, term);
      if (term.values) return { [path]: term.values.length === 1 ? term.values[0] : { $in: term.values } };
      const range: MongoFilter = {};
      if (term.min !== undefined) range['$gte'] = term.min;
      if (term.max !== undefined) range['$lte'] = term.max;
      return { [path]: range };
    }
    case 'state': {
      const path = map[term.field];
      return path === undefined ? undefined : { [path]: { [operators[term.op]]: term.value } };
    }
    case 'pending':
      return map.pending === undefined ? undefined : { [map.pending]: term.value ? true : { $ne: true } };
    case 'date': {
      const path = map[term.field];
      if (path === undefined) return undefined;
      const range: MongoFilter = {};
      if (term.from !== undefined) range['$gte'] = new Date(term.from);
      if (term.before !== undefined) range['$lt'] = new Date(term.before);
      return { [path]: range };
    }
    case 'exact': {
      const path = map[term.field];
      return path === undefined ? undefined : { [path]: term.value };
    }
    case 'component':
      return map.component && anyOf(map.component.map((path) => ({ [path]: textCondition(term.match) })));
    case 'has':
      return hasFilter(term.what, map);
    case 'change_action':
    case 'path':
      return undefined;
  }
}

/**
 * The terms of the query that need data outside the mapped documents. Look
 * it up first, then call {@link toMongo} with a `resolve` that returns filters for these terms.
 */
export function joinTerms(query: Query, map: UnitFieldMap): Term[] {
  const terms: Term[] = [];
  forEachTerm(query, (term) => {
    if (termFilter(term, map) === undefined) terms.push(term);
  });
  return terms;
}

/**
 * The query as a Mongo filter on unit documents; `{}` finds everything.
 *
 * @throws {UnmappedTermError}
 */
export function toMongo(query: Query, map: UnitFieldMap, options: ToMongoOptions = {}): MongoFilter {
  switch (query.type) {
    case 'all':
      return {};
    case 'and':
      return { $and: query.children.map((child) => toMongo(child, map, options)) };
    case 'or':
      return { $or: query.children.map((child) => toMongo(child, map, options)) };
    case 'not':
      return { $nor: [toMongo(query.child, map, options)] };
    default: {
      const filter = termFilter(query, map) ?? options.resolve?.(query);
      if (!filter) throw new UnmappedTermError(query);
      return filter;
    }
  }
}
