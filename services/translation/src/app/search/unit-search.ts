import { actionByName, textProblem } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import {
  forEachTerm,
  joinTerms,
  parseQuery,
  type Query,
  requiredTexts,
  SearchError,
  type Required,
  type Term,
  type TextField,
} from '@parlance/search';
import { UNIT_FIELDS, type UnitQuery } from '../../domain/unit-query';
import type { Translation } from '../../domain/translation';
import { resolveTerm, type SearchDeps, type SearchScope } from './search-terms';

export interface Search {
  query: Query;
  /** The result depends on the units only, so it can be cached until they change. */
  stable: boolean;
  /** Condition on the indexed texts of matching units. */
  required: Required;
  /** Contains a regular expression, which no index supports. */
  regex: boolean;
  /** Each unit can be compared by its own fields, in bounded time. */
  ofUnitsAlone: boolean;
}

export type FoundUnits = Extract<UnitQuery, { kind: 'search' }>;

/** Fields whose texts the search index has. */
const INDEXED_FIELDS: ReadonlySet<TextField> = new Set<TextField>(['source', 'target', 'context']);
/** Units of one translation up to which a search is not heavy. */
const MAX_LIGHT_UNITS = 20_000;

/** Whether a search may read so many strings that it needs the search budget. */
export const isHeavy = (search: Search | null, translation: Translation | null): boolean =>
  search !== null && (search.regex || translation === null || translation.counters.all.s > MAX_LIGHT_UNITS);

/** Translates search queries into unit queries. Lookups resolve terms about data outside the unit first. */
export class UnitSearch {
  constructor(private readonly deps: SearchDeps) {}

  /** @returns null for an empty query @throws INVALID on field q */
  parse(q: string): Search | null {
    if (q.trim() === '') return null;
    const unfit = textProblem(q, 'q');
    if (unfit) throw fieldErrors([unfit]);
    try {
      const query = parseQuery(q, { changeAction: actionByName });
      const joined = joinTerms(query, UNIT_FIELDS);
      let regex = false;
      forEachTerm(query, (term) => {
        if ('match' in term && term.match.kind === 'regex') regex = true;
      });
      return {
        query,
        stable: joined.every(isUnitTerm),
        required: requiredTexts(query, INDEXED_FIELDS),
        regex,
        ofUnitsAlone: joined.length === 0 && !regex,
      };
    } catch (error) {
      if (error instanceof SearchError) throw fieldErrors([{ attr: 'q', code: 'invalid', detail: error.message }]);
      throw error;
    }
  }

  /** @throws INVALID on field q when a part of the query matches more units than a lookup returns */
  async query({ query }: Search, scope: SearchScope): Promise<FoundUnits> {
    const terms = [...new Set(joinTerms(query, UNIT_FIELDS))];
    const resolved = new Map<Term, UnitQuery>();
    const found = await Promise.all(terms.map((term) => resolveTerm(this.deps, term, scope)));
    terms.forEach((term, i) => resolved.set(term, found[i]!));
    return { kind: 'search', query, resolved };
  }
}

/** Whether a term outside `UNIT_FIELDS` is nevertheless resolved from the unit's own document. */
const isUnitTerm = (term: Term): boolean =>
  (term.type === 'number' && term.field === 'priority') ||
  (term.type === 'has' && (term.what === 'suggestion' || term.what === 'comment'));
