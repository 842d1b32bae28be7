import { logger } from '@parlance/telemetry';
import { randomUUID } from 'node:crypto';
import type { AutotranslateLeases } from '../../domain/ports';

/** Time after which the translation of a crashed process is free, in milliseconds. */
const LEASE_MS = 60_000;
const RENEW_MS = LEASE_MS / 4;

/** The lease of one run on its translation, renewed until its release. */
export class RunLease {
  private readonly holder = randomUUID();
  private readonly lost = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private renewal: Promise<void> | undefined;

  constructor(
    private readonly leases: AutotranslateLeases,
    private readonly translation: number,
  ) {}

  /** Aborted when another run has the lease, because this one failed to renew it in time. */
  get signal(): AbortSignal {
    return this.lost.signal;
  }

  /** @returns false: another run has the lease */
  async acquire(): Promise<boolean> {
    if (!(await this.leases.acquire(this.translation, this.holder, LEASE_MS))) return false;
    this.timer = setInterval(() => {
      this.renewal ??= this.renew().finally(() => (this.renewal = undefined));
    }, RENEW_MS);
    return true;
  }

  private async renew(): Promise<void> {
    try {
      if (!(await this.leases.acquire(this.translation, this.holder, LEASE_MS))) this.lost.abort();
    } catch (error) {
      logger.warn({ err: error, translation: this.translation }, 'automatic translation: renewing the lease failed');
    }
  }

  /** Lets another run begin. Idempotent. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    // A renewal in progress would store the lease again.
    await this.renewal;
    await this.leases
      .release(this.translation, this.holder)
      .catch((error: unknown) =>
        logger.warn(
          { err: error, translation: this.translation },
          'automatic translation: lease not released, it expires',
        ),
      );
  }
}
