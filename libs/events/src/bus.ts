import { connect, errors, nanos, type NatsConnection } from 'nats';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { counter, gauge, refreshOnScrape, startProducerSpan, within, type Dependency } from '@parlance/telemetry';
import type { CertificateFiles } from '@parlance/tls';
import { GatheredBatches, PushedBatches } from './batches';
import { ACK_WAIT_MS, Consumer, subscriptionOf, type ConsumerOptions, type RunningConsumer } from './consumer';
import { DeadLetters } from './dead-letters';
import { encodeEvent, subjectOf, type OutgoingEvent, type PayloadName } from './event';
import { Follower, lastSequence, type FollowOptions } from './follow';
import { measureFollowerLag, measureLag } from './lag';
import { EventsUnavailableError, Link } from './link';
import { serversOf, type Servers } from './servers';
import { ensureStreams, streamNames, type StreamNames } from './streams';

/** Server error code: the consumer exists with other settings. */
const CONSUMER_EXISTS = 10148;

/** How long a publication may take before the server counts as unresponsive, in milliseconds. */
const PUBLISH_TIMEOUT_MS = 2_000;
/** How long the server may take to answer for readiness, in milliseconds. */
const READY_TIMEOUT_MS = 1_500;
/** Timeout of the watchdog's own connection, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;
/** Interval of pings on an idle connection; the third without an answer breaks it. In milliseconds. */
const PING_INTERVAL_MS = 10_000;

const published = counter('parlance_events_published_total');
const deadLetters = gauge('parlance_dead_letters');
const streamBytes = gauge('parlance_event_stream_bytes');
const streamMaxBytes = gauge('parlance_event_stream_max_bytes');

/** Connection settings of a process. */
export interface BusOptions {
  /** `NATS_URL`: comma-separated addresses. */
  url: string;
  service: string;
  /** Copies of each stream in a cluster; default 1. */
  replicas?: number;
  /** `NATS_NAMESPACE`: separates installations that share an account of the server; part of stream names and subjects. */
  installation?: string | undefined;
  /** The same for tests, whose streams are small. */
  namespace?: string | undefined;
  /** Certificates for servers with `tls://`. */
  engineTls?: CertificateFiles | undefined;
  /** Time in which a server must accept the connection, in milliseconds; by default, `connect` waits for one. */
  connectWithinMs?: number | undefined;
}

/** The connection of a process to the event streams. */
export class EventBus {
  private readonly consumers: RunningConsumer[] = [];
  private readonly followers: { stop(): Promise<void> }[] = [];
  private readonly link: Link;
  readonly deadLetters: DeadLetters;
  private readonly stopMetrics: (() => void)[] = [];

  private constructor(
    private readonly connection: NatsConnection,
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly names: StreamNames,
    private readonly servers: Servers,
    service: string,
  ) {
    this.link = new Link(connection, () => manager.streams.info(names.events));
    this.deadLetters = new DeadLetters(js, manager, names, service);
    this.stopMetrics.push(
      refreshOnScrape('event-streams', [deadLetters, streamBytes, streamMaxBytes], () => this.measureStreams()),
    );
  }

