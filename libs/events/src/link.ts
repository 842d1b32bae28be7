import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import { logger } from '@parlance/telemetry';

/** Interval at which a reconnected server is polled until it answers, in milliseconds. */
const POLL_MS = 100;

/** Thrown when an event cannot be published now. The outbox keeps the event and its relay retries. */
export class EventsUnavailableError extends Error {
  constructor(cause?: unknown) {
    super('The event server does not answer.', { cause });
    this.name = 'EventsUnavailableError';
  }
}

/**
 * Circuit breaker for the event server. A lost connection or an unanswered request opens it; calls then fail without delay until the
 * server answers again.
 */
export class Link {
  private connected = true;
  private silent = false;
  /** How often the connection was lost. A request from before the last loss does not prove that the current connection works. */
  private losses = 0;
  private readonly listeners: (() => void)[] = [];

  /** @param answers sends a request to the server; rejects while the server cannot serve it */
  constructor(
    private readonly connection: Pick<NatsConnection, 'status' | 'flush' | 'isClosed'>,
    private readonly answers: () => Promise<unknown>,
  ) {
    void this.watch();
  }

  /** Whether the server is known to be unavailable. */
  get away(): boolean {
    return !this.connected || this.silent || this.connection.isClosed();
  }

  /** Called whenever the server answers again. */
  onReturn(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reports a request that timed out. */
  reportLoss(): void {
    if (this.away) return;
    this.silent = true;
    logger.warn('event server unresponsive');
    // A connection that breaks meanwhile reconnects, which also closes the breaker.
    this.connection.flush().then(
      () => this.handleReturn(),
      () => undefined,
    );
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') {
        this.connected = false;
        this.losses++;
        logger.warn('connection to the event server lost');
      } else if (type === 'reconnect') void this.waitForAnswer();
    }
  }

  /** A server that restarted accepts connections before it has loaded its streams. */
  private async waitForAnswer(): Promise<void> {
    const losses = this.losses;
    while (losses === this.losses && !this.connection.isClosed()) {
      const answered = await this.answers().then(
        () => true,
        () => false,
      );
      if (losses !== this.losses) return;
      if (answered) return this.handleReturn();
      await pause(POLL_MS);
    }
  }

  private handleReturn(): void {
    if (!this.away) return;
    this.connected = true;
    this.silent = false;
    logger.info('event server available again');
    for (const listener of this.listeners) listener();
  }
}
