import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import { logger } from '@parlance/telemetry';

/** How long a request for the next event stays open before it is repeated, in milliseconds. */
const NEXT_TIMEOUT_MS = 30_000;
/** Timeout for fetching events that the server is known to hold, in milliseconds. */
const FETCH_MS = 1_000;
/** Delay before a failed request is retried, in milliseconds. */
const RETRY_MS = 500;

/** Batches of a durable consumer's events, in stream order. */
export interface Batches {
  [Symbol.asyncIterator](): AsyncGenerator<JsMsg[]>;
  /** Ends a running debounce, for callers that wait for these events. */
  flush(): void;
  /** Repeats the pending request, which a restarted server has lost. */
  requestAgain(): void;
  /** Requests no more events; those already received are still yielded. */
  stop(): void;
}

/** Pushed events without delay. A batch takes all events that the client has buffered. */
export class PushedBatches implements Batches {
  private stopped = false;
  private messages: ConsumerMessages | undefined;

  /** @param begin subscribes on the server */
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
        logger.warn({ err: error }, 'requesting events failed; retrying');
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

  flush(): void {
    // Pushed events are never delayed.
  }

  requestAgain(): void {
    this.messages?.stop();
  }

  stop(): void {
    this.stopped = true;
    this.messages?.stop();
  }
}

/**
 * Debounced events: after the first event, further ones stay on the server and are fetched together. Pushing would wake the process
 * once per event.
 */
export class GatheredBatches implements Batches {
  private stopped = false;
  private wake: () => void = () => undefined;
  /** Abandons the open request for the next event. */
  private giveUp: () => void = () => undefined;
  /** The server held more events than fit into the last batch. */
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

  /** The next event; null after a timeout or on `stop`. */
  private async first(): Promise<JsMsg | null> {
    const asked = this.source.next({ expires: NEXT_TIMEOUT_MS });
    const givenUp = new Promise<'given up'>((resolve) => {
      this.giveUp = () => resolve('given up');
    });
    try {
      const found = await Promise.race([asked, givenUp]);
      if (found !== 'given up') return found;
      // Return a late delivery at once: otherwise it is redelivered only after its acknowledgement timeout.
      asked.then(
        (message) => message?.nak(),
        () => undefined,
      );
    } catch (error) {
      logger.warn({ err: error }, 'requesting events failed; retrying');
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
      logger.warn({ err: error }, 'fetching the rest of a batch failed; the next batch includes it');
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

  flush(): void {
    if (!this.stopped) this.wake();
  }

  requestAgain(): void {
    this.giveUp();
  }

  stop(): void {
    this.stopped = true;
    this.wake();
    this.giveUp();
  }
}
