import { actionByName, textProblem } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import {
  forEachTerm,
  joinTerms,
  parseQuery,
  type Query,
  requiredTexts,
  SearchError,
  type Term,
} from '@parlance/search';
import { TextRequirement } from '../../domain/text-signature';
import { UNIT_FIELDS, type UnitQuery } from '../../domain/unit-query';
import type { Translation } from '../../domain/translation';
import { resolveTerm, type SearchDeps, type SearchScope } from './search-terms';
import { SIGNED_FIELDS } from './text-index';

/** A parsed query. */
export interface Search {
  query: Query;
  /** What it finds depends on nothing but the units themselves, so an answer holds as long as they do not change. */
  stable: boolean;
  /** What it asks of texts; null: nothing that signatures could rule out units by. */
  texts: TextRequirement | null;
  /** It has a regular expression, which no index answers. */
  regex: boolean;
}

/** Units of one translation that a search may read without counting as heavy. */
const LIGHT_UNITS = 20_000;

/** Whether a search may read so many strings that it needs a place in the budget. */
export const isHeavy = (search: Search | null, translation: Translation | null): boolean =>
  search !== null && (search.regex || translation === null || translation.counters.all.s > LIGHT_UNITS);

/** Finds out what a query means for stored units: terms about other things are looked up first. */
export class UnitSearch {
  constructor(private readonly deps: SearchDeps) {}

  /** @returns null for an empty query @throws INVALID on field q */
  parse(q: string): Search | null {
    if (q.trim() === '') return null;
    const unfit = textProblem(q, 'q');
    if (unfit) throw fieldErrors([unfit]);
    try {
      const query = parseQuery(q, { changeAction: actionByName });
      const stable = joinTerms(query, UNIT_FIELDS).every(isOwn);
      let regex = false;
      forEachTerm(query, (term) => {
        if ('match' in term && term.match.kind === 'regex') regex = true;
      });
      return { query, stable, texts: TextRequirement.of(requiredTexts(query, SIGNED_FIELDS)), regex };
    } catch (error) {
      if (error instanceof SearchError) throw fieldErrors([{ attr: 'q', code: 'invalid', detail: error.message }]);
      throw error;
    }
  }

  /** @throws INVALID on field q when a part of the query matches more units than a lookup returns */
  async query({ query }: Search, scope: SearchScope): Promise<UnitQuery> {
    const terms = [...new Set(joinTerms(query, UNIT_FIELDS))];
    const resolved = new Map<Term, UnitQuery>();
    const found = await Promise.all(terms.map((term) => resolveTerm(this.deps, term, scope)));
    terms.forEach((term, i) => resolved.set(term, found[i]!));
    return { kind: 'search', query, resolved };
  }
}

/** Whether a term is about the unit's own document after all, whenever it is asked. */
const isOwn = (term: Term): boolean =>
  (term.type === 'number' && term.field === 'priority') ||
  (term.type === 'has' && (term.what === 'suggestion' || term.what === 'comment'));
