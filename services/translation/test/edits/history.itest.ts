import { mongo } from 'mongoose';
import { Action, type Change } from '../../src/domain/change';
import type { ChangeFilter } from '../../src/domain/ports';
import { MongoChangeStore } from '../../src/store/history/change-store';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const database = useDatabase();
const { FindCursor } = mongo;
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
const store = () => new MongoChangeStore(database.models.changes, database.models.counters, uncached);
/** Lower time bounds of the count statements of an action. */
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

it('The total of a list is exact without counting old entries again', async () => {
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

it('The total of a busy list needs one count', async () => {
  const history = store();
  await history.insert(Array.from({ length: 600 }, () => entry(Date.now(), { user: 31 })));
  expect((await history.page({ user: 31 }, 1, 5)).total).toBe(600);
  const { result, from } = await counting(() => history.page({ user: 31 }, 1, 5));
  expect(result.total).toBe(600);
  expect(from).toHaveLength(1);
});

it('Late entries are counted by every process, independent of the process that inserted them', async () => {
  const [one, other] = [store(), store()];
  const project = 7;
  const total = async () => Promise.all([one, other].map(async (s) => (await s.page({ project }, 1, 1)).total));
  await one.insert([entry(Date.now(), { project }), entry(Date.now() - 5 * HOUR, { project })]);
  expect(await total()).toEqual([2, 2]);
  // Another process inserts an entry that a crash delayed.
  await other.insert([entry(Date.now() - 2 * HOUR, { project })]);
  expect(await total()).toEqual([3, 3]);
  await one.insert([entry(Date.now() - HOUR, { project }), entry(Date.now(), { project })]);
  expect(await total()).toEqual([5, 5]);
  // Inserting an entry twice counts it once.
  const late = entry(Date.now() - HOUR, { project });
  await one.insert([late]);
  await other.insert([late]);
  expect(await total()).toEqual([6, 6]);
});

it('Pages contain every entry once, newest first', async () => {
  const history = store();
  const project = 8;
  const time = Date.now() - 3 * HOUR;
  // Groups of entries have the same time.
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

it('The history of a unit is counted only if a page does not show its end', async () => {
  const history = store();
  const unit = 77;
  await history.insert(Array.from({ length: 7 }, (_, i) => entry(Date.now() - i * HOUR, { unit })));
  const spy = jest.spyOn(database.models.changes.collection, 'countDocuments');
  const pages = await Promise.all([1, 2, 3, 4].map((page) => history.page({ unit }, page, 3)));
  expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
    [3, 7],
    [3, 7],
    [1, 7],
    [0, 7],
  ]);
  expect(spy).toHaveBeenCalledTimes(3);
  spy.mockRestore();
  expect(await history.page({ unit: 78 }, 1, 3)).toEqual({ items: [], total: 0 });
});

it('Entries are counted by action, with those that any process inserted meanwhile', async () => {
  const [one, other] = [store(), store()];
  const filter = { user: 41, actions: [2, 3, 5] };
  const count = async () => (await Promise.all([one, other].map((s) => s.countByAction(filter)))).map((m) => [...m]);
  const insert = (by: MongoChangeStore, age: number, action: number) =>
    by.insert([entry(Date.now() - age, { user: 41, action })]);
  for (const action of [2, 2, 5, 9]) await insert(one, 3 * HOUR, action);
  const sorted = (counts: [number, number][][]) => counts.map((entries) => entries.sort(([a], [b]) => a - b));
  const both = (...entries: [number, number][]) => [entries, entries];
  expect(sorted(await count())).toEqual(both([2, 2], [5, 1]));
  await insert(one, 0, 3);
  await insert(other, 0, 2);
  expect(sorted(await count())).toEqual(both([2, 3], [3, 1], [5, 1]));
  // A crash delayed this entry.
  await insert(other, 2 * HOUR, 5);
  expect(sorted(await count())).toEqual(both([2, 3], [3, 1], [5, 2]));
});

describe('far from the beginning of a long history', () => {
  const project = 9;
  const SIZE = 100;
  let made: Change[];
  beforeAll(async () => {
    const time = Date.now() - 5 * HOUR;
    made = Array.from({ length: 3_050 }, (_, i) => entry(time + Math.floor(i / 7), { project }));
    await store().insert(made);
  });
  const expected = (page: number) =>
    made
      .map((c) => c.id)
      .reverse()
      .slice((page - 1) * SIZE, page * SIZE);
  /** A page, and the number of entries skipped by the query. */
  async function read(history: MongoChangeStore, page: number) {
    const skip = jest.spyOn(FindCursor.prototype, 'skip');
    try {
      const { items, total } = await history.page({ project }, page, SIZE);
      expect(total).toBe(made.length);
      return { ids: items.map((c) => c.id), passed: Math.max(...skip.mock.calls.map(([n]) => n)) };
    } finally {
      skip.mockRestore();
    }
  }

  it('Deep pages are correct in any reading order', async () => {
    const history = store();
    for (const page of [31, 30, 1, 12, 20, 13, 11, 25, 24, 26, 31, 14]) {
      const { ids } = await read(history, page);
      expect([page, ids]).toEqual([page, expected(page)]);
    }
    expect((await read(history, 32)).ids).toEqual([]);
  });

  it('Following deep pages skip no entries', async () => {
    const history = store();
    expect((await read(history, 31)).passed).toBe(0);
    await read(history, 12);
    for (const page of [13, 14, 15]) expect((await read(history, page)).passed).toBe(0);
  });

  it('Deep pages are correct after insertions of recent and of late entries', async () => {
    const history = store();
    await read(history, 12);
    const recent = entry(Date.now(), { project });
    await history.insert([recent]);
    made.push(recent);
    expect((await read(history, 13)).ids).toEqual(expected(13));
    const late = entry(made[100]!.time - 1, { project });
    await store().insert([late]);
    made.push(late);
    made.sort((a, b) => a.time - b.time || a.id - b.id);
    for (const page of [13, 14, 30, 31])
      expect([page, (await read(history, page)).ids]).toEqual([page, expected(page)]);
  });
});

describe('a history with a large import in it', () => {
  const project = 11;
  const SIZE = 100;
  let made: number[];
  beforeAll(async () => {
    const start = Date.now() - 50 * HOUR;
    const times = [
      ...Array.from({ length: 3_000 }, (_, i) => start + i * 10),
      ...Array.from({ length: 4_500 }, () => start + HOUR),
      ...Array.from({ length: 1_500 }, (_, i) => start + 2 * HOUR + i * 10_000),
    ];
    const entries = times.map((time) => entry(time, { project }));
    await store().insert(entries);
    made = entries.map((c) => c.id).reverse();
  });

  it.each([
    ['beyond it', [70, 61]],
    ['in it', [40, 59]],
    ['at its ends', [16, 60]],
    ['before it', [14]],
  ])('A history with a large import has correct pages %s', async (where, pages) => {
    const skip = jest.spyOn(FindCursor.prototype, 'skip');
    try {
      for (const page of pages) {
        const { items } = await store().page({ project }, page, SIZE);
        expect([page, items.map((c) => c.id)]).toEqual([page, made.slice((page - 1) * SIZE, page * SIZE)]);
      }
      const passed = Math.max(...skip.mock.calls.map(([n]) => n));
      // Entries with the same time can only be skipped.
      if (where === 'in it') expect(passed).toBeLessThan(4_500);
      if (where.startsWith('be')) expect(passed).toBe(0);
    } finally {
      skip.mockRestore();
    }
  });

  it('Pages that start or end inside an import are correct', async () => {
    const history = store();
    for (const page of [4, 5, 2]) {
      const { items } = await history.page({ project }, page, 1_450);
      expect(items.map((c) => c.id)).toEqual(made.slice((page - 1) * 1_450, page * 1_450));
    }
  });
});

describe('a long history with bursts and quiet times', () => {
  const project = 10;
  let made: Change[];
  beforeAll(async () => {
    let seed = 20261121;
    const random = () => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;
    const now = Date.now();
    // Gaps of every size, from none to months, up to now.
    let back = 0;
    const times = Array.from({ length: 4_000 }, () => {
      const kind = random();
      back += kind < 0.7 ? 0 : kind < 0.95 ? random() * 1_000 : kind < 0.999 ? random() * HOUR : random() * 3000 * HOUR;
      return Math.floor(now - back);
    });
    made = times.reverse().map((time, i) => entry(time, { project, user: i % 7 === 0 ? 3 : 4 }));
    await store().insert(made);
  });

  it.each([
    ['everything', { project }],
    ['of a user', { project, user: 3 }],
    ['of another user', { project, user: 4 }],
    ['before a time', { project, before: Date.now() - 100 * HOUR }],
    ['after a time', { project, after: Date.now() - 20 * HOUR }],
  ])('a long history with bursts and quiet times has each entry once: %s', async (_name, filter: ChangeFilter) => {
    const expected = made
      .filter(
        (c) =>
          (!filter.user || c.user === filter.user) &&
          (!filter.before || c.time <= filter.before) &&
          (!filter.after || c.time >= filter.after),
      )
      .map((c) => c.id)
      .reverse();
    const history = store();
    for (const size of [1_000, 130]) {
      const found: number[] = [];
      for (let page = 1; (page - 1) * size < expected.length; page++) {
        const { items, total } = await history.page(filter, page, size);
        expect(total).toBe(expected.length);
        found.push(...items.map((c) => c.id));
      }
      expect(found).toEqual(expected);
    }
  });

  it('Reading the newest entries queries a short time range', async () => {
    const history = store();
    await history.page({ project }, 1, 10);
    const find = jest.spyOn(database.models.changes.collection, 'find');
    try {
      const { items } = await history.page({ project }, 1, 10);
      expect(items.map((c) => c.id)).toEqual(
        made
          .slice(-10)
          .map((c) => c.id)
          .reverse(),
      );
      const since = find.mock.calls.map(([filter]) => JSON.stringify(filter).match(/"time":\{"\$gt":(\d+)\}/)?.[1]);
      expect(since.length).toBeGreaterThan(0);
      for (const time of since) expect(Number(time)).toBeGreaterThan(made[2_000]!.time);
    } finally {
      find.mockRestore();
    }
  });
});

it('Recent changes are those to texts within six hours before the last change, with the time of the oldest', async () => {
  const now = Date.now();
  const [few, many] = [901, 902];
  const project = 9_000;
  await store().insert([
    entry(now - 6 * HOUR - 1, { translation: few, project }),
    entry(now - 6 * HOUR, { translation: few, project }),
    entry(now - HOUR, { translation: few, project }),
    entry(now - HOUR, { translation: few, project, action: Action.commentAdded }),
    ...Array.from({ length: 5 }, (_, i) => entry(now - i * HOUR, { translation: many, project })),
  ]);
  const counts = await store().countRecent([
    { filter: { translation: few }, components: [], lastChange: now },
    { filter: { translation: 903 }, components: [], lastChange: now },
    { filter: { translation: many }, components: [], lastChange: now - HOUR },
    { filter: { project }, components: [], lastChange: now },
  ]);
  expect(counts).toEqual([
    { count: 2, oldest: now - 6 * HOUR },
    { count: 0, oldest: 0 },
    { count: 4, oldest: now - 4 * HOUR },
    { count: 7, oldest: now - 6 * HOUR },
  ]);
});
