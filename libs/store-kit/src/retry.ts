/** How often a statement that the engine undid is given. */
export const ATTEMPTS = 8;
/** How much longer the pause may be after each further attempt, and how long at most, in milliseconds. */
const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/**
 * Waits before another attempt. Pauses differ by chance and grow, so that those who wrote the same at one moment part.
 * @param attempt the one that failed, counted from 1
 */
export function pauseAfter(attempt: number): Promise<void> {
  const longest = Math.min(PAUSE_MS * attempt, LONGEST_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

/**
 * Failures after which the engine has undone the statement, so that it can simply be given again: MongoDB's WriteConflict, and
 * PostgreSQL's deadlock, which engines on top of it report when several writes meet at one unique index.
 */
function wasUndone({ code, message, errmsg }: { code?: number; message?: string; errmsg?: string }): boolean {
  return code === 112 || (message ?? errmsg) === 'deadlock detected';
}

/** Gives a statement again, after a pause, when the engine undid it. */
export async function retried<R>(statement: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === ATTEMPTS || !wasUndone(error as object)) throw error;
      await pauseAfter(attempt);
    }
  }
}

/** A part of a write of many that failed, with its place in it. */
interface FailedPart {
  code: number;
  index: number;
  errmsg?: string;
}

function failedParts(error: unknown): FailedPart[] {
  const { writeErrors = [] } = error as { writeErrors?: FailedPart[] | FailedPart };
  return [writeErrors].flat();
}

/** Whether the engine undid a write of many, or some parts of it. */
export function wasPartlyUndone(error: unknown): boolean {
  return [error as object, ...failedParts(error)].some(wasUndone);
}

/** The places of those parts of a write of many that failed because a unique index holds their values already. */
export function takenPlaces(error: unknown): number[] {
  return failedParts(error)
    .filter(isDuplicateKey)
    .map(({ index }) => index);
}

/** Whether a write failed because a unique index holds the value already. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as { code?: number }).code === 11000;
}

/**
 * The parts of a write of many that failed because a unique index holds their values already, with their places in it; none where
 * a write of one failed for that.
 * @throws the error itself when anything else failed
 */
export function duplicatesIn(error: unknown): FailedPart[] {
  const failed = failedParts(error);
  if (!(failed.length > 0 ? failed : [error]).every(isDuplicateKey)) throw error;
  return failed;
}
