import { translationMemory } from '../../../test/support/memory/memory-store';
import { fieldsOf, problemsOf, reasonOf } from '@parlance/testing';
import type { NewMemoryEntry } from '../../domain/memory/entry';
import { requireQuota } from './quota';

/** User 3 has two of three personal entries, project 1 has one of two. */
async function start() {
  const { deps, store, entry } = translationMemory({ perUser: 3, perProject: 2 });
  const personal = (source: string) => entry(source, source, { project: 0, user: 3, shared: false });
  await store.add([personal('a'), personal('b'), entry('a', 'a')], { now: 1, confirm: false });
  /** Batches of entries that were read. */
  const read: number[] = [];
  async function* inBatches(batches: readonly NewMemoryEntry[][]) {
    for (const batch of batches) {
      read.push(batch.length);
      yield batch;
    }
  }
  const check = (owner: { project: number; user: number }, ...batches: NewMemoryEntry[][]) =>
    requireQuota(deps, owner, batches.flat().length, inBatches(batches), 'file');
  return { entry, personal, read, check };
}
const user = { project: 0, user: 3 };
const project = { project: 1, user: 0 };

describe('requireQuota', () => {
  it('entries that fit are allowed without reading them', async () => {
    const { entry, personal, read, check } = await start();
    expect(await reasonOf(check(user, [personal('c')]))).toBe('OK');
    expect(await reasonOf(check(project, [entry('b', 'b')]))).toBe('OK');
    expect(read).toEqual([]);
  });

  it('entries beyond the quota are refused on the field, with the number that is left', async () => {
    const { entry, personal, check } = await start();
    expect(await fieldsOf(check(user, [personal('c'), personal('d')]))).toEqual(['file:quota']);
    const [problem] = await problemsOf(check(project, [entry('b', 'b'), entry('c', 'c')]));
    expect(problem!.detail).toContain('at most 2 entries (PARLANCE_MEMORY_ENTRIES_PER_PROJECT); 1 more');
  });

  it('entries that exist, and repetitions, do not count', async () => {
    const { personal, check } = await start();
    expect(await reasonOf(check(user, [personal('a'), personal('b'), personal('c')]))).toBe('OK');
    expect(await reasonOf(check(user, [personal('c'), personal('c')], [personal('c')]))).toBe('OK');
  });

  it('reading ends with the batch that exceeds the quota', async () => {
    const { personal, read, check } = await start();
    await reasonOf(check(user, [personal('a'), personal('c')], [personal('d')], [personal('e')]));
    expect(read).toEqual([2, 1]);
  });

  it('the quotas of users and projects are separate, and the shared memory has none', async () => {
    const { entry, personal, read, check } = await start();
    expect(await reasonOf(check({ project: 0, user: 4 }, [personal('x'), personal('y'), personal('z')]))).toBe('OK');
    expect(await reasonOf(check({ project: 2, user: 0 }, [entry('x', 'x'), entry('y', 'y')]))).toBe('OK');
    const many = Array.from({ length: 100 }, (_, i) => entry(String(i), 'x', { project: 0 }));
    expect(await reasonOf(check({ project: 0, user: 0 }, many))).toBe('OK');
    expect(read).toEqual([]);
  });

  it('a memory that is fuller than its quota, because it was lowered, has nothing left', async () => {
    const { deps, store, entry } = translationMemory({ perUser: 3, perProject: 1 });
    await store.add([entry('a', 'a'), entry('b', 'b')], { now: 1, confirm: false });
    async function* all() {
      yield [entry('c', 'c')];
    }
    const [problem] = await problemsOf(requireQuota(deps, project, 1, all(), null));
    expect(problem).toMatchObject({ attr: null, code: 'quota', detail: expect.stringContaining('; 0 more') });
  });
});
