/** Queries for metrics; bounded, and not part of any request. Times are milliseconds since the epoch, null for none. */
export interface Measures {
  /** @returns counts, and since when the oldest due task could have started */
  tasks(now: number): Promise<{ waiting: number; running: number; oldestDueMs: number | null }>;
  /** Components that may have pending edits, and since when the oldest edit may be pending. */
  pendingEdits(): Promise<{ components: number; oldestMs: number | null }>;
  /** Repositories by state; those of one state with the time since when the first has been in it. */
  repositories(): Promise<{
    all: number;
    unpushed: number;
    unmerged: number;
    failed: number;
    unpushedSinceMs: number | null;
    unmergedSinceMs: number | null;
  }>;
}
