import { logger } from '@parlance/telemetry';
import {
  MAX_UNCLEARED,
  type Announcer,
  type HistoryCounts,
  type HistoryWriter,
  type LastChange,
  type OutboxItem,
  type Touched,
  type TranslationCounters,
  type TranslationReader,
  type UnitCounters,
  type UnitOutbox,
} from '../../domain/ports';
import { addDelta, isComplete, type CounterDelta } from '../../domain/counters';
import type { Translation } from '../../domain/translation';
import { recountTranslation } from './recount-translation';

interface Waiting {
  unit: number;
  item: OutboxItem;
  last: LastChange | null;
  done: (translation: Translation | null) => void;
  failed: (error: unknown) => void;
}

export interface UnitEffectsDeps {
  units: UnitOutbox & UnitCounters;
  translations: Pick<TranslationReader, 'get'> & TranslationCounters;
  changes: Pick<HistoryWriter, 'insert'> & Pick<HistoryCounts, 'sums'>;
  announcer: Pick<Announcer, 'updated'>;
}

/** Effects beyond history, counters and event. All are idempotent. */
export interface FollowUps {
  /** Checks that compare several strings; they run before the items are cleared. */
  checks(touched: { unit: number; touched: Touched }[]): Promise<void>;
  /** Records that a user's write completed a translation. */
  completed(translation: Translation, last: LastChange): Promise<void>;
  /** Completes a propagation that a crash interrupted. */
  propagate(unit: number, item: OutboxItem): Promise<void>;
}

/** Age from which an outbox item counts as left by a crash, in milliseconds. */
const GRACE_MS = 30_000;
/** Finished outbox items are cleared together after at most this time, in milliseconds. */
const CLEAR_AFTER_MS = 1_000;
/** Items that share one counter update; three batches fit into {@link MAX_UNCLEARED}. */
const BATCH = 40;

/**
 * Relay of the outbox: carries out the effects of unit writes (history, counters, event, propagation). The outbox item lies in the unit's
 * document, so no step is lost after a crash: `recover` completes them. Concurrent writes to one translation share one counter update, one
 * history insertion and one event.
 */
export class UnitEffects {
  private readonly queues = new Map<number, Waiting[]>();
  private readonly finished = new Map<number, OutboxItem[]>();
  /** Items in progress in this process; recovery skips them. */
  private readonly inProgress = new Set<string>();
  /** Items in documents that are counted or about to be, by translation. */
  private readonly uncleared = new Map<number, number>();
  /** Finished items to clear, by translation. */
  private readonly toClear = new Map<number, number>();
  private clearTimer: NodeJS.Timeout | undefined;
  private clearing: Promise<void> = Promise.resolve();
  private recoverTimer: NodeJS.Timeout | undefined;
  private recovering: Promise<unknown> | undefined;

  private readonly units: UnitEffectsDeps['units'];
  private readonly translations: UnitEffectsDeps['translations'];
  private readonly changes: UnitEffectsDeps['changes'];
  private readonly announcer: UnitEffectsDeps['announcer'];

  constructor(
    { units, translations, changes, announcer }: UnitEffectsDeps,
    private readonly followUps: FollowUps,
  ) {
    this.units = units;
    this.translations = translations;
    this.changes = changes;
    this.announcer = announcer;
  }

  /**
   * Resolves when the effects of a unit's write are durable and published: from then on every reader sees them.
   * @param finish runs last; the item stays in the outbox until it succeeds
   */
  async settle(
    unit: number,
    item: OutboxItem,
    last: LastChange | null,
    finish?: () => Promise<void>,
  ): Promise<Translation | null> {
    const translation = await this.enqueue(unit, item, last);
    if (!item.propagation) return translation;
    try {
      await finish?.();
    } catch (error) {
      this.releaseCapacity(item.translation, 1);
      this.release([item.id]);
      throw error;
    }
    this.clearLater(unit, item);
    return translation;
  }

  private enqueue(unit: number, item: OutboxItem, last: LastChange | null): Promise<Translation | null> {
    this.inProgress.add(item.id);
    return new Promise((done, failed) => {
      const queue = this.queues.get(item.translation);
      if (queue) {
        queue.push({ unit, item, last, done, failed });
        return;
      }
      this.queues.set(item.translation, [{ unit, item, last, done, failed }]);
      void this.processQueue(item.translation);
    });
  }

  /** The same for many units of one translation. */
  async settleMany(
    translation: number,
    entries: { unit: number; item: OutboxItem }[],
    last: LastChange | null,
  ): Promise<Translation | null> {
    if (entries.length === 0) return null;
    for (const { item } of entries) this.inProgress.add(item.id);
    try {
      return await this.settleAll(translation, entries, last);
    } catch (error) {
      this.release(entries.map((e) => e.item.id));
      throw error;
    }
  }

