import { connect, errors, nanos, type NatsConnection } from 'nats';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { inConsumerSpan, logger, metrics, type Dependency } from '@parlance/telemetry';
import { Counter } from 'prom-client';
import { GatheredBatches, PushedBatches, type Batches } from './batches';
import { decodeEvent, encodeEvent, subjectOf, type IncomingEvent, type OutgoingEvent, type PayloadName } from './event';
import { Follower, lastSequence, type FollowOptions } from './follow';
import { EventsUnavailableError, Link, within } from './link';
import { serversOf, type Servers } from './servers';

/** Stream that holds all events. */
export const STREAM = 'PARLANCE_EVENTS';
/** Stream that holds what consumers gave up on. */
export const DEAD_STREAM = 'PARLANCE_DEAD';

/** Error of the server: there is a consumer of that name with other settings. */
const CONSUMER_EXISTS = 10148;
/** How often an event is tried before it is parked on the dead-letter stream, when a consumer does not say. */
const DEFAULT_MAX_ATTEMPTS = 8;
/** Waiting time before the second, third ... attempt, in milliseconds; the last one repeats. */
const BACKOFF_MS = [100, 500, 2_000, 10_000, 30_000];
/** A handler that needs longer than this tells JetStream so while it works; in milliseconds. */
const ACK_WAIT_MS = 30_000;

/** How long a publication may take before the server counts as one that does not answer, in milliseconds. */
const PUBLISH_TIMEOUT_MS = 2_000;
/** How long the server may take to answer for readiness, in milliseconds. */
const READY_TIMEOUT_MS = 1_500;
/** How long an independent connection may take to be answered, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;
/** How often an idle connection is tried; the third attempt without an answer breaks it. In milliseconds. */
const PING_INTERVAL_MS = 10_000;

const published = new Counter({
  name: 'parlance_events_published_total',
  help: 'Events published.',
  labelNames: ['payload'],
  registers: [metrics],
});
const handled = new Counter({
  name: 'parlance_events_handled_total',
  help: 'Events handled by consumers.',
  labelNames: ['consumer', 'outcome'],
  registers: [metrics],
});

/** What a consumer subscribes to and does. */
export interface ConsumerOptions<N extends PayloadName> {
  /** Durable name, unique in the system: service and purpose, for instance statistics-counters. */
  durable: string;
  payloads: readonly N[];
  /** Called in stream order with up to `batch` events at once; resolves after the effect is durable. Must be repeatable. */
  handle: (events: IncomingEvent<N>[]) => Promise<void>;
  /** Events a call; default 1. */
  batch?: number;
  /**
   * How long events stay with the server after the first one, to be fetched together, in milliseconds: fewer and larger calls where
   * nobody waits. Default 0: they are pushed as they come.
   */
  gatherMs?: number;
  /** Handler calls at the same time; more than 1 gives up the order. Default 1. */
  concurrency?: number;
  /** Attempts before an event is parked on the dead-letter stream; default 8. */
  maxAttempts?: number;
}

/** A running consumer. */
export interface RunningConsumer {
  /**
   * Waits until every event that the stream held at the time of the call, and that this consumer wants, has been handled
   * or has failed and waits for its next attempt.
   * @returns false when that did not happen within the time
   */
  caughtUp(withinMs: number): Promise<boolean>;
  /** Takes no more events and waits for the running handlers. */
  stop(): Promise<void>;
}

