import { parseQuery, type Term } from '@parlance/search';
import type { UnitQuery } from '../../domain/unit-query';
import { siteConditions } from './site-conditions';

/** Conditions of a search; `resolved` gives the units of its term about other data. */
function conditionsOf(q: string, ...resolved: UnitQuery[]) {
  const query = parseQuery(q);
  const parts = query.type === 'and' ? query.children : [query];
  const terms = parts.filter((part) => ['component', 'path', 'number'].includes(part.type) || isProject(part as Term));
  return siteConditions({
    kind: 'search',
    query,
    resolved: new Map(terms.map((term, i) => [term as Term, resolved[i]!])),
  });
}

const isProject = (term: Term): boolean => term.type === 'exact' && term.field === 'project';

describe('siteConditions', () => {
  it('every unit is counted without a search', () => {
    expect(siteConditions(null)).toEqual({ translations: [], count: { all: 1 } });
  });

  it.each([
    ['is:untranslated', { all: 1, translated: -1, fuzzy: 0 }],
    ['state:>=translated', { translated: 1, approved: 0, readonly: 0 }],
    ['state:empty', { all: 1, translated: -1, fuzzy: -1 }],
    ['state:=needs-editing', { fuzzy: 1 }],
    ['state:approved', { approved: 1 }],
    ['state:read-only', { readonly: 1 }],
    ['has:translation', { translated: 1 }],
    ['has:check', { failing: 1 }],
    ['has:suggestion', { suggestions: 1 }],
    ['has:comment', { comments: 1 }],
    ['NOT has:comment', { all: 1, comments: -1 }],
    ['NOT (NOT has:comment)', { all: 0, comments: 1 }],
  ])('%s is counted by %j', (q, count) => {
    expect(conditionsOf(q)).toEqual({ translations: [], count });
  });

  it.each([
    'file',
    'source_state:translated',
    'has:plural',
    'has:check has:comment',
    'has:check OR has:comment',
    'has:check file',
    'NOT file',
    'NOT language:cs',
  ])('%s is not counted', (q) => {
    expect(conditionsOf(q)).toEqual({ translations: [], count: null });
  });

  it('terms about the translation are conditions on it', () => {
    const projects: UnitQuery = { kind: 'projects', ids: [3] };
    const path: UnitQuery = {
      kind: 'and',
      all: [
        { kind: 'components', ids: [5] },
        { kind: 'language', code: 'de' },
      ],
    };
    const few: UnitQuery = { kind: 'translations', ids: [7, 8] };
    expect(conditionsOf('language:cs project:a path:a/b/de component:c has:check', projects, path, few)).toEqual({
      translations: [
        { language: 'cs' },
        { projects: [3] },
        { components: [5] },
        { language: 'de' },
        { translations: [7, 8] },
      ],
      count: { failing: 1 },
    });
    expect(conditionsOf('language:cs file')).toEqual({ translations: [{ language: 'cs' }], count: null });
  });

  it('a term that selects nothing selects no translation', () => {
    const nothing: UnitQuery = { kind: 'or', any: [] };
    expect(conditionsOf('project:a', nothing)).toEqual({ translations: [{ translations: [] }], count: { all: 1 } });
  });

  it('an empty language selects no translation', () => {
    expect(conditionsOf('language:""')).toEqual({ translations: [{ translations: [] }], count: { all: 1 } });
  });

  it('other units of resolved terms are not counted', () => {
    const some: UnitQuery[] = [
      { kind: 'components', ids: [5], exclude: true },
      { kind: 'projects', ids: [5], exclude: true },
      { kind: 'ids', ids: [1] },
      { kind: 'or', any: [{ kind: 'language', code: 'cs' }] },
      {
        kind: 'and',
        all: [
          { kind: 'language', code: 'cs' },
          { kind: 'ids', ids: [1] },
        ],
      },
    ];
    for (const units of some) expect(conditionsOf('project:a', units)).toEqual({ translations: [], count: null });
  });
});
