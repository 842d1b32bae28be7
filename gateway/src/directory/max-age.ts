/** Maximum age of cache entries while no generation changes, in milliseconds. */
export const MAX_AGE_MS = 60_000;
