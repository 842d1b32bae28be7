import { ServiceError } from '@parlance/errors';
import {
  wrongCodesNow,
  WRONG_CODES_MAX,
  WRONG_CODES_WINDOW_MS,
  type WrongCodes,
} from '../../domain/sign-in/second-factor';
import type { User } from '../../domain/user';
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
function throttled(message: string, waitMs: number): ServiceError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('THROTTLED', {
    message: `${message} Retry in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

/**
 * Wrong codes of a user in the current window. Responses of security keys count like codes.
 * @throws THROTTLED if there were too many
 */
export function admitCode({ wrongCodes }: Pick<User, 'wrongCodes'>, nowMs: number): WrongCodes {
  const wrong = wrongCodesNow(wrongCodes, nowMs);
  if (wrong.count >= WRONG_CODES_MAX)
    throw throttled('Too many wrong codes.', wrong.sinceMs + WRONG_CODES_WINDOW_MS - nowMs);
  return wrong;
}
