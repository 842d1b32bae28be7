import type { ConsumerInfo, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { counter, histogram, inConsumerSpan, inTraceOf, logger, secondsSince, within } from '@parlance/telemetry';
import type { Batches } from './batches';
import type { DeadLetters } from './dead-letters';
import { decodeDelivery, secondsSinceWrite, subjectOf, type IncomingEvent, type PayloadName } from './event';
import { inOrder, payloadNames, type EventHandlers } from './handlers';
import { lastSequence } from './follow';
import { HandledPosition, type DeliveredAt } from './handled-position';
import type { Link } from './link';

/** Time after which the server delivers an unacknowledged event again; a running handler extends it. In milliseconds. */
export const ACK_WAIT_MS = 30_000;
/** Attempts before an event becomes a dead letter, by default. */
const DEFAULT_MAX_ATTEMPTS = 8;
/** Delay before the second, third ... attempt, in milliseconds; the last one repeats. */
const BACKOFF_MS = [100, 500, 2_000, 10_000, 30_000];
/** Longest delay of a retry that readers wait for, in milliseconds. */
const MAX_AWAITED_RETRY_MS = 500;
/** How often `caughtUp` asks the server for the consumer's position, in milliseconds. */
const POLL_MS = 50;

const handled = counter('parlance_events_handled_total');
const redelivered = counter('parlance_events_redelivered_total');
const handling = histogram('parlance_event_handling_duration_seconds');
const delay = histogram('parlance_event_delay_seconds');

interface ConsumerSettings {
  /** Durable name, unique in the system: service and purpose, for instance statistics-counters. */
  durable: string;
  /** Events per call; default 1. */
  batch?: number;
  /**
   * Debounce: how long events stay on the server after the first one, to be fetched in one batch, in milliseconds. Default 0: the
   * server pushes them as they come.
   */
  gatherMs?: number;
  /** Concurrent handler calls; more than 1 gives up the order. Default 1. */
  concurrency?: number;
  /** Attempts before an event becomes a dead letter; default 8. */
  maxAttempts?: number;
}

type BatchHandler<N extends PayloadName> = (events: IncomingEvent<N>[]) => Promise<void>;

/** A consumer that handles its events as a batch. */
export interface BatchConsumerOptions<N extends PayloadName> extends ConsumerSettings {
  payloads: readonly N[];
  /** Called in stream order with up to `batch` events; resolves after the effect is durable. Must be idempotent. */
  handle: BatchHandler<NoInfer<N>>;
}

/** A consumer with one handler for each payload. The map decides what it subscribes to. */
export interface MappedConsumerOptions<N extends PayloadName> extends ConsumerSettings {
  /** Called in stream order, one event at a time. Must be idempotent. */
  handlers: EventHandlers<N>;
}

export type ConsumerOptions<N extends PayloadName> = BatchConsumerOptions<N> | MappedConsumerOptions<N>;

/** Payloads and batch handler of either kind of consumer. */
export function subscriptionOf<N extends PayloadName>(
  options: ConsumerOptions<N>,
): { payloads: readonly N[]; handle: BatchHandler<N> } {
  if ('handle' in options) return options;
  return { payloads: payloadNames(options.handlers), handle: inOrder(options.handlers) };
}

/** A running consumer. */
export interface RunningConsumer {
  /**
   * Waits until every event that the stream held at the time of the call, and that this consumer subscribes to, has been handled by any
   * replica, or has failed and waits for a later retry.
   * @returns false on timeout
   */
  caughtUp(withinMs: number): Promise<boolean>;
  /**
   * Reads what the handlers write, with the effect of every event that `caughtUp` waits for. The position is checked during the read, which
   * is repeated if events were unhandled when it started.
   * @param read must be repeatable; it may run twice
   */
  readCaughtUp<T>(withinMs: number, read: () => Promise<T>): Promise<T>;
  /** Stops the subscription and waits for the running handlers. */
  stop(): Promise<void>;
}

interface ConsumerDeps<N extends PayloadName> {
  durable: string;
  handle: BatchHandler<N>;
  concurrency: number;
  maxAttempts?: number | undefined;
  batches: Batches;
  link: Link;
  manager: JetStreamManager;
  stream: string;
  subjects: string[];
  deadLetters: Pick<DeadLetters, 'add'>;
}

interface Delivery<N extends PayloadName> {
  message: JsMsg;
  event: IncomingEvent<N>;
}

const deliveredAt = ({ info }: JsMsg): DeliveredAt => ({
  delivery: info.deliverySequence,
  stream: info.streamSequence,
});

const isRedelivered = ({ message }: { message: JsMsg }): boolean => message.info.deliveryCount > 1;

/** The loop of a durable consumer: batches, attempts, acknowledgements and dead letters. */
export class Consumer<N extends PayloadName> implements RunningConsumer {
  private stopped = false;
  private readonly active = new Set<Promise<void>>();
  private readonly loop: Promise<void>;
  private readonly position = new HandledPosition();
  private waiting: { target: number; done: () => void }[] = [];

  constructor(private readonly deps: ConsumerDeps<N>) {
    this.loop = this.run();
  }

  private async run(): Promise<void> {
    for await (const batch of this.deps.batches) {
      while (this.active.size >= this.deps.concurrency) await Promise.race(this.active);
      const work = this.work(batch);
      this.active.add(work);
      void work.finally(() => this.active.delete(work));
      if (this.deps.concurrency === 1) await work;
    }
    await Promise.all(this.active);
  }

  private async work(messages: JsMsg[]): Promise<void> {
    const pairs: Delivery<N>[] = [];
    for (const message of messages) {
      if (message.info.deliveryCount > 1) redelivered.inc({ consumer: this.deps.durable });
      // Earlier deliveries were never acknowledged: the process died or hung in the handler.
      if (message.info.deliveryCount > this.maxAttempts) {
        await this.moveToDeadLetters(
          message,
          `delivered ${message.info.deliveryCount - 1} times without an acknowledgement`,
        );
        continue;
      }
      try {
        const delivery = { sequence: message.seq, attempt: message.info.deliveryCount };
        const event = decodeDelivery<N>(message.data, delivery);
        pairs.push({ message, event });
      } catch (error) {
        await this.moveToDeadLetters(message, `cannot be decoded: ${String(error)}`);
      }
    }
    if (pairs.length === 0) return;
    // A redelivered event may have killed the last process. It is handled alone so that it cannot fail a batch.
    if (pairs.some(isRedelivered)) for (const pair of pairs) await this.attempt([pair]);
    else await this.attempt(pairs);
  }

  private async attempt(pairs: Delivery<N>[]): Promise<void> {
    try {
      await this.handle(pairs);
    } catch (error) {
      if (pairs.length === 1) return this.handleFailure(pairs[0]!, error);
      // A single event may fail the whole batch: retry each event alone.
      for (const pair of pairs) await this.handle([pair]).catch((single: unknown) => this.handleFailure(pair, single));
    }
  }

  private async handle(pairs: Delivery<N>[]): Promise<void> {
    const consumer = this.deps.durable;
    const startedAt = performance.now();
    const beat = setInterval(() => pairs.forEach((p) => p.message.working()), ACK_WAIT_MS / 3);
    try {
      const events = pairs.map((p) => p.event);
      await inConsumerSpan(
        `process ${consumer}`,
        events.map((e) => e.traceparent),
        async () => {
          await this.deps.handle(events);
          for (const event of events) delay.observe({ consumer }, secondsSinceWrite(event));
        },
        {
          'messaging.system': 'nats',
          'messaging.operation.type': 'process',
          'messaging.operation.name': 'process',
          'messaging.consumer.group.name': consumer,
          'messaging.destination.name': subjectOf(events[0]!.payloadName),
          'messaging.batch.message_count': events.length,
        },
      );
    } finally {
      clearInterval(beat);
      handling.observe({ consumer }, secondsSince(startedAt));
    }
    for (const { message } of pairs) message.ack();
    handled.inc({ consumer, outcome: 'done' }, pairs.length);
    this.settle(pairs.map(({ message }) => message));
  }

  private get maxAttempts(): number {
    return this.deps.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
  }

  private handleFailure({ message, event }: Delivery<N>, error: unknown): Promise<void> {
    return inTraceOf([event.traceparent], () => this.retryOrGiveUp(message, error));
  }

  private async retryOrGiveUp(message: JsMsg, error: unknown): Promise<void> {
    const attempt = message.info.deliveryCount;
    if (attempt >= this.maxAttempts) return this.moveToDeadLetters(message, String(error));
    const pause = BACKOFF_MS[Math.min(attempt - 1, BACKOFF_MS.length - 1)]!;
    logger.warn(
      { err: error, consumer: this.deps.durable, sequence: message.seq, attempt },
      'event handler failed; retrying',
    );
    handled.inc({ consumer: this.deps.durable, outcome: 'retried' });
    message.nak(pause);
    if (pause <= MAX_AWAITED_RETRY_MS) return this.position.failed(deliveredAt(message));
    this.settle([message]);
  }

  private async moveToDeadLetters(message: JsMsg, reason: string): Promise<void> {
    try {
      await this.deps.deadLetters.add(this.deps.durable, message, reason);
      message.term(reason.slice(0, 200));
      handled.inc({ consumer: this.deps.durable, outcome: 'dead' });
      this.settle([message]);
    } catch (error) {
      logger.warn({ err: error, consumer: this.deps.durable }, 'storing a dead letter failed; retrying');
      message.nak(BACKOFF_MS.at(-1));
    }
  }

  private settle(messages: readonly JsMsg[]): void {
    for (const message of messages) this.position.settled(deliveredAt(message));
    this.wakeReaders();
  }

  private wakeReaders(): void {
    const { sequence } = this.position;
    this.waiting = this.waiting.filter((w) => {
      if (w.target > sequence) return true;
      w.done();
      return false;
    });
  }

  async caughtUp(withinMs: number): Promise<boolean> {
    const until = Date.now() + withinMs;
    const target = await this.lastStored(withinMs);
    return target !== undefined && (target <= this.position.sequence || this.waitFor(target, until));
  }

  async readCaughtUp<T>(withinMs: number, read: () => Promise<T>): Promise<T> {
    const until = Date.now() + withinMs;
    const { sequence } = this.position;
    const early = read();
    // It may fail before it is awaited.
    early.catch(() => undefined);
    const target = await this.lastStored(withinMs);
    if (target === undefined || target <= sequence) return early;
    if (target > this.position.sequence) await this.waitFor(target, until);
    await early.catch(() => undefined);
    return read();
  }

  /** The last sequence of the subscribed events; undefined while the server is unavailable. */
  private async lastStored(withinMs: number): Promise<number | undefined> {
    if (this.deps.link.away) return undefined;
    const { manager, stream, subjects } = this.deps;
    return within(
      withinMs,
      lastSequence(manager, stream, subjects).catch(() => undefined),
    );
  }

  /** Waits until every event up to a sequence has been handled. @returns false on timeout */
  private async waitFor(target: number, until: number): Promise<boolean> {
    // Another replica may have handled it. The server knows the position of the whole consumer.
    const info = await within(Math.max(0, until - Date.now()), this.askServer());
    if (!info) return false;
    if (target <= this.position.sequence || (info.num_pending === 0 && info.num_ack_pending === 0)) return true;
    this.deps.batches.flush();
    return new Promise<boolean>((resolve) => {
      const entry = { target, done: () => finish(true) };
      const poll = setInterval(() => {
        void this.askServer().then(() => Date.now() > until && finish(false));
        if (this.deps.link.away) finish(false);
      }, POLL_MS);
      const finish = (result: boolean) => {
        clearInterval(poll);
        this.waiting = this.waiting.filter((w) => w !== entry);
        resolve(result);
      };
      this.waiting.push(entry);
      if (target <= this.position.sequence) finish(true);
    });
  }

  /** Asks for the position of the whole consumer; undefined while the server does not answer. */
  private async askServer(): Promise<ConsumerInfo | undefined> {
    const { manager, stream, durable } = this.deps;
    const info = await manager.consumers.info(stream, durable).catch(() => undefined);
    if (!info) return undefined;
    const { consumer_seq: delivery, stream_seq } = info.ack_floor;
    this.position.confirm({ floor: { delivery, stream: stream_seq }, delivered: info.delivered.consumer_seq });
    this.wakeReaders();
    return info;
  }

  async stop(): Promise<void> {
    if (this.stopped) return this.loop;
    this.stopped = true;
    this.deps.batches.stop();
    await this.loop.catch(() => undefined);
  }
}
