/** Time after which a condition counts as not met, in milliseconds. It only ends tests that fail. */
const LIMIT_MS = 120_000;
const PAUSE_MS = 10;

/**
 * Polls until a condition holds, and returns its value.
 * @param look must be repeatable; undefined, null and false: not yet
 * @throws Error after two minutes
 */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found as NonNullable<Exclude<T, false>>;
    if (Date.now() > end) throw new Error(`The condition was not met within ${LIMIT_MS / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
