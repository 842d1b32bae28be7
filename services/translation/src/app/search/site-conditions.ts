import { evaluate, type Query, type Term } from '@parlance/search';
import type { GroupSum, TranslationFilter } from '../../domain/ports';
import type { UnitQuery } from '../../domain/unit-query';
import type { FoundUnits } from './unit-search';

/** What the counters of translations know about a search. */
export interface SiteConditions {
  /** Conditions on the translations of matching units; all apply. */
  translations: TranslationFilter[];
  /** The number of matching units in these translations; null: the counters do not tell it. */
  count: GroupSum | null;
}

/** Every unit has one of these states. */
const stateSums: readonly (readonly [number, GroupSum])[] = [
  [0, { all: 1, translated: -1, fuzzy: -1 }],
  [10, { fuzzy: 1 }],
  [20, { translated: 1, approved: -1, readonly: -1 }],
  [30, { approved: 1 }],
  [100, { readonly: 1 }],
];

function add(one: GroupSum, other: GroupSum, times = 1): GroupSum {
  const sum = { ...one };
  for (const [group, count] of Object.entries(other) as [keyof GroupSum, number][])
    sum[group] = (sum[group] ?? 0) + times * count;
  return sum;
}

function sumOfStates(term: Term): GroupSum {
  const matching = stateSums.filter(([state]) => evaluate(term, { source: [], target: [], state }));
  return matching.reduce<GroupSum>((sum, [, one]) => add(sum, one), {});
}

/** The number of units that meet a condition, by the counters of their translations. */
function sumOf(query: Query): GroupSum | null {
  switch (query.type) {
    case 'not': {
      const sum = sumOf(query.child);
      return sum && add({ all: 1 }, sum, -1);
    }
    case 'state':
      return query.field === 'state' ? sumOfStates(query) : null;
    case 'has':
      if (query.what === 'translation') return { translated: 1 };
      if (query.what === 'check') return { failing: 1 };
      if (query.what === 'suggestion') return { suggestions: 1 };
      return query.what === 'comment' ? { comments: 1 } : null;
    default:
      return null;
  }
}

/** A filter ignores an empty code, which no translation has. */
const ofLanguage = (code: string): TranslationFilter[] => [code === '' ? { translations: [] } : { language: code }];

/** The translations whose units a query selects, if it depends on nothing else. */
function translationsOf(query: UnitQuery): TranslationFilter[] | null {
  switch (query.kind) {
    case 'and': {
      const parts = query.all.map(translationsOf);
      return parts.includes(null) ? null : parts.flatMap((part) => part!);
    }
    case 'or':
      return query.any.length === 0 ? [{ translations: [] }] : null;
    case 'translations':
      return [{ translations: query.ids }];
    case 'components':
      return query.exclude || query.ids.length === 0 ? null : [{ components: query.ids }];
    case 'projects':
      return query.exclude || query.ids.length === 0 ? null : [{ projects: query.ids }];
    case 'language':
      return ofLanguage(query.code);
    default:
      return null;
  }
}

function translationsOfTerm(query: Query, resolved: ReadonlyMap<Query, UnitQuery>): TranslationFilter[] | null {
  if (query.type === 'exact' && query.field === 'language') return ofLanguage(query.value);
  const units = resolved.get(query);
  return units ? translationsOf(units) : null;
}

const partsOf = (query: Query): readonly Query[] =>
  query.type === 'and' ? query.children.flatMap(partsOf) : query.type === 'all' ? [] : [query];

/** @param found the units that the search finds; null: all */
export function siteConditions(found: FoundUnits | null): SiteConditions {
  const translations: TranslationFilter[] = [];
  const counts: (GroupSum | null)[] = [];
  for (const part of found ? partsOf(found.query) : []) {
    const filters = translationsOfTerm(part, found!.resolved as ReadonlyMap<Query, UnitQuery>);
    if (filters) translations.push(...filters);
    else counts.push(sumOf(part));
  }
  return { translations, count: counts.length === 0 ? { all: 1 } : counts.length === 1 ? counts[0]! : null };
}
