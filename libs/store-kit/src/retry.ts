const ATTEMPTS = 8;
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
function wasUndone(error: unknown): boolean {
  const { code, message } = error as { code?: number; message?: string };
  return code === 112 || message === 'deadlock detected';
}

/** Gives a statement again, after a pause, when the engine undid it. */
export async function retried<R>(statement: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === ATTEMPTS || !wasUndone(error)) throw error;
      await pauseAfter(attempt);
    }
  }
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
export function duplicatesIn(error: unknown): { code: number; index: number }[] {
  const { writeErrors = [] } = error as {
    writeErrors?: { code: number; index: number }[] | { code: number; index: number };
  };
  const failed = [writeErrors].flat();
  if (!(failed.length > 0 ? failed : [error]).every(isDuplicateKey)) throw error;
  return failed;
}
