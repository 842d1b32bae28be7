import { listTotal } from '@parlance/store-kit';
import type { Page } from '../../domain/ports';
import { filterKey, type HistoryTotal, type HistoryTotals } from './history-totals';
import type { Models } from '../models';
import type { ChangeDocument } from '../schemas/change';
import { collectionOf } from '../collection';

/** Offset up to which a page is read from the start of the list. */
const MAX_SHALLOW_OFFSET = 1_000;
/** Entries that may be skipped from a known position. */
const MAX_SKIPPED = 300;
/** Lists up to this length are read with skip and limit. */
const SHORT_LIST = 2_000;
/** Capacity of the cache: positions per list, and lists. */
const MAX_POSITIONS = 200;
const MAX_LISTS = 2_000;
/** Time range of a query: initial, minimum (milliseconds), and growth factor if it contains too few entries. */
const INITIAL_SPAN_MS = 60_000;
const MIN_SPAN_MS = 1_000;
const GROWTH = 8;
/** Maximum clock skew, in milliseconds: entries may be in the future. */
const CLOCK_SKEW_MS = 60_000;

/** Position in a list: an entry (or, with id 0, a point in time) and the number of older entries. */
interface Position {
  older: number;
  time: number;
  id: number;
}

/** Entries per millisecond; 0: unknown. */
interface Density {
  rate: number;
}

/** Cached data of a list. */
interface ListState {
  total: number;
  /** Density of entries at the start of the list, and at the last read position. */
  newest: Density;
  inner: Density;
  /** Value of the late counter for which the positions are valid. */
  late: number;
  positions: Position[];
}

/** Start of a read. */
interface Start {
  time: number;
  condition: object;
}

const NEWEST_FIRST = { time: -1, _id: -1 } as const;

/**
 * Pages of the history, newest first. Databases may sort all selected entries despite an index, so long lists are queried by time range.
 * The density of entries determines the range. Deep pages start at a cached position, or at a time found by interpolation search with
 * counts of time ranges: counting costs a tenth of sorting, and results are cached. Positions count from the oldest entry, see
 * {@link HistoryTotals}, so new entries do not shift them.
 */
export class HistoryPages {
  /** LRU order: the last list was used last. */
  private readonly lists = new Map<string, ListState>();

  constructor(
    private readonly changes: Models['changes'],
    private readonly totals: HistoryTotals,
  ) {}

  /** @param before upper bound of the filter's times, milliseconds since the epoch; 0: none */
  async page(filter: object, page: number, size: number, before = 0): Promise<Page<ChangeDocument>> {
    const skip = (page - 1) * size;
    const counting = this.totals.of(filter);
    // Prevents an unhandled rejection if the read fails first.
    counting.catch(() => undefined);
    const known = this.known(filterKey(filter));
    if (known.total < 0 || skip >= MAX_SHALLOW_OFFSET) known.total = totalOf(await counting);
    const items = await (known.total <= SHORT_LIST
      ? this.newest(filter, skip, size)
      : skip < MAX_SHALLOW_OFFSET
        ? this.shallow(filter, known, skip, size, before, () => counting)
        : this.deep(filter, known, skip, size, before, await counting));
    known.total = totalOf(await counting);
    return { items, total: known.total };
  }

  /** A page of a list that is short, like that of a unit: it is counted only if the page does not show its end. */
  async ofShortList(filter: object, page: number, size: number): Promise<Page<ChangeDocument>> {
    const skip = (page - 1) * size;
    const items = await this.newest(filter, skip, size);
    const count = () => collectionOf(this.changes).countDocuments(filter);
    return { items, total: await listTotal({ skip, size, found: items.length }, count) };
  }

  /** The first page without the total. */
  async first(filter: object, size: number, before = 0): Promise<ChangeDocument[]> {
    const known = this.known(filterKey(filter));
    if (known.total >= 0 && known.total <= SHORT_LIST) return this.newest(filter, 0, size);
    return this.shallow(filter, known, 0, size, before, () => this.totals.of(filter));
  }

  async newest(filter: object, skip: number, limit: number): Promise<ChangeDocument[]> {
    const cursor = collectionOf(this.changes).find(filter).sort(NEWEST_FIRST);
    return await cursor.skip(skip).limit(limit).toArray();
  }

  private async shallow(
    filter: object,
    known: ListState,
    skip: number,
    size: number,
    before: number,
    counting: () => Promise<HistoryTotal>,
  ): Promise<ChangeDocument[]> {
    const from = { time: before || Date.now() + CLOCK_SKEW_MS, condition: {} };
    return (await this.read(filter, known.newest, from, skip + size, async () => totalOf(await counting()))).slice(
      skip,
    );
  }