  private async settleAll(
    translation: number,
    entries: readonly { unit: number; item: OutboxItem }[],
    last: LastChange | null,
  ): Promise<Translation | null> {
    // Items without checks to follow are cleared at once; background checks write such items while others wait to be cleared.
    const followed = entries.some((e) => e.item.touched);
    let result: Translation | null = null;
    for (let at = 0; at < entries.length; at += BATCH) {
      const part = entries.slice(at, at + BATCH);
      if (followed) await this.reserveCapacity(translation, part.length);
      try {
        result = await this.applyEffects(translation, part, last).done;
      } catch (error) {
        if (followed) this.releaseCapacity(translation, part.length);
        throw error;
      }
      if (followed) for (const entry of part) this.clearLater(entry.unit, entry.item);
      else
        await this.clearOutbox(
          part.map((e) => e.unit),
          part.map((e) => e.item.id),
        );
    }
    return result;
  }

  /** Processes the queue of a translation; counting a batch overlaps with publishing the one before. */
  private async processQueue(id: number): Promise<void> {
    let before: Promise<void> = Promise.resolve();
    for (;;) {
      const queue = this.queues.get(id)!;
      if (queue.length === 0) {
        this.queues.delete(id);
        return;
      }
      const batch = queue.splice(0, BATCH);
      const failed = (error: unknown) => {
        this.releaseCapacity(id, batch.length);
        this.release(batch.map((w) => w.item.id));
        for (const w of batch) w.failed(error);
      };
      const finished = (translation: Translation | null) => {
        for (const w of batch) {
          // An item that propagates is cleared by `settle`, after the propagation.
          if (!w.item.propagation) this.clearLater(w.unit, w.item);
          w.done(translation);
        }
      };
      await this.reserveCapacity(id, batch.length);
      const last = batch.reduce<LastChange | null>((newest, w) => latestChange(newest, w.last), null);
      const { counted, done } = this.applyEffects(id, batch, last);
      const settled = done.then(finished, failed);
      await counted.catch(() => undefined);
      // No more than two batches are under way.
      await before;
      before = settled;
    }
  }

  /** Carries out the effects of writes to one translation. `done` resolves after all of them. */
  private applyEffects(
    translation: number,
    entries: readonly { unit: number; item: OutboxItem }[],
    last: LastChange | null,
  ): { counted: Promise<Translation | null>; done: Promise<Translation | null> } {
    const items = entries.map((e) => e.item);
    const counted = this.translations.applyDelta(translation, items, last);
    const announced = counted.then(
      (now) =>
        now &&
        Promise.all([
          this.announcer.updated(now, [...new Set(entries.map((e) => e.unit))]),
          last?.by && completes(now, items) ? this.followUps.completed(now, last) : undefined,
        ]),
    );
    const done = Promise.all([counted, announced, this.changes.insert(items.flatMap((item) => item.changes))]);
    return { counted, done: done.then(([now]) => now) };
  }

  /** Reserves capacity for uncleared items: a translation remembers a bounded number of counted ones. */
  private async reserveCapacity(translation: number, items: number): Promise<void> {
    if ((this.uncleared.get(translation) ?? 0) + items > MAX_UNCLEARED) await this.clearNow();
    add(this.uncleared, translation, items);
  }

  private releaseCapacity(translation: number, items: number): void {
    add(this.uncleared, translation, -items);
  }

  private clearNow(): Promise<void> {
    clearTimeout(this.clearTimer);
    this.clearTimer = undefined;
    return (this.clearing = this.clearing.then(() => this.clear()));
  }

  private clearLater(unit: number, item: OutboxItem): void {
    const toClear = add(this.toClear, item.translation, 1);
    const items = this.finished.get(unit);
    if (items) items.push(item);
    else this.finished.set(unit, [item]);
    // Early enough that edits seldom wait for capacity.
    if (toClear === MAX_UNCLEARED / 2) void this.clearNow();
    else this.clearTimer ??= setTimeout(() => void this.clearNow(), CLEAR_AFTER_MS);
  }

  private async clear(): Promise<void> {
    const finished = [...this.finished];
    this.finished.clear();
    this.toClear.clear();
    try {
      await this.clearItems(finished);
    } finally {
      for (const { translation } of finished.flatMap(([, items]) => items)) this.releaseCapacity(translation, 1);
    }
  }