  /**
   * Connects, and creates the streams that are missing.
   * @throws an error of the server, or that none accepted the connection in time
   */
  static async connect(options: BusOptions): Promise<EventBus> {
    const servers = serversOf(options.url, options.engineTls);
    const connection = await connect({
      ...servers,
      name: `parlance-${options.service}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      ...(options.connectWithinMs === undefined
        ? { waitOnFirstConnect: true }
        : { waitOnFirstConnect: false, timeout: options.connectWithinMs }),
      pingInterval: PING_INTERVAL_MS,
      // By default the client records a stack trace for every request.
      noAsyncTraces: true,
    });
    try {
      const manager = await jetstreamManager(connection);
      const names = streamNames([options.installation, options.namespace].filter(Boolean).join('-'));
      const maxBytes = options.namespace ? 32 * 1024 ** 2 : 1024 ** 3;
      await ensureStreams(manager, names, { replicas: options.replicas ?? 1, maxBytes });
      return new EventBus(connection, jetstream(connection), manager, names, servers, options.service);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Whether the server answers for the event stream, for readiness. */
  async connected(): Promise<boolean> {
    if (this.link.away) return false;
    const answered = await within(
      READY_TIMEOUT_MS,
      this.manager.streams.info(this.names.events).then(
        () => true,
        () => false,
      ),
    );
    if (answered === undefined) this.link.reportLoss();
    return answered === true;
  }

  /** The connection for the watchdog. */
  dependency(): Dependency {
    return {
      check: () => this.connected(),
      probe: async () => {
        const other = await connect({ ...this.servers, reconnect: false, timeout: PROBE_TIMEOUT_MS });
        try {
          await (await jetstreamManager(other, { timeout: PROBE_TIMEOUT_MS })).streams.info(this.names.events);
          return true;
        } finally {
          await other.close();
        }
      },
      reconnect: () => this.connection.reconnect(),
    };
  }

  /** Called whenever the server answers again after an outage. */
  onReturn(listener: () => void): void {
    this.link.onReturn(listener);
  }

  /**
   * Publishes an event; resolves when the stream has stored it. Idempotent within ten minutes, by the event's id.
   * @returns the event's sequence in the stream
   * @throws EventsUnavailableError, without delay while the server is known to be unavailable
   */
  async publish(event: OutgoingEvent): Promise<number> {
    if (this.link.away) throw new EventsUnavailableError();
    const subject = this.names.prefix + subjectOf(event.payloadName, event.key);
    const options = { msgID: event.id, timeout: PUBLISH_TIMEOUT_MS };
    const endSpan = startProducerSpan(`send ${event.payloadName}`, {
      'messaging.system': 'nats',
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'send',
      'messaging.destination.name': subjectOf(event.payloadName),
      'messaging.message.id': event.id,
    });
    const ack = await this.js.publish(subject, encodeEvent(event), options).catch((error: unknown) => {
      endSpan(error);
      if (error instanceof errors.TimeoutError) this.link.reportLoss();
      throw new EventsUnavailableError(error);
    });
    endSpan();
    published.inc({ payload: event.payloadName });
    return ack.seq;
  }

  /**
   * Starts a durable consumer. An event is acknowledged after the handler's effect. A handler that throws is retried with
   * exponential backoff; after the last attempt the event becomes a dead letter.
   */
  async consume<N extends PayloadName>(options: ConsumerOptions<N>): Promise<RunningConsumer> {
    const batch = options.batch ?? 1;
    const concurrency = options.concurrency ?? 1;
    const { payloads, handle } = subscriptionOf(options);
    const subjects = this.subjectsOf(payloads);
    const config = {
      durable_name: options.durable,
      filter_subjects: subjects,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ACK_WAIT_MS),
      max_deliver: -1,
      max_ack_pending: Math.max(batch * concurrency * 2, 2),
    };
    await this.manager.consumers.add(this.names.events, config).catch(async (error: unknown) => {
      // Another version of the service created the consumer. An update keeps its position.
      if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error;
      await this.manager.consumers.update(this.names.events, options.durable, config);
    });
    const source = await this.js.consumers.get(this.names.events, options.durable);
    const batches = options.gatherMs
      ? new GatheredBatches(source, batch, options.gatherMs)
      : new PushedBatches(() => source.consume({ max_messages: Math.max(batch * concurrency, 2) }), batch);
    this.link.onReturn(() => batches.requestAgain());
    this.stopMetrics.push(measureLag(this.manager, this.names.events, options.durable, subjects));
    const running = new Consumer({
      durable: options.durable,
      handle,
      concurrency,
      maxAttempts: options.maxAttempts,
      batches,
      link: this.link,
      manager: this.manager,
      stream: this.names.events,
      subjects,
      deadLetters: this.deadLetters,
    });
    this.consumers.push(running);
    return running;
  }

  /** Follows events for state that this process keeps in memory; see Follower. */
  follow<N extends PayloadName>(options: FollowOptions<N>): Follower<N> {
    const subjects = this.subjectsOf(options.payloads);
    const follower = new Follower(options, this.link, this.js, this.manager, this.names.events, subjects);
    this.link.onReturn(() => follower.requestAgain());
    this.followers.push(follower);
    this.stopMetrics.push(measureFollowerLag(this.manager, this.names.events, options.name, subjects, follower));
    return follower;
  }

  /** The sequence up to which a durable consumer has handled every event; 0 before its first. */
  async handledUpTo(durable: string): Promise<number> {
    return (await this.manager.consumers.info(this.names.events, durable)).ack_floor.stream_seq;
  }

  /**
   * The last sequence of the event stream, and the consumers that have not handled everything, with the sequence up to which they have.
   * Quiet systems have none.
   */
  async position(): Promise<{ lastSequence: number; behind: Record<string, number> }> {
    const { state } = await this.manager.streams.info(this.names.events);
    const behind: Record<string, number> = {};
    for await (const { name, num_pending, num_ack_pending, ack_floor, config } of this.manager.consumers.list(
      this.names.events,
    )) {
      // Consumers without a durable name follow the stream for the memory of a process.
      if (config.durable_name && num_pending + num_ack_pending > 0) behind[name] = ack_floor.stream_seq;
    }
    return { lastSequence: state.last_seq, behind };
  }

  /** Events that durable consumers have not handled; consumers that have handled everything are missing. */
  async lags(): Promise<Record<string, number>> {
    const lags: Record<string, number> = {};
    for await (const { name, num_pending, num_ack_pending, config } of this.manager.consumers.list(this.names.events))
      if (config.durable_name && num_pending + num_ack_pending > 0) lags[name] = num_pending + num_ack_pending;
    return lags;
  }

  /** Whether the stream holds an event of one of these payloads. */
  async holds(payloads: readonly PayloadName[]): Promise<boolean> {
    return (await lastSequence(this.manager, this.names.events, this.subjectsOf(payloads))) > 0;
  }

  /** Stops the consumers and waits for the running handlers. */
  async drain(): Promise<void> {
    await Promise.all(this.consumers.map((c) => c.stop()));
  }

  async close(): Promise<void> {
    for (const stop of this.stopMetrics) stop();
    await this.drain();
    await Promise.all(this.followers.map((f) => f.stop()));
    // Draining waits for the server and hangs while it is unavailable.
    await (this.link.away ? this.connection.close() : this.connection.drain()).catch(() => undefined);
  }

  private async measureStreams(): Promise<void> {
    const { config, state } = await this.manager.streams.info(this.names.events);
    streamBytes.set(state.bytes);
    streamMaxBytes.set(config.max_bytes);
    deadLetters.set(await this.deadLetters.count());
  }

  private subjectsOf(payloads: readonly PayloadName[]): string[] {
    return payloads.map((name) => this.names.prefix + subjectOf(name));
  }
}
