import { UnitCache } from '../../src/app/caches/unit-cache';
import { CachedSearch } from '../../src/app/search/cached-search';
import { SearchBudget } from '../../src/app/search/search-budget';
import { SearchIndex } from '../../src/app/search/search-index';
import { UnitLister } from '../../src/app/search/list-units';
import { UnitSearch } from '../../src/app/search/unit-search';
import type { Language } from '../../src/domain/component';
import { everyUnit, type UnitQuery } from '../../src/domain/unit-query';
import { searchDeps } from '../support/memory/indexes/search-lookups';
import { StringsWorld } from '../support/memory/world';
import { silent } from '../support/process';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';
import { MongoSearchIndexStore } from '../../src/store/indexes/search-index-store';

const database = useDatabase();
const STATES = [0, 10, 20, 30, 100];
const CZECH: Language = { id: 1, code: 'cs', name: 'Czech', direction: 'ltr', pluralNumber: 3, pluralFormula: '0' };

/** Six translations in two projects and two languages, with units of every state, checks, suggestions and comments. */
async function fill() {
  const stores = database.stores(silent);
  for (const id of [1, 2, 3, 4, 5, 6]) {
    const language = id % 2 === 0 ? CZECH : { ...CZECH, code: 'de', name: 'German' };
    const translation = sampleTranslation(id, { project: id <= 3 ? 1 : 2, component: Math.ceil(id / 2), language });
    const units = Array.from({ length: 60 }, (_, i) =>
      sampleUnit(translation, id * 1_000 + i, {
        state: STATES[(i * id) % STATES.length]!,
        checks: i % 7 === 0 ? ['same'] : [],
        suggestions: id === 4 && i === 5 ? 1 : 0,
        comments: i % 11 === id ? 2 : 0,
        language: language.code,
      }),
    );
    await stores.units.insert(units);
    await stores.translations.insert({ ...translation, counters: await stores.units.recount(id) });
  }
  return stores;
}

it('Searches that the counters answer list and count the same strings as a scan', async () => {
  const { units, translations, recentUnits } = await fill();
  const search = new UnitSearch({ ...searchDeps(new StringsWorld()).deps, translations });
  const lister = new UnitLister({
    ...{ units, translations, recentUnits, search },
    searchBudget: new SearchBudget({ total: 1, perCaller: 1, lingerMs: 0 }),
    searchIndex: new SearchIndex(new MongoSearchIndexStore(database.models), units, translations),
    cachedSearch: new CachedSearch(new UnitCache(units)),
  });
  const scopes = [
    { projects: [], excludedComponents: [], excludedProjects: [] },
    { projects: [2], excludedComponents: [], excludedProjects: [] },
    { projects: [], excludedComponents: [1], excludedProjects: [2] },
  ];
  const conditions = ['', 'language:cs', 'language:fi', 'language:cs language:de'];
  const groups = ['', 'state:<translated', 'NOT state:translated', 'has:check', 'has:suggestion', 'NOT has:comment'];
  const rest = ['state:>=approved', 'state:empty', 'state:needs-editing', 'has:comment', 'state:translated has:check'];
  for (const scope of scopes)
    for (const condition of conditions)
      for (const group of [...groups, ...rest]) {
        const q = `${condition} ${group}`.trim();
        const found = search.parse(q);
        const selected: UnitQuery[] = [
          found ? await search.query(found, { translation: null, projects: [], generation: '' }) : everyUnit,
          { kind: 'projects', ids: scope.excludedProjects, exclude: true },
          { kind: 'components', ids: scope.excludedComponents, exclude: true },
          ...(scope.projects.length > 0 ? [{ kind: 'projects', ids: scope.projects } as const] : []),
        ];
        const scanned = await units.page({ kind: 'and', all: selected }, 2, 25);
        const request = { ...scope, q, page: 2, size: 25, translation: 0, sourceUnit: 0, knownVersion: 0 };
        const caller = { key: 'user:1', signal: new AbortController().signal };
        const listed = await lister.list({ ...request, generation: '', knownUnits: [], caller });
        expect({ q, total: listed.total, ids: listed.ids }).toEqual({
          ...{ q, total: scanned.total, ids: scanned.items.map(({ id }) => id) },
        });
      }
});

it('Translations that have none of the counted strings are left out', async () => {
  const { translations } = database.stores(silent);
  const all = { projects: [], excludedComponents: [], excludedProjects: [] };
  const ids = (sum: object) => translations.ids([all, { counting: sum }]);
  expect(await ids({ suggestions: 1 })).toEqual([4]);
  expect(await ids({ all: 1, translated: -1 })).toHaveLength(6);
});
