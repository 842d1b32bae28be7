import { ADDED, columnOf, type Counters } from '../domain/counters';
import { nothingExcluded, Sums } from '../domain/sums';
import type { LiveSums } from './live-sums';
import { CounterReader } from './read-counters';

function start(caughtUp = true) {
  const current = new Sums();
  const put = (
    translationId: number,
    componentId: number,
    projectId: number,
    languageCode: string,
    strings: number,
  ) => {
    const added = new Array<number>(ADDED).fill(0);
    added[columnOf('all')] = strings;
    const counters = { added, lastChange: 0, lastAuthor: '', lastAuthorId: 0 };
    current.update({ translationId, componentId, projectId, languageCode, revision: 1, counters });
  };
  put(1, 10, 1, 'cs', 1);
  put(2, 10, 1, 'de', 2);
  put(3, 20, 2, 'cs', 4);
  const waits: number[] = [];
  let before: (() => void) | undefined;
  const position = {
    caughtUp: async (wait: number) => {
      waits.push(wait);
      before?.();
      return caughtUp;
    },
  };
  const live: Pick<LiveSums, 'current'> = { current };
  const reader = new CounterReader(live as LiveSums, position);
  return { reader, waits, put, whenWaiting: (action: () => void) => (before = action) };
}

const strings = ({ added }: Counters) => added[columnOf('all')];
const soon = () => Date.now() + 60_000;

describe('reading counters', () => {
  it('counters are answered in the order of the request; unknown objects have zeros', async () => {
    const { reader } = start();
    const excluded = nothingExcluded;
    const { counters: found } = await reader.counters(
      [
        { kind: 'translation', id: 2 },
        { kind: 'component', id: 10 },
        { kind: 'component', id: 99 },
        { kind: 'project', id: 1, also: [20], excluded },
        { kind: 'language', code: 'cs', excluded },
        { kind: 'projectLanguage', id: 1, code: 'cs', also: [], excluded },
        { kind: 'components', ids: [10, 20], excluded },
        { kind: 'site', excluded: { projects: new Set([1]), components: new Set() } },
      ],
      soon(),
    );
    expect(found.map(strings)).toEqual([2, 3, 0, 7, 5, 1, 7, 4]);
  });

  it('writes that arrive while a read waits for them are counted (read-your-writes)', async () => {
    const { reader, put, whenWaiting } = start();
    whenWaiting(() => put(4, 10, 1, 'fr', 8));
    const { counters, stale } = await reader.counters([{ kind: 'component', id: 10 }], soon());
    expect([counters.map(strings), stale]).toEqual([[11], false]);
  });

  it('stale counters are better than an error', async () => {
    const { reader } = start(false);
    const { counters, stale } = await reader.counters([{ kind: 'component', id: 10 }], soon());
    expect([counters.map(strings), stale]).toEqual([[3], true]);
  });

  it('a read waits at most two seconds, and not beyond the deadline of the caller', async () => {
    const { reader, waits } = start();
    await reader.site(soon());
    await reader.site(Date.now() + 100);
    await reader.site(0);
    expect(waits).toEqual([2_000, 0, 0]);
  });

  it('languages of a project are sorted by code', async () => {
    const { reader } = start();
    const { languages: found } = await reader.byLanguage(1, [20], nothingExcluded, soon());
    expect(found.map(([code, counters]) => [code, strings(counters)])).toEqual([
      ['cs', 5],
      ['de', 2],
    ]);
  });

  it('the site has the sums and numbers of all objects', async () => {
    const { counters, ...sizes } = await start().reader.site(soon());
    expect(strings(counters)).toBe(7);
    expect(sizes).toMatchObject({ translations: 3 });
  });
});
