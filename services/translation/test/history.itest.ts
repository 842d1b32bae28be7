import type { Change } from '../src/domain/change';
import { MongoChangeStore } from '../src/store/change-store';
import { useDatabase } from './support/store';

const database = useDatabase();
const HOUR = 3600_000;
let id = 0;
const entry = (time: number, change: Partial<Change> = {}): Change => ({
  id: ++id,
  action: 2,
  time,
  project: 1,
  component: 1,
  translation: 1,
  unit: 1,
  language: 'cs',
  user: 1,
  author: 1,
  target: '',
  old: '',
  details: {},
  ...change,
});
const store = () => new MongoChangeStore(database.models.changes, database.models.counters);
/** How often entries are counted, and from which time on. */
async function counting<T>(work: () => Promise<T>): Promise<{ result: T; from: (number | undefined)[] }> {
  const from: (number | undefined)[] = [];
  const spy = jest.spyOn(database.models.changes.collection, 'countDocuments');
  try {
    const result = await work();
    for (const [filter] of spy.mock.calls)
      from.push((filter as { $and: [object, { time: { $gte?: number } }] }).$and[1].time.$gte);
    return { result, from };
  } finally {
    spy.mockRestore();
  }
}

it('says how many entries there are without counting the old ones again', async () => {
  const now = Date.now();
  const history = store();
  await history.insert(Array.from({ length: 30 }, (_, i) => entry(now - (30 - i) * HOUR, { user: i % 3 })));
  expect((await history.page({ user: 1 }, 1, 5)).total).toBe(10);
  await history.insert([entry(Date.now(), { user: 1 }), entry(Date.now(), { user: 2 })]);
  const { result, from } = await counting(() => history.page({ user: 1 }, 1, 5));
  expect(result.total).toBe(11);
  expect(result.items.map((c) => c.user)).toEqual([1, 1, 1, 1, 1]);
  expect(from).toHaveLength(1);
  expect(from[0]).toBeGreaterThan(now - HOUR);
});

it('counts entries that come in late, whoever brought them', async () => {
  const [one, other] = [store(), store()];
  const project = 7;
  const total = async () => Promise.all([one, other].map(async (s) => (await s.page({ project }, 1, 1)).total));
  await one.insert([entry(Date.now(), { project }), entry(Date.now() - 5 * HOUR, { project })]);
  expect(await total()).toEqual([2, 2]);
  // A crash left it; another process brings it in.
  await other.insert([entry(Date.now() - 2 * HOUR, { project })]);
  expect(await total()).toEqual([3, 3]);
  await one.insert([entry(Date.now() - HOUR, { project }), entry(Date.now(), { project })]);
  expect(await total()).toEqual([5, 5]);
  // The same one again is no other one.
  const late = entry(Date.now() - HOUR, { project });
  await one.insert([late]);
  await other.insert([late]);
  expect(await total()).toEqual([6, 6]);
});

it('gives every entry once, newest first, however far somebody pages', async () => {
  const history = store();
  const project = 8;
  const time = Date.now() - 3 * HOUR;
  // Some of them at the same moment.
  const made = Array.from({ length: 45 }, (_, i) =>
    entry(time + Math.floor(i / 3), { project, action: i % 2 ? 2 : 5 }),
  );
  await history.insert(made);
  const expected = made.map((c) => c.id).reverse();
  const all: number[] = [];
  for (let page = 1; page <= 5; page++) {
    const { items, total } = await history.page({ project }, page, 10);
    expect(total).toBe(45);
    all.push(...items.map((c) => c.id));
    if (page === 2) expect((await history.page({ project }, 5, 10)).items.map((c) => c.id)).toEqual(expected.slice(40));
  }
  expect(all).toEqual(expected);
  const some = await history.page({ project, actions: [5], after: time + 3, before: time + 8 }, 1, 50);
  expect(some.items.map((c) => c.id)).toEqual(
    made
      .filter((c) => c.action === 5 && c.time >= time + 3 && c.time <= time + 8)
      .map((c) => c.id)
      .reverse(),
  );
  expect(some.total).toBe(some.items.length);
});
