import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import { logger } from '@parlance/telemetry';

/** Pause before a server that took a connection is asked again whether it answers, in milliseconds. */
const ASK_AGAIN_MS = 100;

/** Thrown where an event cannot be published now; what announces it stays where it is durable and is tried again. */
export class EventsUnavailableError extends Error {
  constructor(cause?: unknown) {
    super('The event server does not answer.', { cause });
    this.name = 'EventsUnavailableError';
  }
}

/** The result of a promise, or undefined when that takes longer than so many milliseconds. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the event server answers. A server that is gone is known by its connection, one that hangs by what it left unanswered:
 * from then on nobody waits for it until it answers again.
 */
export class Link {
  private connected = true;
  private silent = false;
  /** How often the connection was lost; a question that was asked before the last time says nothing any more. */
  private losses = 0;
  private readonly listeners: (() => void)[] = [];

  /** @param answers asks the server for what is wanted of it; rejects while it cannot answer */
  constructor(
    private readonly connection: Pick<NatsConnection, 'status' | 'flush' | 'isClosed'>,
    private readonly answers: () => Promise<unknown>,
  ) {
    void this.watch();
  }

  /** What is asked of the server now is not answered. */
  get away(): boolean {
    return !this.connected || this.silent || this.connection.isClosed();
  }

  /** Called whenever the server answers again. */
  onReturn(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** The server left something unanswered. */
  missed(): void {
    if (this.away) return;
    this.silent = true;
    logger.warn('the event server does not answer');
    // A connection that breaks meanwhile is made again, which tells as well.
    this.connection.flush().then(
      () => this.returned(),
      () => undefined,
    );
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') {
        this.connected = false;
        this.losses++;
        logger.warn('the connection to the event server is lost');
      } else if (type === 'reconnect') void this.untilItAnswers();
    }
  }

  /** A server that was started anew takes connections before it has read its streams. */
  private async untilItAnswers(): Promise<void> {
    const losses = this.losses;
    while (losses === this.losses && !this.connection.isClosed()) {
      const answered = await this.answers().then(
        () => true,
        () => false,
      );
      if (losses !== this.losses) return;
      if (answered) return this.returned();
      await pause(ASK_AGAIN_MS);
    }
  }

  private returned(): void {
    if (!this.away) return;
    this.connected = true;
    this.silent = false;
    logger.info('the event server answers again');
    for (const listener of this.listeners) listener();
  }
}
