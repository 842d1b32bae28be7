import type { Page } from '../domain/ports';
import type { HistoryTotal, HistoryTotals } from './history-totals';
import type { ChangeDocument, Models } from './models';

/** Entries that are simply passed over on the way to a page. */
const SHALLOW = 1_000;
/** The same on the way from a place that is known. */
const MOST_AHEAD = 5_000;
/** Lists of at most so many entries are read as they are. */
const SHORT = 2_000;
/** Places that are remembered of a list, and lists that anything is remembered of. */
const MOST_PLACES = 20;
const MOST_LISTS = 2_000;
/** The first part of the time that is looked at, the least, and by how much it grows when it holds too little. Milliseconds. */
const FIRST_SPAN_MS = 60_000;
const LEAST_SPAN_MS = 1_000;
const GROWTH = 8;
/** Entries may be a little ahead of this process' clock, in milliseconds. */
const AHEAD_MS = 60_000;

/** An entry with how many older ones a list has. */
interface Place {
  older: number;
  time: number;
  id: number;
}

/** What is known of a list. */
interface Known {
  total: number;
  /** Entries a millisecond where somebody read last; 0: not known. */
  rate: number;
  /** State of the late entries in which the places are right. */
  late: number;
  places: Place[];
}

/** Where reading begins. */
interface From {
  time: number;
  condition: object;
}

const NEWEST_FIRST = { time: -1, _id: -1 } as const;
const OLDEST_FIRST = { time: 1, _id: 1 } as const;

/**
 * Pages of the history, newest first. The database may sort everything that a filter selects, whatever its indexes; so of long lists
 * it is asked for a part of the time only, as much as held enough entries the last time, or more if that is too little. Far
 * from its beginning a list is entered where a page ended before, or from its end. Places are counted from the end of what does not
 * move any more, see {@link HistoryTotals}: entries that come in meanwhile do not shift them.
 */
export class HistoryPages {
  /** By list. The one that was used last is the last one. */
  private readonly lists = new Map<string, Known>();

  constructor(
    private readonly changes: Models['changes'],
    private readonly totals: HistoryTotals,
  ) {}

  /** @param before entries of the filter are not newer than this; milliseconds, 0: any time */
  async page(filter: object, page: number, size: number, before = 0): Promise<Page<ChangeDocument>> {
    const skip = (page - 1) * size;
    const counting = this.totals.of(filter);
    // Whoever fails first says so; the other must not count as unhandled.
    counting.catch(() => undefined);
    const known = this.known(this.totals.keyOf(filter));
    if (known.total < 0 || skip >= SHALLOW) known.total = totalOf(await counting);
    const items = await (known.total <= SHORT
      ? this.newest(filter, skip, size)
      : skip < SHALLOW
        ? this.shallow(filter, known, skip, size, before, counting)
        : this.deep(filter, known, skip, size, before, await counting));
    known.total = totalOf(await counting);
    return { items, total: known.total };
  }

  newest(filter: object, skip: number, limit: number): Promise<ChangeDocument[]> {
    return this.find(filter, NEWEST_FIRST, skip, limit);
  }

  private async shallow(
    filter: object,
    known: Known,
    skip: number,
    size: number,
    before: number,
    counting: Promise<HistoryTotal>,
  ): Promise<ChangeDocument[]> {
    const from = { time: before || Date.now() + AHEAD_MS, condition: {} };
    return (await this.read(filter, known, from, skip + size, async () => totalOf(await counting))).slice(skip);
  }

  private async deep(
    filter: object,
    known: Known,
    skip: number,
    size: number,
    before: number,
    counted: HistoryTotal,
  ): Promise<ChangeDocument[]> {
    const left = totalOf(counted) - skip;
    if (left <= 0) return [];
    if (skip < counted.recent) return this.shallow(filter, known, skip, size, before, Promise.resolve(counted));
    if (known.late !== counted.late) Object.assign(known, { late: counted.late, places: [] });
    const nearest = known.places.reduce<Place | null>(
      (best, place) => (place.older >= left && (!best || place.older < best.older) ? place : best),
      null,
    );
    const older = nearest?.older ?? counted.old;
    const ahead = older - left;
    const behind = Math.max(0, left - size);
    const settled = { time: { $lt: counted.until } };
    const from = nearest ? after(nearest) : { time: counted.until, condition: settled };
    const items =
      ahead <= MOST_AHEAD
        ? (await this.read(filter, known, from, ahead + size, () => Promise.resolve(older))).slice(ahead)
        : behind < ahead
          ? (await this.find({ $and: [filter, settled] }, OLDEST_FIRST, behind, Math.min(size, left))).reverse()
          : await this.newest({ $and: [filter, settled] }, ahead, size);
    const last = items.at(-1);
    if (last && left > items.length) known.places.push({ older: left - items.length, time: last.time, id: last._id });
    if (known.places.length > MOST_PLACES) known.places.shift();
    return items;
  }

  /** Reads on from somewhere. @param left how many entries there are from there */
  private async read(
    filter: object,
    known: Known,
    { time, condition }: From,
    want: number,
    left: () => Promise<number>,
  ): Promise<ChangeDocument[]> {
    let span = known.rate > 0 ? Math.max(LEAST_SPAN_MS, (2 * want) / known.rate) : FIRST_SPAN_MS;
    for (;;) {
      const since = Math.floor(time - span);
      const items = await this.newest({ $and: [filter, condition, { time: { $gt: since } }] }, 0, want);
      if (items.length >= want || since <= 0 || items.length >= (await left())) {
        const last = items.at(-1);
        if (last) known.rate = items.length / Math.max(1, time - last.time);
        return items;
      }
      span *= GROWTH;
    }
  }

  private async find(
    filter: object,
    sort: typeof NEWEST_FIRST | typeof OLDEST_FIRST,
    skip: number,
    limit: number,
  ): Promise<ChangeDocument[]> {
    const cursor = this.changes.collection.find(filter as never).sort(sort);
    return (await cursor.skip(skip).limit(limit).toArray()) as unknown as ChangeDocument[];
  }

  private known(key: string): Known {
    const known = this.lists.get(key) ?? { total: -1, rate: 0, late: 0, places: [] };
    this.lists.delete(key);
    this.lists.set(key, known);
    if (this.lists.size > MOST_LISTS) this.lists.delete(this.lists.keys().next().value!);
    return known;
  }
}

const totalOf = ({ old, recent }: HistoryTotal): number => old + recent;

/** What is older than a place. */
const after = ({ time, id }: Place): From => ({
  time,
  condition: { time: { $lte: time }, $or: [{ time: { $lt: time } }, { _id: { $lt: id } }] },
});
