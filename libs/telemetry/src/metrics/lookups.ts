import { counter } from './metric';

const lookups = counter('parlance_cache_requests_total');

/** Counts look-ups in a cache. @param cache value of the label `cache` in the table of metrics */
export function countLookups(cache: string, hits: number, misses: number): void {
  lookups.inc({ cache, result: 'hit' }, hits);
  lookups.inc({ cache, result: 'miss' }, misses);
}

/** Counts one look-up; undefined is a miss. @returns the value */
export function countLookup<V>(cache: string, value: V | undefined): V | undefined {
  lookups.inc({ cache, result: value === undefined ? 'miss' : 'hit' });
  return value;
}
