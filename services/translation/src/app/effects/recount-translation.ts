import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import type {
  Announcer,
  HistoryCounts,
  OutboxItem,
  TranslationCounters,
  TranslationReader,
  UnitCounters,
  UnitOutbox,
} from '../../domain/ports';

export interface RecountDeps {
  units: Pick<UnitOutbox, 'listUnprocessed'> & UnitCounters;
  translations: Pick<TranslationReader, 'get'> & Pick<TranslationCounters, 'countedItems' | 'replaceCounters'>;
  changes: Pick<HistoryCounts, 'sums'>;
  announcer: Pick<Announcer, 'updated'>;
}

/** Attempts under concurrent writes. */
const MAX_RECOUNTS = 50;

/**
 * Replaces the counters of a translation by a recount. Outbox items that are neither counted nor `included` are subtracted, because their
 * writers still add them.
 * @param earlier time of the oldest write that an interruption may have left unannounced, milliseconds since the epoch; absent: there is none
 */
export async function recountTranslation(
  { units, translations, changes, announcer }: RecountDeps,
  id: number,
  included: readonly string[],
  earlier?: number,
): Promise<void> {
  const attempt = async () => {
    const before = await translations.countedItems(id);
    if (!before) return;
    const current = await translations.get(id);
    if (!current) return;
    const mine = new Set(included);
    const known = (item: string) => before.holds(item) || mine.has(item);
    const begun = new Set((await uncountedItems(units, id, known)).map((i) => i.id));
    const counted = await units.recount(id);
    const uncounted = await uncountedItems(units, id, known);
    // A write during the recount may or may not be included: count again.
    if (uncounted.some((i) => !begun.has(i.id))) return LOST_RACE;
    for (const item of uncounted) {
      for (const [group, tally] of Object.entries(item.delta.groups)) {
        const sum = counted[group as keyof typeof item.delta.groups];
        sum.s -= tally.s;
        sum.w -= tally.w;
        sum.c -= tally.c;
      }
      counted.checks -= item.delta.checks;
    }
    const { lastAuthor, lastAuthorId } = current.counters;
    const history = await changes.sums(
      id,
      uncounted.flatMap((i) => i.changes.map((c) => c.id)),
    );
    const contentChanges = history.content;
    const lastChange = Math.max(current.counters.lastChange, history.newest);
    const added = included.filter((i) => !before.holds(i));
    const after = await translations.replaceCounters(
      id,
      before.version,
      { ...counted, contentChanges, lastChange, lastAuthor, lastAuthorId },
      added,
    );
    if (!after) return LOST_RACE;
    await announcer.updated(after, 'any', earlier);
  };
  await optimisticUpdate<void>(attempt, { attempts: MAX_RECOUNTS });
}

/** Outbox items of a translation that its counters do not include. */
async function uncountedItems(
  units: Pick<UnitOutbox, 'listUnprocessed'>,
  id: number,
  known: (item: string) => boolean,
): Promise<OutboxItem[]> {
  const open = await units.listUnprocessed(Date.now() + 60_000, 100_000);
  return open.flatMap((o) => o.items).filter((i) => i.translation === id && !known(i.id));
}
