import { inBulk } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';

const LEASE_MS = 60_000;

interface LeaseStore {
  lease(holder: string, forMs: number): Promise<boolean>;
  releaseLease(holder: string): Promise<void>;
}

/** Runs a pass of background work at an interval, in one of several processes: the one that holds the lease. */
export class LeasedPasses {
  private readonly holder = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private passing: Promise<unknown> | undefined;
  private stopped = false;

  /** @param name of the work, for the log @param pass renews the lease first and while it goes on */
  constructor(
    private readonly store: LeaseStore,
    private readonly name: string,
    private readonly pass: () => Promise<void>,
  ) {}

  start(everyMs: number): void {
    const run = (): void => {
      this.passing ??= inBulk(this.pass)
        .catch((error: unknown) => logger.warn({ err: error }, `${this.name}: pass failed, retried later`))
        .finally(() => {
          this.passing = undefined;
        });
    };
    run();
    this.timer = setInterval(run, everyMs);
    this.timer.unref();
  }

  /** Acquires or renews the lease. @returns false: another process has it, or this one stops */
  async renew(): Promise<boolean> {
    return !this.stopped && (await this.store.lease(this.holder, LEASE_MS));
  }

  /** Resolves when the pass in progress is finished and another process may go on. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.passing;
    await this.store
      .releaseLease(this.holder)
      .catch((error: unknown) => logger.warn({ err: error }, `${this.name}: lease not released, it expires`));
  }
}
