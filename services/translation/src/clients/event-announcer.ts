import { EventsUnavailableError, newEvent, type EventBus } from '@parlance/events';
import { logger } from '@parlance/telemetry';
import type { AnnouncementMarks, Announcer, WrittenUnits } from '../domain/ports';
import type { Translation } from '../domain/translation';
import { countersToProto } from '../proto/common';

const SERVICE = 'translation';
/** Translations that are announced before it is asked for more. */
const BATCH = 100;

type Watcher = (translation: Translation, units: WrittenUnits) => void;

/**
 * Announces translations to other services. What cannot be published is remembered with the translation and published later, with
 * the numbers that it has then: each event holds all of them, so the last one is enough.
 */
export class EventAnnouncer implements Announcer {
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<unknown> | undefined;

  /** @param watchers what is told of every write here, before anybody else is */
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
      logger.warn({ err: error, translation: translation.id }, 'a translation is announced later');
      await this.translations.markUnannounced(translation.id);
    }
  }

  async deleted(t: Translation): Promise<void> {
    const facts = {
      translationId: t.id,
      componentId: t.component,
      projectId: t.project,
      languageCode: t.language.code,
    };
    await this.bus.publish(newEvent(SERVICE, 'translationDeleted', facts, t.component));
  }

  private async publish(t: Translation, units: WrittenUnits): Promise<void> {
    const facts = {
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
    await this.bus.publish(newEvent(SERVICE, 'translationUpdated', facts, t.component));
  }

  /** Publishes what could not be published before; answers how many translations that were. */
  async announceLeft(): Promise<number> {
    for (let count = 0; ;) {
      const left = await this.translations.unannounced(BATCH);
      for (const { translation, mark } of left) {
        await this.publish(translation, 'any');
        await this.translations.announced(translation.id, mark);
      }
      count += left.length;
      if (left.length < BATCH) return count;
    }
  }

  /** Looks for what is left now, whenever the event server answers again, and every so many milliseconds. */
  start(everyMs = 15_000): void {
    const pass = () => {
      this.passing ??= this.announceLeft()
        .catch((error: unknown) => logger.warn({ err: error }, 'announcing what is left failed; it is tried again'))
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
