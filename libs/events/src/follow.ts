import {
  DeliverPolicy,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { logger } from '@parlance/telemetry';
import { decodeEvent, type IncomingEvent, type PayloadName } from './event';
import { within, type Link } from './link';

/** What a follower reads. */
export interface FollowOptions<N extends PayloadName> {
  payloads: readonly N[];
  /** Events with a higher sequence than this are read. */
  after: number;
  /** Called in stream order. It only touches memory: what throws is logged and passed over. */
  apply: (event: IncomingEvent<N>) => void;
  /**
   * Called when the stream was replaced by one that is behind what was read (an event server that lost its data).
   * Answers from where to go on.
   */
  restart: () => Promise<number>;
}

/** Pause before the stream is asked again after a failure, in milliseconds. */
const RETRY_MS = 500;
/** What the stream has comes within milliseconds. Where nothing comes for this long, the server has forgotten who asked. */
const FORGOTTEN_MS = 700;

/** The highest sequence that the stream holds on the given subjects; 0: none. */
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
 * Reads every event of some kinds, in stream order, for state that a process keeps in memory. Nothing is acknowledged and the server
 * keeps nothing: each process follows on its own, from a place that it knows, and every process sees every event.
 */
export class Follower<N extends PayloadName> {
  private position: number;
  private stopped = false;
  /** When an event last came, or was last asked for. */
  private movedAt = 0;
  private messages: ConsumerMessages | undefined;
  private waiting: { target: number; done: () => void }[] = [];
  private asking: Promise<number> | undefined;
  private askingNext: Promise<number> | undefined;
  private readonly loop: Promise<void>;

  constructor(
    private readonly options: FollowOptions<N>,
    private readonly link: Link,
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly stream: string,
    private readonly subjects: string[],
  ) {
    this.position = options.after;
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
          this.take(message.data, message.seq);
          this.passed(message.seq);
        }
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- stop() sets it during the await
        if (this.stopped) return;
        logger.warn({ err: error }, 'the event stream cannot be followed; it is tried again');
        await pause(RETRY_MS);
      }
    }
  }

  /**
   * The server answers again: what was asked before may be forgotten there. The client would notice by itself, but one failed
   * question later it waits for half a minute.
   */
  askAnew(): void {
    this.movedAt = Date.now();
    this.messages?.stop();
  }

  private async checkStream(): Promise<void> {
    const { state } = await this.manager.streams.info(this.stream);
    if (state.last_seq >= this.position) return;
    logger.warn({ position: this.position, last: state.last_seq }, 'the event stream was replaced');
    this.position = await this.options.restart();
  }

  private take(data: Uint8Array, sequence: number): void {
    try {
      this.options.apply({ ...decodeEvent(data), sequence, attempt: 1 } as IncomingEvent<N>);
    } catch (error) {
      logger.error({ err: error, sequence }, 'event passed over');
    }
  }

  private passed(sequence: number): void {
    this.position = sequence;
    this.movedAt = Date.now();
    if (this.waiting.length === 0) return;
    const ready = this.waiting.filter((w) => w.target <= sequence);
    this.waiting = this.waiting.filter((w) => w.target > sequence);
    for (const entry of ready) entry.done();
  }

  /** Every caller gets an answer that was asked for after its call; callers that come meanwhile share the next question. */
  private last(): Promise<number> {
    const ask = () =>
      lastSequence(this.manager, this.stream, this.subjects).finally(() => {
        this.asking = this.askingNext;
        this.askingNext = undefined;
      });
    if (!this.asking) return (this.asking = ask());
    return (this.askingNext ??= this.asking.then(ask));
  }

  /**
   * Waits until every event that the stream held at the time of the call has been applied.
   * @returns false when that did not happen within the time
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
        if (Date.now() - this.movedAt >= FORGOTTEN_MS) this.askAnew();
      }, FORGOTTEN_MS);
      const finish = (result: boolean) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.waiting = this.waiting.filter((w) => w !== entry);
        resolve(result);
      };
      this.waiting.push(entry);
    });
  }

  /** Reads no more. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await this.loop;
  }
}
