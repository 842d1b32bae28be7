import { makeIds } from '../../src/store/ids';
import { requireQuota } from '../../src/app/memory/quota';
import type { NewMemoryEntry } from '../../src/domain/memory/entry';
import { MongoMemoryStore } from '../../src/store/memory-store';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const QUOTA = 5;
const database = useDatabase();

const entries = (text: string, count: number): NewMemoryEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    source: `${text} ${i}`,
    target: `${text} ${i}`,
    sourceLanguage: { id: 1, code: 'en' },
    targetLanguage: { id: 2, code: 'cs' },
    origin: 'p/c',
    project: 1,
    user: 0,
    fromFile: false,
    shared: false,
  }));

/** The memory's store in a process of its own. */
function replica() {
  const store = new MongoMemoryStore(database.models.memory, makeIds(database.models), uncached);
  const quotas = { perProject: QUOTA, perUser: QUOTA };
  return {
    count: () => store.count({ project: 1 }, QUOTA),
    add: (text: string, count: number) => store.add(entries(text, count), { now: 1, confirm: false }),
    async accepts(text: string): Promise<boolean> {
      const wanted = entries(text, 1);
      const batches = (async function* () {
        yield wanted;
      })();
      try {
        await requireQuota({ store, quotas }, wanted[0]!, 1, batches, null);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ problems: [{ code: 'quota' }] });
        return false;
      }
    },
  };
}

it('a replica counts its own entries at once and those of another replica within ten seconds', async () => {
  const [one, other] = [replica(), replica()];
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  try {
    expect([await one.count(), await other.count()]).toEqual([0, 0]);
    await other.add('Other', QUOTA - 1);
    await one.add('Own', 1);
    expect([await one.count(), await other.count()]).toEqual([1, QUOTA - 1]);
    // The quota is reached, and both replicas accept more: by what others added within this time, at most.
    clock.mockReturnValue(1_009_999);
    expect([await one.accepts('More'), await other.accepts('More')]).toEqual([true, true]);
    clock.mockReturnValue(1_010_000);
    expect([await one.accepts('More'), await other.accepts('More')]).toEqual([false, false]);
    expect([await one.count(), await other.count()]).toEqual([QUOTA, QUOTA]);
  } finally {
    clock.mockRestore();
  }
});
