import { EventsUnavailableError, newEvent, type EventBus } from '@parlance/events';
import { counter, logger } from '@parlance/telemetry';
import type { AnnouncementMarks, Announcer, ContentGenerations, WrittenUnits } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { countersToProto } from '../proto/common';

const SERVICE = 'translation';
/** Translations in one query of unpublished ones. */
const BATCH = 100;

const relayed = counter('parlance_outbox_relayed_total');

type Watcher = (translation: Translation, units: WrittenUnits) => void;

/**
 * Publishes translations as events. If NATS is unavailable, the translation is marked and published later with its current counters:
 * events contain absolute values, so the last one suffices.
 */
export class EventAnnouncer implements Announcer {
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<unknown> | undefined;

  /** @param watchers caches of this process, called synchronously before the event is published */
  constructor(
    private readonly bus: Pick<EventBus, 'publish' | 'onReturn'>,
    private readonly marks: AnnouncementMarks,
    private readonly contents: ContentGenerations,
    private readonly watchers: readonly Watcher[],
  ) {}

  async updated(translation: Translation, units: WrittenUnits, earlier?: number): Promise<void> {
    const written = earlier ?? Date.now();
    for (const watch of this.watchers) watch(translation, units);
    try {
      await this.publish(translation, units, earlier);
      if (earlier !== undefined) relayed.inc();
    } catch (error) {
      if (!(error instanceof EventsUnavailableError)) throw error;
      logger.warn({ err: error, translation: translation.id }, 'announce: publishing failed, retried later');
      await this.marks.markUnannounced(translation.id, written);
      await this.contents.changed([translation]);
    }
  }

  async deleted(t: Translation): Promise<void> {
    const payload = {
      translationId: t.id,
      componentId: t.component,
      projectId: t.project,
      languageCode: t.language.code,
    };
    await this.bus.publish(newEvent(SERVICE, 'translationDeleted', payload, t.component));
  }

  /**
   * Publishes a translation, then invalidates replies about it: the statistics service answers with every event that was published before.
   * @param written time of the oldest write that the event reports, if it is earlier than now
   */
  private async publish(t: Translation, units: WrittenUnits, written?: number): Promise<void> {
    const payload = {
      translationId: t.id,
      componentId: t.component,
      projectId: t.project,
      languageCode: t.language.code,
      isSource: t.isSource,
      revision: t.version,
      counters: countersToProto(t.counters),
      unitIds: units === 'any' ? [] : [...units],
      unitsUnchanged: units !== 'any' && units.length === 0,
    };
    const event = newEvent(SERVICE, 'translationUpdated', payload, t.component);
    await this.bus.publish(written === undefined ? event : { ...event, writtenMs: written });
    await this.contents.changed([t]);
  }

  /** Publishes marked translations. @returns their number */
  async announceMarked(): Promise<number> {
    for (let count = 0; ;) {
      const marked = await this.marks.listUnannounced(BATCH);
      for (const { translation, mark, written } of marked) {
        await this.publish(translation, 'any', written);
        relayed.inc();
        await this.marks.clearUnannounced(translation.id, mark);
      }
      count += marked.length;
      if (marked.length < BATCH) return count;
    }
  }

  /** Publishes marked translations now, after every reconnect to NATS, and periodically. */
  start(everyMs = 15_000): void {
    const pass = () => {
      this.passing ??= this.announceMarked()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'announce: publishing marked translations failed, retried later'),
        )
        .finally(() => {
          this.passing = undefined;
        });
    };
    pass();
    this.bus.onReturn(pass);
    this.timer = setInterval(pass, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.passing;
  }
}
