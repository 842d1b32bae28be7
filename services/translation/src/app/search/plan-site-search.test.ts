import { sampleTranslation } from '../../../test/support/samples';
import { MemoryTranslationStore } from '../../../test/support/memory/translation-store';
import { emptyCounters, type Group } from '../../domain/counters';
import { planSiteSearch } from './plan-site-search';
import type { SiteConditions } from './site-conditions';

const everywhere = { projects: [], excludedComponents: [], excludedProjects: [] };

/** Translation 1 of project 1 and 2 of project 2 with a million units each, and the small ones 3 and 4 of project 3. */
function start() {
  const store = new MemoryTranslationStore(() => undefined);
  const put = (id: number, project: number, counts: Partial<Record<Group, number>>) => {
    const tally = Object.entries(counts).map(([group, s]) => [group, { s, w: 0, c: 0 }]);
    store.put(sampleTranslation(id, { project, counters: { ...emptyCounters(), ...Object.fromEntries(tally) } }));
  };
  put(1, 1, { all: 1_000_000, translated: 900_000 });
  put(2, 2, { all: 1_000_000, translated: 1_000_000 });
  put(3, 3, { all: 1_000, translated: 500, comments: 2 });
  put(4, 3, { all: 1_000, translated: 1_000 });
  const plan = (conditions: Partial<SiteConditions>, scope = {}, end = 100) =>
    planSiteSearch(store, { ...everywhere, ...scope }, { translations: [], count: null, ...conditions }, end);
  return { plan };
}

describe('planSiteSearch', () => {
  it('units that are on every page are read by id', async () => {
    const { plan } = start();
    expect(await plan({ count: { all: 1 } })).toEqual({ total: 2_002_000 });
    expect(await plan({ count: { translated: 1 } })).toEqual({ total: 1_901_500 });
  });

  it('units of which there are none are not read', async () => {
    const { plan } = start();
    expect(await plan({ count: { suggestions: 1 } })).toEqual({ total: 0 });
    expect(await plan({ count: { all: 1 }, translations: [{ translations: [] }] })).toEqual({ total: 0 });
  });

  it('rare units are read in the translations that have some', async () => {
    const { plan } = start();
    expect(await plan({ count: { comments: 1 } })).toEqual({ total: 2, translations: [3] });
    expect(await plan({ count: { all: 1 }, translations: [{ projects: [3] }] })).toEqual({
      total: 2_000,
      translations: [3, 4],
    });
    const untranslated = { all: 1, translated: -1 };
    expect(await plan({ count: untranslated, translations: [{ projects: [2, 3] }] })).toEqual({
      total: 500,
      translations: [3],
    });
  });

  it('units of visible translations are counted', async () => {
    const { plan } = start();
    expect(await plan({ count: { all: 1 } }, { projects: [3] })).toEqual({ total: 2_000, translations: [3, 4] });
    expect(await plan({ count: { all: 1 } }, { excludedProjects: [1, 2] })).toMatchObject({ total: 2_000 });
  });

  it('units that the counters do not count are read in the translations that may have them', async () => {
    const { plan } = start();
    expect(await plan({ translations: [{ projects: [3] }] })).toEqual({ translations: [3, 4] });
    expect(await plan({ translations: [{ projects: [1] }] })).toEqual({ translations: [1] });
    expect(await plan({})).toEqual({});
  });

  it('a page far from the start is read where the units are', async () => {
    const { plan } = start();
    const conditions = { count: { all: 1 }, translations: [{ projects: [1] }] };
    expect(await plan(conditions, {}, 100)).toEqual({ total: 1_000_000 });
    expect(await plan(conditions, {}, 1_000_000)).toEqual({ total: 1_000_000, translations: [1] });
  });
});