/** The connection of a process to the event streams. */
export class EventBus {
  private readonly consumers: RunningConsumer[] = [];
  private readonly followers: { stop(): Promise<void> }[] = [];
  private readonly link: Link;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly deadStream: string,
    private readonly prefix: string,
    private readonly servers: Servers,
  ) {
    this.link = new Link(connection, () => manager.streams.info(stream));
  }

  /**
   * Connects and makes the streams if they are not there.
   * @param options.replicas copies of each stream in a cluster
   * @param options.namespace separates small systems that share one server (tests); part of stream names and subjects
   */
  static async connect(options: {
    url: string;
    service: string;
    replicas?: number;
    namespace?: string;
  }): Promise<EventBus> {
    const servers = serversOf(options.url);
    const connection = await connect({
      ...servers,
      name: `parlance-${options.service}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      waitOnFirstConnect: true,
      pingInterval: PING_INTERVAL_MS,
      // Each request would record where it was made from, for an error that hardly ever comes.
      noAsyncTraces: true,
    });
    try {
      return await EventBus.prepare(connection, servers, options);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  private static async prepare(
    connection: NatsConnection,
    servers: Servers,
    options: { replicas?: number; namespace?: string },
  ): Promise<EventBus> {
    const manager = await jetstreamManager(connection);
    const suffix = options.namespace ? `_${options.namespace}` : '';
    const prefix = options.namespace ? `${options.namespace}.` : '';
    const common = { storage: StorageType.File, num_replicas: options.replicas ?? 1 };
    const day = 24 * 3600 * 1000;
    // The server sets this much aside for each stream.
    const maxBytes = options.namespace ? 32 * 1024 ** 2 : 1024 ** 3;
    const wanted = [
      {
        ...common,
        name: `${STREAM}${suffix}`,
        subjects: [`${prefix}parlance.events.>`],
        retention: RetentionPolicy.Limits,
        max_age: nanos(7 * day),
        max_bytes: maxBytes,
        duplicate_window: nanos(10 * 60 * 1000),
      },
      {
        ...common,
        name: `${DEAD_STREAM}${suffix}`,
        subjects: [`${prefix}parlance.dead.>`],
        retention: RetentionPolicy.Limits,
        max_age: nanos(30 * day),
        max_bytes: maxBytes / 4,
      },
    ];
    for (const config of wanted) {
      try {
        await manager.streams.info(config.name);
      } catch {
        // Several processes may get here at once; all ask for the same stream.
        await manager.streams.add(config).catch(async (error: unknown) => {
          await manager.streams.info(config.name).catch(() => {
            throw error;
          });
        });
      }
    }
    return new EventBus(connection, jetstream(connection), manager, wanted[0]!.name, wanted[1]!.name, prefix, servers);
  }

  /** Whether the server answers for the stream of events, for readiness. */
  async connected(): Promise<boolean> {
    if (this.link.away) return false;
    const answered = await within(
      READY_TIMEOUT_MS,
      this.manager.streams.info(this.stream).then(
        () => true,
        () => false,
      ),
    );
    if (answered === undefined) this.link.missed();
    return answered === true;
  }

  /** The connection for the watchdog. */
  dependency(): Dependency {
    return {
      check: () => this.connected(),
      probe: async () => {
        const other = await connect({ ...this.servers, reconnect: false, timeout: PROBE_TIMEOUT_MS });
        try {
          await (await jetstreamManager(other, { timeout: PROBE_TIMEOUT_MS })).streams.info(this.stream);
          return true;
        } finally {
          await other.close();
        }
      },
      reconnect: () => this.connection.reconnect(),
    };
  }

  /** Called whenever the server answers again after it was away: what could not be published can be now. */
  onReturn(listener: () => void): void {
    this.link.onReturn(listener);
  }

  /**
   * Publishes an event; resolves when the stream has it. Publishing the same event again within ten minutes adds nothing.
   * @throws EventsUnavailableError, at once while the server is known to be away
   */
  async publish(event: OutgoingEvent): Promise<number> {
    if (this.link.away) throw new EventsUnavailableError();
    const subject = this.prefix + subjectOf(event.payloadName, event.key);
    const options = { msgID: event.id, timeout: PUBLISH_TIMEOUT_MS };
    const ack = await this.js.publish(subject, encodeEvent(event), options).catch((error: unknown) => {
      if (error instanceof errors.TimeoutError) this.link.missed();
      throw new EventsUnavailableError(error);
    });
    published.inc({ payload: event.payloadName });
    return ack.seq;
  }

  /** Starts a durable consumer. Events are acknowledged after the handler's effect and tried again with growing pauses when it fails. */
  async consume<N extends PayloadName>(options: ConsumerOptions<N>): Promise<RunningConsumer> {
    const batch = options.batch ?? 1;
    const concurrency = options.concurrency ?? 1;
    const config = {
      durable_name: options.durable,
      filter_subjects: options.payloads.map((p) => this.prefix + subjectOf(p)),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: -1,
      max_ack_pending: Math.max(batch * concurrency * 2, 2),
    };
    await this.manager.consumers.add(this.stream, config).catch(async (error: unknown) => {
      // Another version of the service made it; where it was with the events stays.
      if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error;
      await this.manager.consumers.update(this.stream, options.durable, config);
    });
    const source = await this.js.consumers.get(this.stream, options.durable);
    const batches = options.gatherMs
      ? new GatheredBatches(source, batch, options.gatherMs)
      : new PushedBatches(() => source.consume({ max_messages: Math.max(batch * concurrency, 2) }), batch);
    this.link.onReturn(() => batches.askAnew());
    const running = new Consumer(
      options,
      batches,
      concurrency,
      this.link,
      this.manager,
      this.stream,
      config.filter_subjects,
      (message, reason) => this.bury(options.durable, message, reason),
    );
    this.consumers.push(running);
    return running;
  }

  /** Follows events for state that this process keeps in memory; see Follower. */
  follow<N extends PayloadName>(options: FollowOptions<N>): Follower<N> {
    const follower = new Follower(
      options,
      this.link,
      this.js,
      this.manager,
      this.stream,
      options.payloads.map((p) => this.prefix + subjectOf(p)),
    );
    this.link.onReturn(() => follower.askAnew());
    this.followers.push(follower);
    return follower;
  }

  /** The sequence up to which a durable consumer has handled everything; 0 when it has not begun. */
  async handledUpTo(durable: string): Promise<number> {
    return (await this.manager.consumers.info(this.stream, durable)).ack_floor.stream_seq;
  }

  private async bury(durable: string, message: JsMsg, reason: string): Promise<void> {
    const headers = message.headers ?? undefined;
    await this.js.publish(`${this.prefix}parlance.dead.${durable}`, message.data, {
      msgID: `${durable}:${message.seq}`,
      ...(headers ? { headers } : {}),
      timeout: 5000,
    });
    logger.error(
      { consumer: durable, subject: message.subject, sequence: message.seq, reason },
      'event parked on the dead-letter stream',
    );
  }

  /** Puts parked events of a consumer back on the stream of events, under their own ids, and removes them from the dead letters. */
  async replayDead(
    durable: string,
    payloadsOf: (event: ReturnType<typeof decodeEvent>) => boolean = () => true,
  ): Promise<number> {
    let replayed = 0;
    const subject = `${this.prefix}parlance.dead.${durable}`;
    const info = await this.manager.streams.info(this.deadStream);
    for (let sequence = info.state.first_seq; sequence <= info.state.last_seq && info.state.messages > 0; sequence++) {
      const stored = await this.manager.streams.getMessage(this.deadStream, { seq: sequence }).catch(() => null);
      if (!stored || stored.subject !== subject) continue;
      const event = decodeEvent(stored.data);
      if (!payloadsOf(event)) continue;
      await this.js.publish(this.prefix + subjectOf(event.payloadName, event.key), stored.data, {
        msgID: `${event.id}:replay:${sequence}`,
      });
      await this.manager.streams.deleteMessage(this.deadStream, sequence);
      replayed++;
    }
    return replayed;
  }

  /** How many events are parked. */
  async deadCount(): Promise<number> {
    return (await this.manager.streams.info(this.deadStream)).state.messages;
  }

  /** Stops the consumers: takes no more events, waits for the running handlers. */
  async drain(): Promise<void> {
    await Promise.all(this.consumers.map((c) => c.stop()));
  }

  async close(): Promise<void> {
    await this.drain();
    await Promise.all(this.followers.map((f) => f.stop()));
    // Draining asks the server.
    await (this.link.away ? this.connection.close() : this.connection.drain()).catch(() => undefined);
  }
}

const isRedelivered = ({ message }: { message: JsMsg }): boolean => message.info.deliveryCount > 1;

class Consumer<N extends PayloadName> implements RunningConsumer {
  private stopped = false;
  private readonly active = new Set<Promise<void>>();
  private readonly loop: Promise<void>;
  /** Highest sequence up to which everything this consumer was given has been handled. */
  private handledUpTo = 0;
  private waiting: { target: number; done: () => void }[] = [];

  constructor(
    private readonly options: ConsumerOptions<N>,
    private readonly batches: Batches,
    private readonly concurrency: number,
    private readonly link: Link,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly subjects: string[],
    private readonly bury: (message: JsMsg, reason: string) => Promise<void>,
  ) {
    this.loop = this.run();
  }

  private async run(): Promise<void> {
    for await (const batch of this.batches) {
      while (this.active.size >= this.concurrency) await Promise.race(this.active);
      const work = this.work(batch);
      this.active.add(work);
      void work.finally(() => this.active.delete(work));
      if (this.concurrency === 1) await work;
    }
    await Promise.all(this.active);
  }

  private async work(messages: JsMsg[]): Promise<void> {
    const pairs: { message: JsMsg; event: IncomingEvent<N> }[] = [];
    for (const message of messages) {
      // Its earlier deliveries ended without an answer: the process died or hung while it handled the event.
      if (message.info.deliveryCount > this.maxAttempts) {
        await this.giveUp(message, `was delivered ${message.info.deliveryCount - 1} times without being handled`);
        continue;
      }
      try {
        const event = {
          ...decodeEvent(message.data),
          sequence: message.seq,
          attempt: message.info.deliveryCount,
        } as IncomingEvent<N>;
        pairs.push({ message, event });
      } catch (error) {
        await this.giveUp(message, `cannot be read: ${String(error)}`);
      }
    }
    if (pairs.length === 0) return;
    // An event that came before may be what ended the last process: it takes no others with it.
    if (pairs.some(isRedelivered)) for (const pair of pairs) await this.attempt([pair]);
    else await this.attempt(pairs);
  }

  private async attempt(pairs: { message: JsMsg; event: IncomingEvent<N> }[]): Promise<void> {
    try {
      await this.handle(pairs);
    } catch (error) {
      if (pairs.length === 1) return this.failed(pairs[0]!.message, error);
      // One event spoils the batch: each gets its own attempt.
      for (const pair of pairs) await this.handle([pair]).catch((single: unknown) => this.failed(pair.message, single));
    }
  }

  private async handle(pairs: { message: JsMsg; event: IncomingEvent<N> }[]): Promise<void> {
    const beat = setInterval(() => pairs.forEach((p) => p.message.working()), ACK_WAIT_MS / 3);
    try {
      const events = pairs.map((p) => p.event);
      await inConsumerSpan(
        `process ${this.options.durable}`,
        events.map((e) => e.traceparent),
        () => this.options.handle(events),
      );
    } finally {
      clearInterval(beat);
    }
    for (const { message } of pairs) message.ack();
    handled.inc({ consumer: this.options.durable, outcome: 'done' }, pairs.length);
    this.passed(pairs.at(-1)!.message.seq);
  }

  private get maxAttempts(): number {
    return this.options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS;
  }

  private async failed(message: JsMsg, error: unknown): Promise<void> {
    const attempt = message.info.deliveryCount;
    if (attempt >= this.maxAttempts) return this.giveUp(message, String(error));
    const pause = BACKOFF_MS[Math.min(attempt - 1, BACKOFF_MS.length - 1)]!;
    logger.warn(
      { err: error, consumer: this.options.durable, sequence: message.seq, attempt },
      'event handler failed; it is tried again',
    );
    handled.inc({ consumer: this.options.durable, outcome: 'retried' });
    message.nak(pause);
  }

  private async giveUp(message: JsMsg, reason: string): Promise<void> {
    try {
      await this.bury(message, reason);
      message.term(reason.slice(0, 200));
      handled.inc({ consumer: this.options.durable, outcome: 'dead' });
      this.passed(message.seq);
    } catch (error) {
      logger.error({ err: error, consumer: this.options.durable }, 'event could not be parked');
      message.nak(BACKOFF_MS.at(-1));
    }
  }

  private passed(sequence: number): void {
    if (sequence > this.handledUpTo) this.handledUpTo = sequence;
    this.waiting = this.waiting.filter((w) => {
      if (w.target > this.handledUpTo) return true;
      w.done();
      return false;
    });
  }

  async caughtUp(withinMs: number): Promise<boolean> {
    if (this.link.away) return false;
    const until = Date.now() + withinMs;
    const last = lastSequence(this.manager, this.stream, this.subjects).catch(() => undefined);
    const target = await within(withinMs, last);
    if (target === undefined) return false;
    if (target <= this.handledUpTo) return true;
    // Another replica may have handled it: the server knows how far all of them are.
    const asked = this.manager.consumers.info(this.stream, this.options.durable).catch(() => undefined);
    const info = await within(Math.max(0, until - Date.now()), asked);
    if (!info) return false;
    if (info.ack_floor.stream_seq >= target || (info.num_pending === 0 && info.num_ack_pending === 0)) {
      this.passed(target);
      return true;
    }
    this.batches.hurry();
    return new Promise<boolean>((resolve) => {
      const entry = { target, done: () => finish(true) };
      const poll = setInterval(() => {
        void this.manager.consumers.info(this.stream, this.options.durable).then(
          (now) => {
            if (now.ack_floor.stream_seq >= target) finish(true);
            else if (Date.now() > until) finish(false);
          },
          () => Date.now() > until && finish(false),
        );
        if (this.link.away) finish(false);
      }, 50);
      const finish = (result: boolean) => {
        clearInterval(poll);
        this.waiting = this.waiting.filter((w) => w !== entry);
        resolve(result);
      };
      this.waiting.push(entry);
      if (target <= this.handledUpTo) finish(true);
    });
  }

  async stop(): Promise<void> {
    if (this.stopped) return this.loop;
    this.stopped = true;
    this.batches.stop();
    await this.loop.catch(() => undefined);
  }
}
