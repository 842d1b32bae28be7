import { EventsUnavailableError, newEvent, type EventBus } from '@parlance/events';
import { logger } from '@parlance/telemetry';
import type { AnnouncementMarks, Announcer, WrittenUnits } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { countersToProto } from '../proto/common';

const SERVICE = 'translation';
/** Translations in one query of unpublished ones. */
const BATCH = 100;

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
    private readonly translations: AnnouncementMarks,
    private readonly watchers: readonly Watcher[],
  ) {}

  async updated(translation: Translation, units: WrittenUnits): Promise<void> {
    for (const watch of this.watchers) watch(translation, units);
    try {
      await this.publish(translation, units);
    } catch (error) {
      if (!(error instanceof EventsUnavailableError)) throw error;
      logger.warn({ err: error, translation: translation.id }, 'announce: publishing failed, retried later');
      await this.translations.markUnannounced(translation.id);
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

  private async publish(t: Translation, units: WrittenUnits): Promise<void> {
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
    await this.bus.publish(newEvent(SERVICE, 'translationUpdated', payload, t.component));
  }

  /** Publishes marked translations. @returns their number */
  async announceMarked(): Promise<number> {
    for (let count = 0; ;) {
      const marked = await this.translations.listUnannounced(BATCH);
      for (const { translation, mark } of marked) {
        await this.publish(translation, 'any');
        await this.translations.clearUnannounced(translation.id, mark);
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
