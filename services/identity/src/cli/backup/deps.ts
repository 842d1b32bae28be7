import type { EventBus } from '@parlance/events';
import type { Operator } from '../connect';

/** Interface of a running installation for backups and restores. */
export interface BackupDeps {
  system: Operator;
  events: Pick<EventBus, 'position' | 'holds'>;
  /** Prints a line about the progress. */
  report: (line: string) => void;
  /** Aborted when the operator stops the command. */
  signal: AbortSignal;
}

/** Time limit of calls that stream a collection, in milliseconds. */
const STREAM_MS = 12 * 3600 * 1000;

/** Options of a call that streams, or that deletes many documents. */
export const longCall = ({ system, signal }: BackupDeps) => ({ ...system.as, timeoutMs: STREAM_MS, signal });

/**
 * Runs work for several services at once. The first failure ends all of it.
 * @throws the first failure
 */
export async function together<T>(
  deps: BackupDeps,
  items: readonly T[],
  work: (deps: BackupDeps, item: T) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const own = { ...deps, signal: AbortSignal.any([deps.signal, failed.signal]) };
  const failures: unknown[] = [];
  await Promise.all(
    items.map((item) =>
      work(own, item).catch((error: unknown) => {
        failures.push(error);
        failed.abort();
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
}

/** Options of a short call. */
export const shortCall = ({ system, signal }: BackupDeps) => ({ ...system.as, timeoutMs: 30_000, signal });
