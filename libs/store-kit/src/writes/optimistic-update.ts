import { ServiceError } from '@parlance/errors';
import { pauseAfter } from './retry';

/** Result of an attempt whose conditional write matched nothing, because another writer changed the document first. */
export const LOST_RACE: unique symbol = Symbol('lost race');

export interface OptimisticUpdateOptions {
  /** Attempts before the update fails. Default 40: with jittered pauses of up to a second, about 15 s of contention. */
  attempts?: number;
  /** Error of an update that lost every race. Default: ServiceError CONFLICT. */
  exhausted?: () => Error;
}

/**
 * Optimistic concurrency: runs read-modify-write attempts until one wins, with jittered backoff between them.
 * @param attempt reads the document afresh and returns LOST_RACE when its conditional write met another version; counted from 1
 * @throws ServiceError CONFLICT (or `exhausted()`) when every attempt lost; whatever the attempt throws
 */
export async function optimisticUpdate<T>(
  attempt: (number: number) => Promise<T | typeof LOST_RACE>,
  { attempts = 40, exhausted = () => new ServiceError('CONFLICT') }: OptimisticUpdateOptions = {},
): Promise<T> {
  for (let number = 1; number <= attempts; number++) {
    const result = await attempt(number);
    if (result !== LOST_RACE) return result;
    if (number < attempts) await pauseAfter(number);
  }
  throw exhausted();
}
