import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { logger } from '@parlance/telemetry';

/** How long a request for one event stays with the server before it is made again, in milliseconds. */
const ASK_MS = 30_000;
/** How long events that the server has are waited for, in milliseconds. */
const FETCH_MS = 1_000;
/** Pause after a request that failed, in milliseconds. */
const RETRY_MS = 500;

/** Events of a durable consumer, in the order of the stream, in batches. */
export interface Batches {
  [Symbol.asyncIterator](): AsyncGenerator<JsMsg[]>;
  /** Somebody waits: what is being gathered is given out now. */
  hurry(): void;
  /** The server answers again: what was asked before may be forgotten there. */
  askAnew(): void;
  /** Asks for no more; what was taken is still given out. */
  stop(): void;
}

/** Events as soon as they come: the server pushes them, and what lies in the client's buffer joins the batch. */
export class PushedBatches implements Batches {
  private stopped = false;
  private messages: ConsumerMessages | undefined;

  /** @param begin asks the server to push */
  constructor(
    private readonly begin: () => Promise<ConsumerMessages>,
    private readonly size: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<JsMsg[]> {
    while (!this.stopped) {
      try {
        this.messages = await this.begin();
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- stop() sets it during the await
        if (this.stopped) this.messages.stop();
        yield* this.batchesOf(this.messages);
      } catch (error) {
        logger.warn({ err: error }, 'no events could be asked for; it is tried again');
        await pause(RETRY_MS);
      }
    }
  }

  private async *batchesOf(messages: ConsumerMessages): AsyncGenerator<JsMsg[]> {
    const source = messages[Symbol.asyncIterator]();
    let next = source.next();
    for (;;) {
      const first = await next;
      if (first.done) return;
      next = source.next();
      const batch = [first.value];
      while (batch.length < this.size) {
        const more = await Promise.race([
          next,
          new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
        ]);
        if (!more || more.done) break;
        batch.push(more.value);
        next = source.next();
      }
      yield batch;
    }
  }

  hurry(): void {
    // Nothing is held back.
  }

  askAnew(): void {
    this.messages?.stop();
  }

  stop(): void {
    this.stopped = true;
    this.messages?.stop();
  }
}

/**
 * Events where nobody waits: after the first one the others stay with the server for a while and are fetched together. An event
 * that is pushed costs its reader, and everybody on the machine, a wake-up of its own.
 */
export class GatheredBatches implements Batches {
  private stopped = false;
  private wake: () => void = () => undefined;
  /** Gives up the request for one event that lies with the server. */
  private giveUp: () => void = () => undefined;
  /** More waited than fitted into the last batch. */
  private behind = false;

  constructor(
    private readonly source: Pick<Consumer, 'next' | 'info' | 'fetch'>,
    private readonly size: number,
    private readonly gatherMs: number,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<JsMsg[]> {
    while (!this.stopped) {
      const first = await this.first();
      if (!first) continue;
      if (!this.behind) await this.pause(this.gatherMs);
      yield [first, ...(await this.rest())];
    }
  }

  /** One event; null when none came for long, or when it is time to stop. */
  private async first(): Promise<JsMsg | null> {
    const asked = this.source.next({ expires: ASK_MS });
    const givenUp = new Promise<'given up'>((resolve) => {
      this.giveUp = () => resolve('given up');
    });
    try {
      const found = await Promise.race([asked, givenUp]);
      if (found !== 'given up') return found;
      // Given back at once should it come all the same: another process need not wait until it counts as lost.
      asked.then(
        (message) => message?.nak(),
        () => undefined,
      );
    } catch (error) {
      logger.warn({ err: error }, 'no events could be asked for; it is tried again');
      await this.pause(RETRY_MS);
    }
    return null;
  }

  private async rest(): Promise<JsMsg[]> {
    const rest: JsMsg[] = [];
    this.behind = false;
    if (this.stopped) return rest;
    try {
      const waiting = (await this.source.info()).num_pending;
      this.behind = waiting >= this.size;
      if (waiting === 0) return rest;
      const most = Math.min(waiting, this.size - 1);
      for await (const message of await this.source.fetch({ max_messages: most, expires: FETCH_MS }))
        rest.push(message);
    } catch (error) {
      logger.warn({ err: error }, 'waiting events could not be fetched; they come with the next batch');
    }
    return rest;
  }

  private async pause(ms: number): Promise<void> {
    if (this.stopped) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  hurry(): void {
    if (!this.stopped) this.wake();
  }

  askAnew(): void {
    this.giveUp();
  }

  stop(): void {
    this.stopped = true;
    this.wake();
    this.giveUp();
  }
}
