import { counter } from '@parlance/telemetry';

/** Maximum age of cache entries while no generation changes, in milliseconds. */
export const MAX_AGE_MS = 60_000;

const lookups = counter('parlance_cache_requests_total');

/** Counts a lookup by its result. */
export function countLookup<V>(cache: string, value: V | undefined): V | undefined {
  lookups.inc({ cache, result: value === undefined ? 'miss' : 'hit' });
  return value;
}
