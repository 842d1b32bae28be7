import { counter, gauge, logger } from '@parlance/telemetry';
import type { EventBus } from './bus';
import type { OutgoingEvent } from './event';

/**
 * Minimum age of events that the relay publishes, and its interval, in milliseconds. Their sum bounds the delay after a crash and stays
 * below 10 s.
 */
const GRACE_MS = 4_000;
const EVERY_MS = 4_000;
/** Documents per query of the relay. */
const PASS_SIZE = 100;

/** A document's unpublished events. */
export interface OutboxEntry<Id> {
  documentId: Id;
  events: OutgoingEvent[];
}

/** Access of the relay to the outboxes; implemented by each service's store. */
export interface OutboxStore<Id> {
  /** Documents whose outbox holds events older than the given time (milliseconds since the epoch). */
  pending(beforeMs: number, limit: number): Promise<OutboxEntry<Id>[]>;
  /** Removes published events from a document's outbox. */
  remove(documentId: Id, eventIds: string[]): Promise<void>;
}

const relayed = counter('parlance_outbox_relayed_total');
const unpublished = gauge('parlance_outbox_events');
const oldestAge = gauge('parlance_outbox_oldest_event_age_seconds');

/**
 * Transactional outbox: a write stores its events in the document that it changes. The writing process publishes them right after the
 * write (`flush`); a periodic pass publishes those that a crash or an outage of the event server left behind.
 */
export class OutboxRelay<Id> {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<number> | undefined;

  constructor(
    private readonly bus: Pick<EventBus, 'publish'>,
    private readonly store: OutboxStore<Id>,
    /** Younger events are left to the writing process, in milliseconds. */
    private readonly graceMs = GRACE_MS,
  ) {}

  /**
   * Publishes events of a write and removes them from the document. The write itself is durable, so a failure is only logged: the
   * periodic pass retries.
   */
  async flush(documentId: Id, events: OutgoingEvent[]): Promise<void> {
    try {
      await Promise.all(events.map((event) => this.bus.publish(event)));
      await this.store.remove(
        documentId,
        events.map((e) => e.id),
      );
    } catch (error) {
      logger.warn({ err: error }, 'publishing failed; the events stay in the outbox');
    }
  }

  /** One pass over all outboxes. @returns the number of published events */
  async relayOnce(graceMs = this.graceMs): Promise<number> {
    let count = 0;
    // A fixed bound, so that the pass ends while other processes keep writing.
    const before = Date.now() - graceMs;
    let full = true;
    while (full) {
      const entries = await this.store.pending(before, PASS_SIZE);
      measure(entries);
      for (const entry of entries) {
        const events = [...entry.events].sort((a, b) => a.timeMs - b.timeMs);
        for (const event of events) await this.bus.publish(event);
        await this.store.remove(
          entry.documentId,
          events.map((e) => e.id),
        );
        count += events.length;
      }
      full = entries.length >= PASS_SIZE;
    }
    measure([]);
    if (count > 0) relayed.inc(count);
    return count;
  }

  /** Starts the periodic pass: once at start, then every `everyMs`. */
  start(everyMs = EVERY_MS): void {
    const pass = () => {
      this.running ??= this.relayOnce()
        .catch((error: unknown) => {
          logger.warn({ err: error }, 'outbox pass failed');
          return 0;
        })
        .finally(() => {
          this.running = undefined;
        });
    };
    pass();
    this.timer = setInterval(pass, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}

/** Reports the unpublished events that a pass found. The values stay while publishing fails. */
function measure(entries: readonly OutboxEntry<unknown>[]): void {
  const events = entries.flatMap((entry) => entry.events);
  unpublished.set(events.length);
  oldestAge.set(events.reduce((age, { timeMs }) => Math.max(age, (Date.now() - timeMs) / 1000), 0));
}
