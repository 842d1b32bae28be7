import type { Page } from '../domain/ports';
import type { HistoryTotals } from './history-totals';
import type { ChangeDocument, Models } from './models';

/** Entries that are simply passed over on the way to a page. */
const SHALLOW = 1_000;
/** Places that are remembered of a list, and lists of which places are. */
const MOST_PLACES = 20;
const MOST_LISTS = 500;

/** An entry with how many older ones a list has. */
interface Place {
  older: number;
  time: number;
  id: number;
}

const NEWEST_FIRST = { time: -1, _id: -1 } as const;
const OLDEST_FIRST = { time: 1, _id: 1 } as const;

/**
 * Pages of the history, newest first. Far from its beginning a list is entered where a page ended before, or from its end, so
 * following `next` through a whole history and going to its last page cost as much on every page. Places are counted from the end
 * of what does not move any more, see {@link HistoryTotals}: entries that come in meanwhile do not shift them.
 */
export class HistoryPages {
  /** By list. The one that was used last is the last one. */
  private readonly places = new Map<string, { late: number; places: Place[] }>();

  constructor(
    private readonly changes: Models['changes'],
    private readonly totals: HistoryTotals,
  ) {}

  async page(filter: object, page: number, size: number): Promise<Page<ChangeDocument>> {
    const skip = (page - 1) * size;
    if (skip < SHALLOW) {
      const [items, { old, recent }] = await Promise.all([this.newest(filter, skip, size), this.totals.of(filter)]);
      return { items, total: old + recent };
    }
    const { key, late, until, old, recent } = await this.totals.of(filter);
    const total = old + recent;
    if (skip >= total) return { items: [], total };
    if (skip < recent) return { items: await this.newest(filter, skip, size), total };
    const left = total - skip;
    const known = this.known(key, late);
    const nearest = known.reduce<Place | null>(
      (best, place) => (place.older >= left && (!best || place.older < best.older) ? place : best),
      null,
    );
    const ahead = (nearest?.older ?? old) - left;
    const behind = Math.max(0, left - size);
    const items =
      behind < ahead
        ? await this.oldest({ $and: [filter, { time: { $lt: until } }] }, behind, Math.min(size, left))
        : await this.newest({ $and: [filter, nearest ? after(nearest) : { time: { $lt: until } }] }, ahead, size);
    const last = items.at(-1);
    if (last && left > items.length) known.push({ older: left - items.length, time: last.time, id: last._id });
    if (known.length > MOST_PLACES) known.shift();
    return { items, total };
  }

  newest(filter: object, skip: number, limit: number): Promise<ChangeDocument[]> {
    return this.find(filter, NEWEST_FIRST, skip, limit);
  }

  private async oldest(filter: object, skip: number, limit: number): Promise<ChangeDocument[]> {
    return (await this.find(filter, OLDEST_FIRST, skip, limit)).reverse();
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

  private known(key: string, late: number): Place[] {
    const entry = this.places.get(key);
    const places = entry?.late === late ? entry.places : [];
    this.places.delete(key);
    this.places.set(key, { late, places });
    if (this.places.size > MOST_LISTS) this.places.delete(this.places.keys().next().value!);
    return places;
  }
}

/** What is older than a place. */
const after = ({ time, id }: Place): object => ({
  time: { $lte: time },
  $or: [{ time: { $lt: time } }, { _id: { $lt: id } }],
});
