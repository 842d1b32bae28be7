/** Upper bounds of ages in seconds, by which waiting changes are counted. */
export const AGE_BOUNDS = [900, 3_600, 14_400, 86_400, 604_800] as const;

/** Ages of waiting changes. Times are milliseconds since the epoch. */
export interface Ages {
  /** Since when the oldest waits; null for none. */
  oldestMs: number | null;
  /** Numbers of those that have waited at most each of AGE_BOUNDS; an unknown time counts as the shortest. */
  withinBounds: number[];
}

/** Queries for metrics; bounded, and not part of any request. Times are milliseconds since the epoch, null for none. */
export interface Measures {
  /** @returns counts, and since when the oldest due task could have started */
  tasks(now: number): Promise<{ waiting: number; running: number; oldestDueMs: number | null }>;
  /** Components that may have pending edits, by the time since when the oldest edit of each may be pending. */
  pendingEdits(now: number): Promise<{ components: number; ages: Ages }>;
  /** Repositories by state, and by the time since when they have been in it. */
  repositories(now: number): Promise<{
    all: number;
    unpushed: number;
    unmerged: number;
    failed: number;
    unpushedAges: Ages;
    unmergedAges: Ages;
  }>;
}

/** Counts times by their age. */
export function agesOf(times: readonly (number | null | undefined)[], now: number): Ages {
  const known = times.filter((time): time is number => typeof time === 'number');
  return {
    oldestMs: known.length === 0 ? null : known.reduce((first, time) => Math.min(first, time)),
    withinBounds: AGE_BOUNDS.map((bound) => times.filter((time) => now - (time ?? now) <= bound * 1000).length),
  };
}