  private async deep(
    filter: object,
    known: ListState,
    skip: number,
    size: number,
    before: number,
    counted: HistoryTotal,
  ): Promise<ChangeDocument[]> {
    const left = totalOf(counted) - skip;
    if (left <= 0) return [];
    if (skip < counted.recent) return this.shallow(filter, known, skip, size, before, () => Promise.resolve(counted));
    if (known.late !== counted.late) Object.assign(known, { late: counted.late, positions: [] });
    const { newer, older } = await this.enclosing(filter, known, left, counted);
    const skipped = newer.older - left;
    const readFrom = (from: Position, want: number) =>
      this.read(filter, known.inner, startAfter(from), want, () => Promise.resolve(from.older));
    let items: ChangeDocument[];
    if (skipped <= MAX_SKIPPED) items = (await readFrom(newer, skipped + size)).slice(skipped);
    else {
      // Many entries with the same time, as after an import.
      const moment = { time: { $gte: older.time } };
      items = await this.newest({ $and: [filter, startAfter(newer).condition, moment] }, skipped, size);
      if (items.length < Math.min(size, left)) items = [...items, ...(await readFrom(older, size - items.length))];
    }
    const last = items.at(-1);
    if (last && left > items.length) remember(known, { older: left - items.length, time: last.time, id: last._id });
    return items;
  }

  /** Narrows the positions around the entry that has `left` entries from it to the end of the list. */
  private async enclosing(
    filter: object,
    known: ListState,
    left: number,
    counted: HistoryTotal,
  ): Promise<{ newer: Position; older: Position }> {
    let newer: Position = { older: counted.old, time: counted.until, id: 0 };
    let older: Position = { older: 0, time: 0, id: 0 };
    for (const position of known.positions) {
      if (position.older >= left && position.older < newer.older) newer = position;
      if (position.id === 0 && position.older < left && position.time > older.time) older = position;
    }
    for (let round = 0; newer.older - left > MAX_SKIPPED && newer.time - older.time > 1; round++) {
      // Alternates interpolation and bisection, because entries come in bursts.
      const share = (left - older.older) / (newer.older - older.older);
      const span = newer.time - older.time;
      const time = older.time + Math.min(span - 1, Math.max(1, Math.round(span * (round % 2 === 0 ? share : 0.5))));
      const between = await this.totals.count(filter, { $gte: older.time, $lt: time });
      const position = { older: older.older + between, time, id: 0 };
      if (position.older >= left) newer = position;
      else older = position;
      remember(known, position);
    }
    if (older.time > 0 && newer.time > older.time)
      known.inner.rate = (newer.older - older.older) / (newer.time - older.time);
    return { newer, older };
  }

  /** Reads entries from a position on. @param left number of entries from there to the end */
  private async read(
    filter: object,
    pace: Density,
    { time, condition }: Start,
    want: number,
    left: () => Promise<number>,
  ): Promise<ChangeDocument[]> {
    let span = pace.rate > 0 ? Math.max(MIN_SPAN_MS, (2 * want) / pace.rate) : INITIAL_SPAN_MS;
    for (;;) {
      const since = Math.floor(time - span);
      const items = await this.newest({ $and: [filter, condition, { time: { $gt: since } }] }, 0, want);
      if (items.length >= want || since <= 0 || items.length >= (await left())) {
        const last = items.at(-1);
        if (last) pace.rate = items.length / Math.max(1, time - last.time);
        return items;
      }
      span *= GROWTH;
    }
  }

  private known(key: string): ListState {
    const known = this.lists.get(key) ?? {
      total: -1,
      newest: { rate: 0 },
      inner: { rate: 0 },
      late: 0,
      positions: [],
    };
    this.lists.delete(key);
    this.lists.set(key, known);
    if (this.lists.size > MAX_LISTS) this.lists.delete(this.lists.keys().next().value!);
    return known;
  }
}

function remember({ positions }: ListState, position: Position): void {
  positions.push(position);
  if (positions.length > MAX_POSITIONS) positions.shift();
}

const totalOf = ({ old, recent }: HistoryTotal): number => old + recent;

/** Start of a read after a position. */
const startAfter = ({ time, id }: Position): Start => ({
  time,
  condition:
    id === 0 ? { time: { $lt: time } } : { time: { $lte: time }, $or: [{ time: { $lt: time } }, { _id: { $lt: id } }] },
});
