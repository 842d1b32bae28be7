import { GroupCommit } from './group-commit';

/** Statements that end when the test says so. */
function statements() {
  const running: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const commit = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) =>
      running.push({ items, end: () => resolve(items.map((item) => `${item} written`)), fail: reject }),
    );
  return { running, commit };
}
const turn = () => new Promise(setImmediate);

describe('GroupCommit', () => {
  it('a single item is written at once', async () => {
    const { running, commit } = statements();
    const written = new GroupCommit(commit, 10).add('a');
    expect(running.map(({ items }) => items)).toEqual([['a']]);
    running[0]!.end();
    expect(await written).toBe('a written');
  });

  it('items that arrive during a statement share the next ones, up to the limit', async () => {
    const { running, commit } = statements();
    const group = new GroupCommit(commit, 2);
    const written = Promise.all(['a', 'b', 'c', 'd'].map((item) => group.add(item)));
    for (let at = 0; at < 3; at++) {
      running[at]!.end();
      await turn();
    }
    expect(running.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d']]);
    expect(await written).toEqual(['a written', 'b written', 'c written', 'd written']);
  });

  it('an item that the store refuses fails alone, and later items are written', async () => {
    const commit = (items: readonly string[]) =>
      items.includes('bad') ? Promise.reject(new Error('refused')) : Promise.resolve(items);
    const group = new GroupCommit(commit, 10);
    const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map((item) => group.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await group.add('d')).toBe('d');
  });

  it('a single item is not written again after its failure', async () => {
    const commit = jest.fn(() => Promise.reject(new Error('refused')));
    await expect(new GroupCommit(commit, 10).add('a')).rejects.toThrow('refused');
    expect(commit).toHaveBeenCalledTimes(1);
  });
});
