import { logger, metrics } from '@parlance/telemetry';
import { Counter } from 'prom-client';
import type { EventBus } from './bus';
import type { OutgoingEvent } from './event';

/** Age from which events are left over from a crash, and how often the relay looks for them, in milliseconds: together below 10 s. */
const GRACE_MS = 4_000;
const EVERY_MS = 4_000;

/** A document's unpublished events. */
export interface OutboxEntry<Id> {
  documentId: Id;
  events: OutgoingEvent[];
}

/** How the relay finds and removes what is left in documents; implemented by each service's store. */
export interface OutboxStore<Id> {
  /** Documents whose outbox holds events made before the given time (milliseconds since the epoch). */
  pending(beforeMs: number, limit: number): Promise<OutboxEntry<Id>[]>;
  /** Takes published events out of a document's outbox. */
  remove(documentId: Id, eventIds: string[]): Promise<void>;
}

const relayed = new Counter({
  name: 'parlance_outbox_relayed_total',
  help: 'Events that the relay published after a crash or outage.',
  registers: [metrics],
});

/**
 * Publishes what writes leave in documents' outboxes. The process that wrote publishes at once (`flush`); a periodic pass picks up
 * what a crash or an outage of the event server left behind, so an announced write is never lost.
 */
export class OutboxRelay<Id> {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<number> | undefined;

  constructor(
    private readonly bus: Pick<EventBus, 'publish'>,
    private readonly store: OutboxStore<Id>,
    /** Younger events are left to the process that wrote them, in milliseconds. */
    private readonly graceMs = GRACE_MS,
  ) {}

  /**
   * Publishes events that were just written and takes them out of the document. The write itself is durable already, so a failure
   * is only logged: the periodic pass tries again.
   */
  async flush(documentId: Id, events: OutgoingEvent[]): Promise<void> {
    try {
      await Promise.all(events.map((event) => this.bus.publish(event)));
      await this.store.remove(
        documentId,
        events.map((e) => e.id),
      );
    } catch (error) {
      logger.warn({ err: error }, 'events stay in the outbox for now');
    }
  }

  /** One pass; answers how many events it published. */
  async relayOnce(graceMs = this.graceMs): Promise<number> {
    let count = 0;
    for (;;) {
      const entries = await this.store.pending(Date.now() - graceMs, 100);
      for (const entry of entries) {
        const events = [...entry.events].sort((a, b) => a.timeMs - b.timeMs);
        for (const event of events) await this.bus.publish(event);
        await this.store.remove(
          entry.documentId,
          events.map((e) => e.id),
        );
        count += events.length;
      }
      if (entries.length < 100) break;
    }
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
