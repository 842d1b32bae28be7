import { createHash } from 'node:crypto';
import type { Change } from '../../domain/change';
import type { Models } from '../models';
import { collectionOf } from '../collection';

/** Age at insertion from which an entry is late; see {@link HistoryTotals}. Milliseconds. */
const LATE_MS = 60_000;
/** Age from which entries are counted only once. Much longer than LATE_MS, because of clock skew and slow writes. Milliseconds. */
const SETTLED_MS = 5 * 60_000;
/** Number of recently counted entries from which the cached count is advanced, and by how much at least, in milliseconds. */
const MAX_RECENT = 500;
const MIN_ADVANCE_MS = 60_000;
/** Capacity of the cache, in filters. */
const CAPACITY = 2_000;
/** Id of the counter document that late entries increment. */
const LATE_COUNTER = 'late-changes';

/** Entries that a filter selects: `old` before `until`, `recent` since. */
interface Total<T> {
  /** Value of the late counter. While it is unchanged, the entries before `until` are unchanged. */
  late: number;
  until: number;
  old: T;
  recent: T;
}

/** Number of entries that a filter selects. */
export type HistoryTotal = Total<number>;

/** Number of entries by action. */
type ActionCounts = ReadonlyMap<number, number>;

interface CachedCount<T> {
  /** Value of the late counter that the count includes. */
  late: number;
  /** The count covers entries before this time, milliseconds since the epoch. */
  until: number;
  count: Promise<T>;
}

/** How entries of a time range are counted, and the totals of the counts. */
interface Counting<T> {
  count(filter: object, time: object): Promise<T>;
  add(one: T, other: T): T;
  sizeOf(count: T): number;
}

/** Counts of old entries, cached by filter. */
class CachedCounts<T> {
  /** LRU order: the last entry was used last. */
  private readonly cached = new Map<string, CachedCount<T>>();

  constructor(
    private readonly counting: Counting<T>,
    private readonly now: () => number,
  ) {}

  /** @param filter Mongo filter; equal selections must have equal JSON */
  async of(filter: object, lateCounter: Promise<number>): Promise<Total<T>> {
    const key = filterKey(filter);
    const known = this.cached.get(key);
    const [late, recent] = await Promise.all([
      lateCounter,
      known ? this.counting.count(filter, { $gte: known.until }) : undefined,
    ]);
    if (known?.late !== late || recent === undefined) return this.countAll(filter, key, late);
    this.cache(key, known);
    const old = await known.count;
    if (this.counting.sizeOf(recent) > MAX_RECENT) await this.advance(filter, key, known);
    return { late, until: known.until, old, recent };
  }

  private async countAll(filter: object, key: string, late: number): Promise<Total<T>> {
    const until = this.now() - SETTLED_MS;
    const { count } = this.cache(key, { late, until, count: this.counting.count(filter, { $lt: until }) });
    const [old, recent] = await Promise.all([count, this.counting.count(filter, { $gte: until })]);
    return { late, until, old, recent };
  }

  /** Advances the cached count to entries that became old. */
  private async advance(filter: object, key: string, { late, until, count }: CachedCount<T>): Promise<void> {
    const now = this.now() - SETTLED_MS;
    if (now < until + MIN_ADVANCE_MS) return;
    const [old, since] = await Promise.all([count, this.counting.count(filter, { $gte: until, $lt: now })]);
    if (this.counting.sizeOf(since) > 0)
      this.cache(key, { late, until: now, count: Promise.resolve(this.counting.add(old, since)) });
  }

  private cache(key: string, settled: CachedCount<T>): CachedCount<T> {
    this.cached.delete(key);
    this.cached.set(key, settled);
    settled.count.catch(() => {
      if (this.cached.get(key) === settled) this.cached.delete(key);
    });
    if (this.cached.size > CAPACITY) this.cached.delete(this.cached.keys().next().value!);
    return settled;
  }
}

const numbers = { add: (one: number, other: number) => one + other, sizeOf: (count: number) => count };
const actionCounts = {
  add: (one: ActionCounts, other: ActionCounts): ActionCounts =>
    new Map(
      [...one.keys(), ...other.keys()].map((action) => [action, (one.get(action) ?? 0) + (other.get(action) ?? 0)]),
    ),
  sizeOf: (counts: ActionCounts) => [...counts.values()].reduce(numbers.add, 0),
};

/** Short key of a filter: filters that exclude many projects are long. */
export const filterKey = (filter: object): string => createHash('sha1').update(JSON.stringify(filter)).digest('base64');

/**
 * Exact counts of history entries without a full count each time. Entries are immutable, and nearly all are inserted when they happen:
 * the count of old entries is cached, recent entries are counted on each call. Late entries (recovered after a crash, delayed events)
 * increment a counter in the store, which invalidates the caches of all processes.
 */
export class HistoryTotals {
  private readonly totals: CachedCounts<number>;
  private readonly actions: CachedCounts<ActionCounts>;

  constructor(
    private readonly changes: Models['changes'],
    private readonly counters: Models['counters'],
    private readonly now: () => number = () => Date.now(),
  ) {
    this.totals = new CachedCounts({ ...numbers, count: (filter, time) => this.count(filter, time) }, now);
    this.actions = new CachedCounts({ ...actionCounts, count: (filter, time) => this.countActions(filter, time) }, now);
  }

  /** Must be called after entries were inserted or retracted. */
  async recordInserted(entries: readonly Pick<Change, 'time'>[]): Promise<void> {
    const late = this.now() - LATE_MS;
    if (entries.every(({ time }) => time >= late)) return;
    await collectionOf(this.counters).updateOne({ _id: LATE_COUNTER }, { $inc: { last: 1 } }, { upsert: true });
  }

  /** @param filter Mongo filter; equal selections must have equal JSON */
  of(filter: object): Promise<HistoryTotal> {
    return this.totals.of(filter, this.readLateCounter());
  }

  /** Number of entries by action, for the actions that a filter selects. */
  async byAction(filter: object): Promise<ActionCounts> {
    const { old, recent } = await this.actions.of(filter, this.readLateCounter());
    return actionCounts.add(old, recent);
  }

  private async readLateCounter(): Promise<number> {
    const found = await collectionOf(this.counters).findOne({ _id: LATE_COUNTER });
    return Number(found?.['last'] ?? 0);
  }

  /** Counts the entries of a time range. */
  count(filter: object, time: object): Promise<number> {
    return collectionOf(this.changes).countDocuments({ $and: [filter, { time }] });
  }

  private async countActions(filter: object, time: object): Promise<ActionCounts> {
    const found = await collectionOf(this.changes)
      .aggregate<{ _id: number; n: number }>([
        { $match: { $and: [filter, { time }] } },
        { $group: { _id: '$action', n: { $sum: 1 } } },
      ])
      .toArray();
    return new Map(found.map(({ _id, n }) => [_id, n]));
  }
}
