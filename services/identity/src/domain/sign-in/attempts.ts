/** Failed attempts of one account or network. */
export interface Attempts {
  count: number;
  /** Time of the last one. */
  lastMs: number;
}

/** Attempts without a delay. */
export const freeAttempts = {
  /** Passwords of an account. */
  account: 10,
  /** Passwords from a network, whose people may share one address. */
  network: 50,
  /** Password resets of an account: each one is a mail. */
  resetOfAccount: 3,
  resetFromNetwork: 20,
} as const;

const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 15 * 60_000;
/** Time after which attempts no longer count, in milliseconds. */
export const FORGET_ATTEMPTS_MS = 24 * 3600_000;

/** Attempts that count at a time. */
export function attemptsNow(attempts: Attempts | undefined, nowMs: number): Attempts {
  return attempts && attempts.lastMs > nowMs - FORGET_ATTEMPTS_MS ? attempts : { count: 0, lastMs: 0 };
}

/** When the next attempt is allowed (exponential backoff); 0: at any time. */
export function nextAttemptMs({ count, lastMs }: Attempts, free: number): number {
  if (count < free) return 0;
  return lastMs + Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(count - free, 10));
}