  private async clearItems(finished: readonly (readonly [number, readonly OutboxItem[]])[]): Promise<void> {
    try {
      await this.followUps.checks(touchedOf(finished));
    } catch (error) {
      // The items stay in the outbox: recovery repeats the checks.
      logger.warn({ err: error }, 'outbox: background checks failed, recovery repeats them');
      this.release(finished.flatMap(([, list]) => list.map((item) => item.id)));
      return;
    }
    const units = finished.map(([unit]) => unit);
    const items = finished.flatMap(([, list]) => list.map((item) => item.id));
    for (let at = 0; at < units.length; at += 1000) await this.clearOutbox(units.slice(at, at + 1000), items);
  }

  private async clearOutbox(units: readonly number[], items: readonly string[]): Promise<void> {
    await this.units.clearOutbox(units, items).catch((error: unknown) => {
      // Recovery repeats their idempotent effects.
      logger.warn({ err: error }, 'outbox: clearing finished items failed, recovery repeats it');
    });
    this.release(items);
  }

  /** Leaves items to recovery. */
  private release(items: readonly string[]): void {
    for (const id of items) this.inProgress.delete(id);
  }

  /**
   * Completes the effects that a crash interrupted: inserts the history entries, recounts and publishes the translation, completes
   * propagations. A recount is correct whether or not the item was counted before; see recountTranslation.
   */
  async recover(graceMs = GRACE_MS): Promise<number> {
    let recovered = 0;
    for (;;) {
      const left = (await this.units.listUnprocessed(Date.now() - graceMs, 500)).flatMap(({ unit, items }) => {
        const others = items.filter((item) => !this.inProgress.has(item.id));
        return others.length > 0 ? [{ unit, items: others }] : [];
      });
      if (left.length === 0) {
        await this.units.deleteProcessed();
        return recovered;
      }
      const byTranslation = new Map<number, OutboxItem[]>();
      for (const { items } of left) {
        for (const item of items) {
          await this.changes.insert(item.changes);
          const list = byTranslation.get(item.translation) ?? [];
          list.push(item);
          byTranslation.set(item.translation, list);
        }
      }
      for (const [translation, items] of byTranslation)
        await this.recountTranslation(
          translation,
          items.map((i) => i.id),
          Math.min(...items.map((i) => i.time)),
        );
      await this.followUps.checks(touchedOf(left.map((l) => [l.unit, l.items] as const)));
      for (const { unit, items } of left)
        for (const item of items) if (item.propagation) await this.followUps.propagate(unit, item);
      await this.units.clearOutbox(
        left.map((l) => l.unit),
        left.flatMap((l) => l.items.map((i) => i.id)),
      );
      recovered += left.length;
    }
  }

  /** See `recountTranslation`. */
  recountTranslation(id: number, included: readonly string[], earlier?: number): Promise<void> {
    const { units, translations, changes, announcer } = this;
    return recountTranslation({ units, translations, changes, announcer }, id, included, earlier);
  }

  /** Starts periodic recovery. */
  start(everyMs = 15_000): void {
    const pass = () => {
      this.recovering ??= this.recover()
        .catch((error: unknown) => logger.warn({ err: error }, 'outbox: recovery failed, the next pass repeats it'))
        .finally(() => {
          this.recovering = undefined;
        });
    };
    pass();
    this.recoverTimer = setInterval(pass, everyMs);
    this.recoverTimer.unref();
  }

  /** Stops recovery and clears finished items. */
  async stop(): Promise<void> {
    clearInterval(this.recoverTimer);
    await this.recovering;
    await this.clearNow();
  }
}

/** Adds to a count; counts of zero are removed. @returns the sum */
function add<Key>(counts: Map<Key, number>, key: Key, by: number): number {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
  return sum;
}

/** The later of two changes; a change without an author keeps the author of the other. */
function latestChange(one: LastChange | null, other: LastChange | null): LastChange | null {
  if (!one || !other) return one ?? other;
  const [first, last] = other.time >= one.time ? [one, other] : [other, one];
  return { time: last.time, by: last.by ?? first.by };
}

/** Whether writes completed a translation: all strings are translated now and were not before. */
function completes({ counters }: Translation, items: readonly OutboxItem[]): boolean {
  if (!isComplete(counters)) return false;
  const sum: CounterDelta = { groups: {}, checks: 0, contentChanges: 0 };
  for (const { delta } of items) addDelta(sum, delta);
  const { all, translated } = sum.groups;
  return counters.all.s - (all?.s ?? 0) !== counters.translated.s - (translated?.s ?? 0);
}

function touchedOf(items: readonly (readonly [number, readonly OutboxItem[]])[]) {
  return items.flatMap(([unit, list]) => list.flatMap(({ touched }) => (touched ? [{ unit, touched }] : [])));
}
