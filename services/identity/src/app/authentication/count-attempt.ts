import { ServiceError } from '@parlance/errors';
import type { Deps } from '../deps';

/**
 * Counts an attempt before its outcome is known.
 * @param free attempts without a delay
 * @returns when the next attempt is allowed if this one fails
 * @throws THROTTLED if it comes too early
 */
export async function countAttempt(
  deps: Pick<Deps, 'attempts' | 'now'>,
  key: string,
  free: number,
  message: string,
): Promise<number> {
  const now = deps.now();
  const { counted, nextMs } = await deps.attempts.count(key, free, now);
  if (!counted) throw throttled(message, nextMs - now);
  return nextMs;
}

/** @param waitMs time until an attempt is allowed, in milliseconds */
export function throttled(message: string, waitMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('THROTTLED', {
    message: `${message} Retry in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}
