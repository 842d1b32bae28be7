import { logger } from '@parlance/telemetry';
import { Action } from '../domain/change';
import { isComplete } from '../domain/counters';
import type { HistoryReader, HistoryWriter, Ids, LastChange, TranslationReader } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { changeOfTranslation, numberChanges, type ChangeDraft } from './history';

export interface RecordCompletedDeps {
  translations: Pick<TranslationReader, 'ofComponent'>;
  changes: Pick<HistoryWriter, 'insert'>;
  ids: Ids;
}

export interface NewContributorsDeps {
  changes: Pick<HistoryReader, 'hasEntries'> & Pick<HistoryWriter, 'insert'>;
  ids: Ids;
}

/** Pairs of user and translation in memory. */
const MAX_KNOWN = 100_000;

/**
 * Records that a write completed a translation (action 1), and its component (75) if it was the last one. The counters report the
 * transition once. Of two concurrent last translations, one completes the component.
 */
export async function recordCompleted(
  deps: RecordCompletedDeps,
  translation: Translation,
  last: LastChange,
): Promise<void> {
  const author = { userId: last.by?.authorId ?? 0 };
  const user = last.by?.user ?? 0;
  const done = changeOfTranslation(translation, author, user, last.time, Action.translationCompleted, {});
  const entries: ChangeDraft[] = [done];
  const all = await deps.translations.ofComponent(translation.component);
  if (all.every(({ counters }) => isComplete(counters))) {
    const moment = all.reduce((newest, { counters }) => Math.max(newest, counters.lastChange), 0);
    entries.push({
      ...done,
      action: Action.componentCompleted,
      translation: 0,
      language: '',
      once: `completed ${translation.component} ${moment}`,
    });
  }
  await deps.changes.insert(await numberChanges(deps, entries));
}

/**
 * Records new contributors of a translation (action 45). The history is queried once per user, translation and process, after the
 * write and without delaying its response. `once` makes the entry unique.
 */
export class NewContributors {
  private readonly known = new Set<string>();
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly deps: NewContributorsDeps) {}

  /** Checks the author of changes that were just saved. */
  record(changes: readonly ChangeDraft[]): void {
    const first = changes[0];
    if (!first?.user) return;
    const pair = `${first.translation} ${first.user}`;
    if (this.known.has(pair)) return;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.add(pair);
    const asking: Promise<void> = this.recordIfNew(first)
      .catch((error: unknown) => {
        this.known.delete(pair);
        logger.warn({ err: error }, 'new contributor check: failed, the next edit repeats it');
      })
      .finally(() => this.running.delete(asking));
    this.running.add(asking);
  }

  private async recordIfNew(first: ChangeDraft): Promise<void> {
    const { translation, user, time } = first;
    if (await this.deps.changes.hasEntries(translation, user, time)) return;
    const entry: ChangeDraft = {
      ...first,
      action: Action.newContributor,
      // Sorts before the history entry of the edit.
      time: time - 1,
      target: '',
      old: '',
      details: {},
      once: `contributor ${translation} ${user}`,
    };
    await this.deps.changes.insert(await numberChanges(this.deps, [entry]));
  }

  /** Waits for running checks. */
  async stop(): Promise<void> {
    await Promise.all(this.running);
  }
}
