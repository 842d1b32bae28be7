import {
  DeliverPolicy,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { histogram, logger, within } from '@parlance/telemetry';
import { decodeDelivery, secondsSinceWrite, type IncomingEvent, type PayloadName } from './event';
import type { Lag } from './lag';
import type { Link } from './link';

/** Subscription of a follower. */
export interface FollowOptions<N extends PayloadName> {
  /** Name in metrics. */
  name: string;
  payloads: readonly N[];
  /** Sequence after which reading starts. */
  after: number;
  /** Called in stream order. It only touches memory: an event for which it throws is logged and skipped. */
  apply: (event: IncomingEvent<NoInfer<N>>) => void;
  /**
   * Called when the stream ends before the follower's position: the event server lost its data.
   * @returns the sequence to continue after
   */
  restart: () => Promise<number>;
}

const delay = histogram('parlance_event_delay_seconds');

/** Delay before a failed subscription is retried, in milliseconds. */
const RETRY_MS = 500;
/** Time without an expected event after which the subscription counts as lost, in milliseconds. */
const SILENCE_MS = 700;

/** The highest sequence that the stream holds on the given subjects; 0 when it holds none. */
export async function lastSequence(
  manager: JetStreamManager,
  stream: string,
  subjects: readonly string[],
): Promise<number> {
  const last = await Promise.all(
    subjects.map(async (subject) => (await manager.streams.getMessage(stream, { last_by_subj: subject }))?.seq ?? 0),
  );
  return Math.max(0, ...last);
}

/**
 * Reads the highest sequence on several subjects, which takes a request each. One request about the stream is enough while the stream is
 * unchanged, and for a follower at its end.
 */
class LastSequence {
  /** Stream, by creation and last sequence, to which `last` belongs. */
  private stream = '';
  private last = 0;

  constructor(
    private readonly manager: JetStreamManager,
    private readonly name: string,
    private readonly subjects: readonly string[],
  ) {}

  /** @param position of the follower. If it is at the end of the stream, the result may be the sequence of another subject. */
  async read(position: () => number): Promise<number> {
    if (this.subjects.length === 1) return lastSequence(this.manager, this.name, this.subjects);
    const { created, state } = await this.manager.streams.info(this.name);
    const stream = `${created} ${state.last_seq}`;
    if (stream === this.stream) return this.last;
    if (position() >= state.last_seq) return state.last_seq;
    const last = await lastSequence(this.manager, this.name, this.subjects);
    this.stream = stream;
    this.last = last;
    return last;
  }
}

/**
 * Reads every event of the given payloads, in stream order, for state that a process keeps in memory. Every process reads every event,
 * from a sequence that it chooses; the server stores neither acknowledgements nor positions.
 */
export class Follower<N extends PayloadName> {
  private position: number;
  private stopped = false;
  /** When an event last arrived or was last requested, in milliseconds since the epoch. */
  private movedAt = 0;
  private messages: ConsumerMessages | undefined;
  private waiting: { target: number; done: () => void }[] = [];
  private running: Promise<number> | undefined;
  private next: Promise<number> | undefined;
  private readonly loop: Promise<void>;
  private readonly lastSequence: LastSequence;
  /** Events from before are read again after a start: their age does not measure the delay. */
  private readonly startedAt = Date.now();

  constructor(
    private readonly options: FollowOptions<N>,
    private readonly link: Link,
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly subjects: string[],
  ) {
    this.position = options.after;
    this.lastSequence = new LastSequence(manager, stream, subjects);
    this.loop = this.run();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.checkStream();
        const source: Consumer = await this.js.consumers.get(this.stream, {
          filter_subjects: this.subjects,
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: this.position + 1,
        });
        this.messages = await source.consume({ max_messages: 500 });
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- stop() sets it during the await
        if (this.stopped) this.messages.stop();
        for await (const message of this.messages) {
          this.applyEvent(message.data, message.seq);
          this.advance(message.seq);
        }
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- stop() sets it during the await
        if (this.stopped) return;
        logger.warn({ err: error }, 'following the event stream failed; retrying');
        await pause(RETRY_MS);
      }
    }
  }

  /**
   * Subscribes again after an outage, because a restarted server has lost the subscription. The client library would notice only after
   * half a minute.
   */
  requestAgain(): void {
    this.movedAt = Date.now();
    this.messages?.stop();
  }

  private async checkStream(): Promise<void> {
    const { state } = await this.manager.streams.info(this.stream);
    if (state.last_seq >= this.position) return;
    logger.warn({ position: this.position, last: state.last_seq }, 'the event stream was replaced');
    this.position = await this.options.restart();
  }

  private applyEvent(data: Uint8Array, sequence: number): void {
    try {
      const event = decodeDelivery<N>(data, { sequence, attempt: 1 });
      this.options.apply(event);
      if (event.timeMs >= this.startedAt) delay.observe({ consumer: this.options.name }, secondsSinceWrite(event));
    } catch (error) {
      logger.error({ err: error, sequence }, 'applying an event failed; skipping it');
    }
  }

  private advance(sequence: number): void {
    this.position = sequence;
    this.movedAt = Date.now();
    if (this.waiting.length === 0) return;
    const ready = this.waiting.filter((w) => w.target <= sequence);
    this.waiting = this.waiting.filter((w) => w.target > sequence);
    for (const entry of ready) entry.done();
  }

  /** The last sequence, read after the call. Callers that arrive during a request share the next one. */
  private last(): Promise<number> {
    const ask = () =>
      this.lastSequence
        .read(() => this.position)
        .finally(() => {
          this.running = this.next;
          this.next = undefined;
        });
    if (!this.running) return (this.running = ask());
    // A failed request must not fail the ones after it.
    return (this.next ??= this.running.then(ask, ask));
  }

  /**
   * `events` are the sequences between the position and the last event that the follower follows. These include events that it does not
   * follow, so they are an upper bound of the missing events, and 0 exactly when none is missing.
   */
  async lag(): Promise<Lag> {
    const last = await this.lastSequence.read(() => this.position);
    return { position: this.position, events: Math.max(0, last - this.position) };
  }

  /**
   * Waits until every event that the stream held at the time of the call has been applied.
   * @returns false on timeout
   */
  async caughtUp(withinMs: number): Promise<boolean> {
    if (this.link.away) return false;
    const until = Date.now() + withinMs;
    const last = this.last().catch(() => undefined);
    const target = await within(withinMs, last);
    if (target === undefined) return false;
    if (target <= this.position) return true;
    return new Promise<boolean>((resolve) => {
      const entry = { target, done: () => finish(true) };
      const timer = setTimeout(() => finish(false), Math.max(0, until - Date.now()));
      const watch = setInterval(() => {
        if (Date.now() - this.movedAt >= SILENCE_MS) this.requestAgain();
      }, SILENCE_MS);
      const finish = (result: boolean) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.waiting = this.waiting.filter((w) => w !== entry);
        resolve(result);
      };
      this.waiting.push(entry);
    });
  }

  /** Stops the subscription. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await this.loop;
  }
}
