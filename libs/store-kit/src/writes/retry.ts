/** Maximum attempts of a statement that the engine rolled back. */
export const ATTEMPTS = 8;
/** Increase of the maximum pause per attempt, and its limit, in milliseconds. */
const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/**
 * Waits before another attempt. Pauses are jittered and grow, which separates concurrent writers.
 * @param attempt the failed attempt, counted from 1; a greater number for a longer pause
 */
export function pauseAfter(attempt: number): Promise<void> {
  const longest = Math.min(PAUSE_MS * attempt, LONGEST_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

/**
 * Failures after which the engine has rolled back the statement, so it can be retried: MongoDB's WriteConflict and PostgreSQL's deadlock.
 * Engines on PostgreSQL report deadlocks for concurrent writes to a unique index.
 */
function wasUndone({ code, message, errmsg }: { code?: number; message?: string; errmsg?: string }): boolean {
  return code === 112 || (message ?? errmsg) === 'deadlock detected';
}

/** A failed item of a bulk write, with its index. */
interface FailedPart {
  code: number;
  index: number;
  errmsg?: string;
}

function failedParts(error: unknown): FailedPart[] {
  const { writeErrors = [] } = error as { writeErrors?: FailedPart[] | FailedPart };
  return [writeErrors].flat();
}

/** Whether the engine rolled back a bulk write or some of its items. */
export function wasPartlyUndone(error: unknown): boolean {
  return [error as object, ...failedParts(error)].some(wasUndone);
}

/**
 * Retries a statement with backoff if the engine rolled it back, or a part of it. A bulk write is repeated as a whole, so its items must
 * have the same effect twice. The pauses double: PostgreSQL ends one of the writers that wait for each other after a second, and after a
 * short pause that one would meet the others again.
 */
export async function retried<R>(statement: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === ATTEMPTS || !wasPartlyUndone(error)) throw error;
      await pauseAfter(2 ** (attempt - 1));
    }
  }
}

/** Indexes of the items of a bulk write that violate a unique index. */
export function takenPlaces(error: unknown): number[] {
  return failedParts(error)
    .filter(isDuplicateKey)
    .map(({ index }) => index);
}

/** Whether a write violates a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: number }).code === 11000;
}

/**
 * The items of a bulk write that violate a unique index, with their indexes; empty for a single write.
 * @throws the error itself for other failures
 */
export function duplicatesIn(error: unknown): FailedPart[] {
  const failed = failedParts(error);
  if (!(failed.length > 0 ? failed : [error]).every(isDuplicateKey)) throw error;
  return failed;
}
