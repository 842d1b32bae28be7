import { ServiceError } from '@parlance/errors';
import { LOST_RACE, optimisticUpdate, type OptimisticUpdateOptions } from '@parlance/store-kit';
import type { UnitReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { KeyedMutex } from '../keyed-mutex';

/** Error of an edit that lost every race. */
export const modifiedConcurrently = (): ServiceError =>
  new ServiceError('UNAVAILABLE', { message: 'The string is being modified concurrently. Retry the request.' });

/**
 * Updates one unit under optimistic concurrency.
 * @param first the unit as it was read; absent: read by the first attempt
 * @param attempt returns LOST_RACE when its conditional write met another version
 * @returns the result of the attempt that won; null when the unit was deleted
 */
export function updateStored<T>(
  { units }: { units: Pick<UnitReader, 'get'> },
  id: number,
  attempt: (unit: Unit) => Promise<T | typeof LOST_RACE>,
  first?: Unit,
): Promise<T | null> {
  return optimisticUpdate<T | null>(
    async (number) => {
      const unit = number === 1 && first ? first : await units.get(id);
      return unit ? attempt(unit) : null;
    },
    { exhausted: modifiedConcurrently },
  );
}

export interface SerialUpdateDeps {
  units: Pick<UnitReader, 'get'>;
  unitMutex: KeyedMutex<number>;
}

/**
 * Like `updateStored`, but waits for earlier writes of this process to the same unit. Without it, quick writes such as votes and
 * comments make a slow edit of their string lose every race. The mutex is not reentrant: no task that holds it may call this.
 */
export function updateSerially<T>(
  deps: SerialUpdateDeps,
  id: number,
  attempt: (unit: Unit) => Promise<T | typeof LOST_RACE>,
  first?: Unit,
): Promise<T | null> {
  return deps.unitMutex.take(id, () => updateStored(deps, id, attempt, first));
}

/**
 * Repeats a write to many documents for those that lost their race.
 * @param attempt returns the remaining work
 */
export function retryLost<T>(
  todo: readonly T[],
  attempt: (todo: readonly T[], number: number) => Promise<readonly T[]>,
  options: OptimisticUpdateOptions = { exhausted: modifiedConcurrently },
): Promise<void> {
  let remaining = todo;
  return optimisticUpdate<void>(async (number) => {
    if (remaining.length > 0) remaining = await attempt(remaining, number);
    return remaining.length > 0 ? LOST_RACE : undefined;
  }, options);
}
