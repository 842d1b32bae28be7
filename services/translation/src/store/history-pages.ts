import type { Page } from '../domain/ports';
import type { HistoryTotal, HistoryTotals } from './history-totals';
import type { ChangeDocument, Models } from './models';
import { collectionOf } from './collection';

/** Entries that are simply passed over on the way to a page. */
const SHALLOW = 1_000;
/** The same on the way from a place that is known. */
const MOST_AHEAD = 300;
/** Lists of at most so many entries are read as they are. */
const SHORT = 2_000;
/** Places that are remembered of a list, and lists that anything is remembered of. */
const MOST_PLACES = 200;
const MOST_LISTS = 2_000;
/** The first part of the time that is looked at, the least, and by how much it grows when it holds too little. Milliseconds. */
const FIRST_SPAN_MS = 60_000;
const LEAST_SPAN_MS = 1_000;
const GROWTH = 8;
/** Entries may be a little ahead of this process' clock, in milliseconds. */
const AHEAD_MS = 60_000;

/** An entry, or with the id 0 a moment, with how many older ones a list has. */
interface Place {
  older: number;
  time: number;
  id: number;
}

/** Entries a millisecond; 0: not known. */
interface Pace {
  rate: number;
}

/** What is known of a list. */
interface Known {
  total: number;
  /** How close entries are at the list's beginning, and where somebody read last in its middle. */
  newest: Pace;
  inner: Pace;
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

/**
 * Pages of the history, newest first. The database may sort everything that a filter selects, whatever its indexes; so of long lists
 * it is asked for a part of the time only, as much as held enough entries the last time, or more if that is too little. Far
 * from its beginning a list is entered where a page ended before, or at a moment that is found by counting smaller and smaller parts
 * of the time: counting takes a tenth of what sorting takes, and what was counted is remembered. Places are counted from the end of
 * what does not move any more, see {@link HistoryTotals}: entries that come in meanwhile do not shift them.
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

  async newest(filter: object, skip: number, limit: number): Promise<ChangeDocument[]> {
    const cursor = collectionOf(this.changes).find(filter).sort(NEWEST_FIRST);
    return await cursor.skip(skip).limit(limit).toArray();
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
    return (await this.read(filter, known.newest, from, skip + size, async () => totalOf(await counting))).slice(skip);
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
    const { newer, older } = await this.around(filter, known, left, counted);
    const ahead = newer.older - left;
    const readOn = (from: Place, want: number) =>
      this.read(filter, known.inner, after(from), want, () => Promise.resolve(from.older));
    let items: ChangeDocument[];
    if (ahead <= MOST_AHEAD) items = (await readOn(newer, ahead + size)).slice(ahead);
    else {
      // So many at one moment, as after an import.
      const moment = { time: { $gte: older.time } };
      items = await this.newest({ $and: [filter, after(newer).condition, moment] }, ahead, size);
      if (items.length < Math.min(size, left)) items = [...items, ...(await readOn(older, size - items.length))];
    }
    const last = items.at(-1);
    if (last && left > items.length) remember(known, { older: left - items.length, time: last.time, id: last._id });
    return items;
  }

  /** The places, as close as need be, between which the entry is that has, with itself, so many left. */
  private async around(
    filter: object,
    known: Known,
    left: number,
    counted: HistoryTotal,
  ): Promise<{ newer: Place; older: Place }> {
    let newer: Place = { older: counted.old, time: counted.until, id: 0 };
    let older: Place = { older: 0, time: 0, id: 0 };
    for (const place of known.places) {
      if (place.older >= left && place.older < newer.older) newer = place;
      if (place.id === 0 && place.older < left && place.time > older.time) older = place;
    }
    for (let round = 0; newer.older - left > MOST_AHEAD && newer.time - older.time > 1; round++) {
      // Where it would be if entries came evenly, and the middle in turns: they come in bursts.
      const share = (left - older.older) / (newer.older - older.older);
      const span = newer.time - older.time;
      const time = older.time + Math.min(span - 1, Math.max(1, Math.round(span * (round % 2 === 0 ? share : 0.5))));
      const between = await this.totals.count(filter, { $gte: older.time, $lt: time });
      const place = { older: older.older + between, time, id: 0 };
      if (place.older >= left) newer = place;
      else older = place;
      remember(known, place);
    }
    if (older.time > 0 && newer.time > older.time)
      known.inner.rate = (newer.older - older.older) / (newer.time - older.time);
    return { newer, older };
  }

  /** Reads on from somewhere. @param left how many entries there are from there */
  private async read(
    filter: object,
    pace: Pace,
    { time, condition }: From,
    want: number,
    left: () => Promise<number>,
  ): Promise<ChangeDocument[]> {
    let span = pace.rate > 0 ? Math.max(LEAST_SPAN_MS, (2 * want) / pace.rate) : FIRST_SPAN_MS;
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

  private known(key: string): Known {
    const known = this.lists.get(key) ?? {
      total: -1,
      newest: { rate: 0 },
      inner: { rate: 0 },
      late: 0,
      places: [],
    };
    this.lists.delete(key);
    this.lists.set(key, known);
    if (this.lists.size > MOST_LISTS) this.lists.delete(this.lists.keys().next().value!);
    return known;
  }
}

function remember({ places }: Known, place: Place): void {
  places.push(place);
  if (places.length > MOST_PLACES) places.shift();
}

const totalOf = ({ old, recent }: HistoryTotal): number => old + recent;

/** What is older than a place. */
const after = ({ time, id }: Place): From => ({
  time,
  condition:
    id === 0 ? { time: { $lt: time } } : { time: { $lte: time }, $or: [{ time: { $lt: time } }, { _id: { $lt: id } }] },
});
