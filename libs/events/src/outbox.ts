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
/** Bound of counts of documents with unpublished events; a larger backlog reports this number. */
const MAX_COUNTED = 10_000;

/** A document's unpublished events. */
export interface OutboxEntry<Id> {
  documentId: Id;
  events: OutgoingEvent[];
}

/** Access of the relay to the outboxes; implemented by each service's store. */
export interface OutboxStore<Id> {
  /** Documents whose outbox holds events older than the given time (milliseconds since the epoch). */
  pending(beforeMs: number, limit: number): Promise<OutboxEntry<Id>[]>;
  /** Number of these documents; counts no further than `limit`. */
  count(beforeMs: number, limit: number): Promise<number>;
  /** Removes published events from a document's outbox. */
  remove(documentId: Id, eventIds: string[]): Promise<void>;
}

/** Events that a service has stored but not published. */
export interface OutboxBacklog {
  events: number;
  /** Time of the oldest one, milliseconds since the epoch; undefined: none. */
  oldestMs: number | undefined;
}

const relayed = counter('parlance_outbox_relayed_total');
const unpublished = gauge('parlance_outbox_events');
const oldestAge = gauge('parlance_outbox_oldest_event_age_seconds');

/**
 * Transactional outbox: a write stores its events in the document that it changes. The writing process publishes them right after the
 * write (`flush`); a periodic pass publishes those that a crash or an outage of the event server left behind.
 */
export class OutboxRelay<Id> {
  private readonly passes = new Passes(() => this.relayOnce(), 'outbox pass failed');

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
    /** Documents with unpublished events. */
    let documents = 0;
    let full = true;
    while (full) {
      const entries = await this.store.pending(before, PASS_SIZE);
      full = entries.length >= PASS_SIZE;
      // Counted once a pass: a count of each page would be quadratic in the backlog.
      if (full && documents === 0) documents = await this.store.count(before, MAX_COUNTED);
      report(backlogOf(entries, documents));
      for (const entry of entries) {
        const events = [...entry.events].sort((a, b) => a.timeMs - b.timeMs);
        for (const event of events) await this.bus.publish(event);
        await this.store.remove(
          entry.documentId,
          events.map((e) => e.id),
        );
        count += events.length;
      }
      documents = Math.max(0, documents - entries.length);
    }
    report({ events: 0, oldestMs: undefined });
    if (count > 0) relayed.inc(count);
    return count;
  }

  /** Starts the periodic pass: once at start, then every `everyMs`. */
  start(everyMs = EVERY_MS): void {
    this.passes.start(everyMs);
  }

  stop(): Promise<void> {
    return this.passes.stop();
  }
}

/** The backlog of a pass whose first page is known. */
function backlogOf(entries: readonly OutboxEntry<unknown>[], documents: number): OutboxBacklog {
  const events = entries.flatMap((entry) => entry.events);
  const oldestMs = events.reduce((oldest, { timeMs }) => Math.min(oldest, timeMs), Infinity);
  return { events: Math.max(events.length, documents), oldestMs: events.length === 0 ? undefined : oldestMs };
}

/** Reports the unpublished events. The values stay while publishing or reading fails. */
function report({ events, oldestMs }: OutboxBacklog): void {
  unpublished.set(events);
  oldestAge.set(oldestMs === undefined ? 0 : Math.max(0, (Date.now() - oldestMs) / 1000));
}

/** Reports the backlog of a service that relays its events itself, with the metrics and the interval of `OutboxRelay`. */
export class OutboxMeter {
  private readonly passes = new Passes(() => this.measureOnce(), 'outbox: measuring the backlog failed');

  /** @param read the backlog of events before a time (milliseconds since the epoch); reads at most `limit` of each kind */
  constructor(
    private readonly read: (beforeMs: number, limit: number) => Promise<OutboxBacklog>,
    /** Younger events are in progress, in milliseconds. */
    private readonly graceMs = GRACE_MS,
  ) {}

  /** Reads and reports the backlog. */
  async measureOnce(): Promise<void> {
    report(await this.read(Date.now() - this.graceMs, MAX_COUNTED));
  }

  /** Starts measuring: once at start, then every `everyMs`. */
  start(everyMs = EVERY_MS): void {
    this.passes.start(everyMs);
  }

  stop(): Promise<void> {
    return this.passes.stop();
  }
}

/** Periodic work, one pass at a time. A pass that fails is logged; the next one tries again. */
class Passes {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly failure: string,
  ) {}

  start(everyMs: number): void {
    const pass = () => {
      this.running ??= this.work()
        .catch((error: unknown) => logger.warn({ err: error }, this.failure))
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
