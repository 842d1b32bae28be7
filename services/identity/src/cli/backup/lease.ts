import { isServiceError } from '@parlance/errors';
import type { BackupDeps } from './deps';

/** Interval of renewals, and the lifetime of the renewed lease, in milliseconds. */
const RENEW_MS = 15_000;
const LIFETIME_MS = 60_000;

/** Message of the read-only window. */
const MESSAGE = 'A backup is being made. Retry in a moment.';
const RETRY_AFTER_SECONDS = 15;

/**
 * The lease of a backup or restore: only one runs at a time. It also keeps the read-only window open, which ends by itself within a
 * minute if the command dies.
 */
export class BackupLease {
  private timer: NodeJS.Timeout | undefined;
  private window = false;
  private renewing: Promise<void> = Promise.resolve();
  private readonly failure = new AbortController();
  /** Aborted when the lease is lost or the operator stops the command. */
  readonly signal: AbortSignal;

  private constructor(
    private readonly deps: BackupDeps,
    private readonly holder: string,
  ) {
    this.signal = AbortSignal.any([deps.signal, this.failure.signal]);
  }

  /** @throws CONFLICT while another one has it */
  static async acquire(deps: BackupDeps, holder: string): Promise<BackupLease> {
    const lease = new BackupLease(deps, holder);
    await lease.renew();
    lease.timer = setInterval(() => {
      lease.renewing = lease.renewing.then(() => lease.renewOrFail());
    }, RENEW_MS);
    return lease;
  }

  private async renew(): Promise<void> {
    const { system } = this.deps;
    const request = { holder: this.holder, durationMs: LIFETIME_MS };
    await system.backup('catalog').holdLease(request, system.as);
    if (this.window) await this.keepWindow();
  }

  private async renewOrFail(): Promise<void> {
    try {
      await this.renew();
    } catch (error) {
      // A renewal that fails may be followed by one in time; another holder means that the lease has expired.
      if (isServiceError(error) && error.reason === 'CONFLICT')
        this.failure.abort(new Error('The backup lost its lease to another one.'));
    }
  }

  private async keepWindow(): Promise<void> {
    const { system } = this.deps;
    const maintenance = { on: true, message: MESSAGE, retryAfterSeconds: RETRY_AFTER_SECONDS };
    await system.catalog.setMaintenance({ maintenance, durationMs: LIFETIME_MS }, system.as);
  }

  /** Makes the installation read-only. */
  async openWindow(): Promise<void> {
    this.window = true;
    await this.keepWindow();
  }

  /** Accepts writes again. */
  async closeWindow(): Promise<void> {
    if (!this.window) return;
    this.window = false;
    await this.renewing;
    const { system } = this.deps;
    await system.catalog.setMaintenance({ maintenance: { on: false } }, system.as);
  }

  /** Releases the lease. Without an answer of the catalog it expires. */
  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
    const { system } = this.deps;
    await system
      .backup('catalog')
      .releaseLease({ holder: this.holder }, system.as)
      .catch(() => undefined);
  }
}
