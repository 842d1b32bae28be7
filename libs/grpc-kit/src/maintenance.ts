import { logger } from '@parlance/telemetry';
import type { Client } from './types';

/** Maintenance mode while it is on. */
export interface Maintenance {
  message: string;
  retryAfterSeconds: number;
}

/** Age from which an answer is asked for again, in milliseconds. */
const FRESH_MS = 1_000;
/** Pause after a failed question, in milliseconds. */
const RETRY_MS = 5_000;
/** How long the last answer holds while the catalog is away, in milliseconds: longer than its restart in an upgrade. */
const UNCONFIRMED_MS = 300_000;
/** Time limit of a question, in milliseconds. */
const TIMEOUT_MS = 1_000;

/**
 * Caches the maintenance mode for a second. It fails open: without an answer the mode is off, unless the last answer of the
 * previous five minutes was that it is on.
 */
export class MaintenanceCache {
  private last: Maintenance | null = null;
  private confirmedAt = -Infinity;
  private nextAt = -Infinity;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly ask: () => Promise<Maintenance | null>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns null: off. Never throws. */
  async current(): Promise<Maintenance | null> {
    if (this.now() >= this.nextAt) {
      this.asking ??= this.refresh().finally(() => (this.asking = undefined));
      await this.asking;
    }
    return this.now() - this.confirmedAt < UNCONFIRMED_MS ? this.last : null;
  }

  private async refresh(): Promise<void> {
    try {
      const askedAt = this.now();
      this.last = await this.ask();
      this.confirmedAt = askedAt;
      this.nextAt = askedAt + FRESH_MS;
    } catch (error) {
      this.nextAt = this.now() + RETRY_MS;
      logger.warn({ err: error }, 'maintenance mode: not answered; the last answer holds for five minutes');
    }
  }
}

/** The maintenance mode, as the catalog stores it. */
export function readMaintenance(client: Client<'catalog'>, callerToken: () => string): MaintenanceCache {
  return new MaintenanceCache(async () => {
    const { maintenance } = await client.getMaintenance({}, { as: callerToken(), timeoutMs: TIMEOUT_MS });
    return maintenance?.on ? maintenance : null;
  });
}
