import { createHash } from 'node:crypto';
import { retried } from '@parlance/store-kit';
import type { Change } from '../domain/change';
import type { Models } from './models';
import { collectionOf } from './collection';

/** Entries that are older than this when they come in are late; see {@link HistoryTotals}. Milliseconds. */
const LATE_MS = 60_000;
/** What is older than this is counted once. Longer than LATE_MS by far: clocks differ, and writing takes its time. */
const SETTLED_MS = 5 * 60_000;
/** As many entries are counted every time before some more of them are counted for good. */
const MOST_RECENT = 500;
/** Counts that are remembered: one a list that somebody looked at lately. */
const MOST_REMEMBERED = 2_000;
/** Name of the number that late entries move, among the counters. */
const LATE = 'late-changes';

/** How many entries a filter selects. */
export interface HistoryTotal {
  /** The number that late entries move: while it is the same, entries before `until` are the same. */
  late: number;
  until: number;
  /** Entries before `until`, and those since. */
  old: number;
  recent: number;
}

interface Settled {
  /** Late entries that are in it. */
  late: number;
  /** Entries before this time are counted. */
  until: number;
  count: Promise<number>;
}

/**
 * How many entries of the history a filter selects, exact and without counting all of them each time. Entries are never changed or
 * removed, and nearly all come in when they happen: those before a while ago are counted once and remembered, the others each
 * time. Entries that come in late (what a crash left, events that waited) move a number in the store, after which every process
 * counts anew.
 */
export class HistoryTotals {
  /** The one that was used last is the last one. */
  private readonly remembered = new Map<string, Settled>();

  constructor(
    private readonly changes: Models['changes'],
    private readonly counters: Models['counters'],
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** To be called after entries were inserted or taken back. */
  async changed(entries: readonly Pick<Change, 'time'>[]): Promise<void> {
    const late = this.now() - LATE_MS;
    if (entries.every(({ time }) => time >= late)) return;
    await retried(() => collectionOf(this.counters).updateOne({ _id: LATE }, { $inc: { last: 1 } }, { upsert: true }));
  }

  /** @param filter as the store takes it; the same selection must always come in the same form */
  async of(filter: object): Promise<HistoryTotal> {
    const key = this.keyOf(filter);
    const known = this.remembered.get(key);
    const [late, recent] = await Promise.all([
      this.late(),
      known ? this.count(filter, { $gte: known.until }) : undefined,
    ]);
    if (known?.late !== late || recent === undefined) return this.anew(filter, key, late);
    this.remember(key, known);
    const old = await known.count;
    if (recent > MOST_RECENT) await this.settle(filter, key, known);
    return { late, until: known.until, old, recent };
  }

  /** Stands for a filter; lists that leave many projects out have long ones. */
  keyOf(filter: object): string {
    return createHash('sha1').update(JSON.stringify(filter)).digest('base64');
  }

  private async anew(filter: object, key: string, late: number): Promise<HistoryTotal> {
    const until = this.now() - SETTLED_MS;
    const { count } = this.remember(key, { late, until, count: this.count(filter, { $lt: until }) });
    const [old, recent] = await Promise.all([count, this.count(filter, { $gte: until })]);
    return { late, until, old, recent };
  }

  /** Counts for good what has become old enough by now. */
  private async settle(filter: object, key: string, { late, until, count }: Settled): Promise<void> {
    const now = this.now() - SETTLED_MS;
    if (now <= until) return;
    const [old, since] = await Promise.all([count, this.count(filter, { $gte: until, $lt: now })]);
    if (since > 0) this.remember(key, { late, until: now, count: Promise.resolve(old + since) });
  }

  private remember(key: string, settled: Settled): Settled {
    this.remembered.delete(key);
    this.remembered.set(key, settled);
    settled.count.catch(() => {
      if (this.remembered.get(key) === settled) this.remembered.delete(key);
    });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    return settled;
  }

  private async late(): Promise<number> {
    const found = await collectionOf(this.counters).findOne({ _id: LATE });
    return Number(found?.['last'] ?? 0);
  }

  /** Entries of a part of the time. */
  count(filter: object, time: object): Promise<number> {
    return collectionOf(this.changes).countDocuments({ $and: [filter, { time }] });
  }
}
