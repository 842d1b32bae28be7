import { searchDeps } from '../../../test/support/memory/indexes/search-lookups';
import { fieldsOf, StringsWorld } from '../../../test/support/memory/world';
import { sampleTranslation } from '../../../test/support/samples';
import { emptyCounters } from '../../domain/counters';
import { isHeavy, UnitSearch } from './unit-search';

function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1);
  world.string(1, 7, 'Open the file', {}, { labels: [5] });
  world.string(1, 8, 'Open the window');
  const { deps, lookups } = searchDeps(world);
  lookups.curatedSources = [{ id: 507, labels: [5], explanation: '', extraFlags: '' }];
  const search = new UnitSearch(deps);
  const find = async (q: string): Promise<number[]> => {
    const query = await search.query(search.parse(q)!, { translation: czech, projects: [], generation: '' });
    return world.units.idsOf(query);
  };
  return { search, find, lookups };
}

describe('UnitSearch', () => {
  it('an empty query is no search', () => {
    expect(start().search.parse(' \t')).toBeNull();
  });

  it.each(['(', 'nofield:x', 'source:r"("', 'has:nothing', 'priority:many'])(
    'the invalid query %j is refused on the field "q"',
    async (q) => {
      const { search } = start();
      expect(await fieldsOf((async () => search.parse(q))())).toEqual(['q:invalid']);
    },
  );

  it('a query that no store can hold is refused on the field "q"', async () => {
    const { search } = start();
    expect(await fieldsOf((async () => search.parse('a\u0000b'))())).toEqual(['q:null_characters_not_allowed']);
  });

  it.each([
    ['open', true],
    ['state:translated AND check:end_stop', true],
    ['priority:>100 OR has:comment OR has:suggestion', true],
    ['labels_count:0', false],
    ['open AND changed_by:ana', false],
    ['NOT (open OR label:urgent)', false],
    ['has:resolved-comment', false],
  ])('the result of %s depends on the units only: %s', (q, stable) => {
    expect(start().search.parse(q)!.stable).toBe(stable);
  });

  it('the index narrows searches for texts that it contains', () => {
    const { search } = start();
    const required = (q: string) => search.parse(q)!.required;
    expect(required('open')).toEqual({ type: 'text', value: 'open', exact: true });
    expect(required('target:open')).toEqual({ type: 'text', value: 'open', exact: false });
    expect(required('note:open')).toEqual({ type: 'any' });
    expect(required('open OR note:open')).toEqual({ type: 'any' });
  });

  it('terms about the unit and about other data are combined', async () => {
    const { find } = start();
    expect(await find('open')).toEqual([7, 8, 507, 508]);
    expect(await find('open AND label:urgent')).toEqual([7, 507]);
    expect(await find('open AND NOT label:urgent')).toEqual([8, 508]);
    expect(await find('window OR label:urgent')).toEqual([7, 8, 507, 508]);
  });

  it('terms about the unit itself need no lookup', async () => {
    const { find, lookups } = start();
    await find('open AND state:<10 AND position:>0');
    expect(lookups.calls).toEqual([]);
  });
});

describe('isHeavy', () => {
  const { search } = start();
  const translation = (strings: number) => {
    const counters = emptyCounters();
    counters.all.s = strings;
    return sampleTranslation(11, { counters });
  };

  it('a search of everything, of a large translation or by regular expression is heavy', () => {
    expect(isHeavy(search.parse('open'), null)).toBe(true);
    expect(isHeavy(search.parse('open'), translation(20_001))).toBe(true);
    expect(isHeavy(search.parse('NOT source:r"^open"'), translation(1))).toBe(true);
  });

  it('a list without a search, and a search of a translation of 20 000 strings, are not heavy', () => {
    expect(isHeavy(null, null)).toBe(false);
    expect(isHeavy(search.parse('open'), translation(20_000))).toBe(false);
  });
});
