import { translationMemory } from '../../../test/support/memory/memory-store';
import { lookUp, type LookUpOptions } from './look-up';

async function start(...texts: [source: string, target: string, stamp: number][]) {
  const { deps, store, entry } = translationMemory();
  for (const [source, target, now] of texts) await store.add([entry(source, target)], { now, confirm: false });
  const find = async (text: string, more: Partial<LookUpOptions> = {}) => {
    const languages = { source: 'en', target: 'cs' };
    const options = { languages, threshold: 70, limit: 5, visible: 'everything' as const, ...more };
    return (await lookUp(deps, [text], options))[0]!.map((match) => [match.entry.target, match.similarity]);
  };
  return { deps, store, entry, find };
}

describe('lookUp', () => {
  it('lookUp returns the most similar entries first, then the newest', async () => {
    const { find } = await start(['Open file', 'old', 1], ['Open files', 'similar', 9], ['Open file', 'new', 5]);
    expect(await find('Open file')).toEqual([
      ['new', 100],
      ['old', 100],
      ['similar', 90],
    ]);
  });

  it('a text that differs in white space alone is found, however much it is', async () => {
    const { find } = await start(['Open\n                the file', 'a', 1]);
    expect(await find('open the file', { threshold: 90 })).toEqual([['a', 99]]);
  });

  it('entries below the threshold are omitted, and the limit cuts the least similar ones', async () => {
    const { find } = await start(['Open file', 'a', 1], ['Open files', 'b', 1]);
    expect(await find('Open file', { threshold: 95 })).toEqual([['a', 100]]);
    expect(await find('Open file', { limit: 1 })).toEqual([['a', 100]]);
  });

  it('equal texts of several owners are returned once', async () => {
    const { store, entry, find } = await start(['Open file', 'a', 1]);
    await store.add([entry('Open file', 'a', { project: 0, user: 3 })], { now: 2, confirm: false });
    expect(await find('Open file')).toEqual([['a', 100]]);
  });

  it('entries that the reader may not see are absent', async () => {
    const { find } = await start(['Open file', 'a', 1]);
    expect(await find('Open file', { visible: { user: 4 } })).toEqual([]);
    expect(await find('Open file', { visible: { project: 1 } })).toHaveLength(1);
  });
});
