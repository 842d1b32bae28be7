import { isGitError, MergeConflictError, type GitOptions } from '@parlance/git';
import { counter, gauge, histogram, refreshOnScrape, reportVolume, secondsSince, spaceOf } from '@parlance/telemetry';
import { AGE_BOUNDS, type Ages, type Measures } from '../domain/measures';

const operations = counter('parlance_git_operations_total');
const operationSeconds = histogram('parlance_git_operation_duration_seconds');
const leases = gauge('parlance_repository_leases');
const leaseWait = histogram('parlance_repository_lease_wait_seconds');
const leaseDuration = histogram('parlance_repository_lease_duration_seconds');
const oldestChange = gauge('parlance_oldest_change_age_seconds');
const waitingChanges = gauge('parlance_waiting_changes');
const componentsWithEdits = gauge('parlance_components_with_pending_edits');
const repositories = gauge('parlance_repositories');
const tasks = gauge('parlance_tasks');
const oldestTask = gauge('parlance_tasks_oldest_waiting_age_seconds');
const freeBytes = gauge('parlance_work_directory_free_bytes');
const sizeBytes = gauge('parlance_work_directory_size_bytes');

/** Measures a git operation with the reason of its failure. */
export const measureGit: NonNullable<GitOptions['measure']> = async (operation, run) => {
  const startedAt = performance.now();
  const end = (reason: string) => {
    operations.inc({ operation, reason });
    operationSeconds.observe({ operation, outcome: reason === 'ok' ? 'ok' : 'failed' }, secondsSince(startedAt));
  };
  try {
    const result = await run();
    end('ok');
    return result;
  } catch (error) {
    end(isGitError(error) ? error.problem : error instanceof MergeConflictError ? 'conflict' : 'other');
    throw error;
  }
};

/** Measures one lease of a repository: created when it is asked for. */
export class MeasuredLease {
  private since = performance.now();
  private state: 'waiting' | 'held' = 'waiting';

  constructor() {
    leases.add({ state: 'waiting' }, 1);
  }

  acquired(): void {
    leases.add({ state: 'waiting' }, -1);
    leases.add({ state: 'held' }, 1);
    leaseWait.observe(secondsSince(this.since));
    this.state = 'held';
    this.since = performance.now();
  }

  /** The lease was released, or the waiting ended without it. */
  ended(): void {
    leases.add({ state: this.state }, -1);
    if (this.state === 'held') leaseDuration.observe(secondsSince(this.since));
  }
}

/** Reports the age of the oldest edit whose commit is due. @param ageMs 0 for none */
export function reportOverdue(ageMs: number): void {
  oldestChange.set({ state: 'overdue' }, ageMs / 1000);
}

type WaitingState = 'pending' | 'unpushed' | 'unmerged';

/** Reports how many changes of a state wait, cumulated by age as in a histogram. */
function reportWaiting(state: WaitingState, count: number, { withinBounds }: Ages): void {
  for (const [index, bound] of AGE_BOUNDS.entries())
    waitingChanges.set({ state, max_age: String(bound) }, withinBounds[index]!);
  waitingChanges.set({ state, max_age: '+Inf' }, count);
}

/** The series of some states, which have no value while their query fails. */
const seriesOf = (...states: WaitingState[]) =>
  states.flatMap((state) => [
    oldestChange.of({ state }),
    ...[...AGE_BOUNDS.map(String), '+Inf'].map((maxAge) => waitingChanges.of({ state, max_age: maxAge })),
  ]);

/**
 * Reports queues, repositories and disk on scrape.
 * @returns stops reporting
 */
export function startMeasuring(measures: Measures, workDir: string, now: () => number = Date.now): () => void {
  const secondsFrom = (sinceMs: number | null) => (sinceMs === null ? 0 : Math.max(0, now() - sinceMs) / 1000);
  reportVolume('clones', workDir);
  const stops = [
    refreshOnScrape('tasks', [tasks, oldestTask], async () => {
      const { waiting, running, oldestDueMs } = await measures.tasks(now());
      tasks.set({ state: 'waiting' }, waiting);
      tasks.set({ state: 'running' }, running);
      oldestTask.set(secondsFrom(oldestDueMs));
    }),
    refreshOnScrape('pending-edits', [componentsWithEdits, ...seriesOf('pending')], async () => {
      const { components, ages } = await measures.pendingEdits(now());
      componentsWithEdits.set(components);
      oldestChange.set({ state: 'pending' }, secondsFrom(ages.oldestMs));
      reportWaiting('pending', components, ages);
    }),
    refreshOnScrape('repositories', [repositories, ...seriesOf('unpushed', 'unmerged')], async () => {
      const { unpushedAges, unmergedAges, ...counts } = await measures.repositories(now());
      for (const [state, count] of Object.entries(counts)) repositories.set({ state }, count);
      oldestChange.set({ state: 'unpushed' }, secondsFrom(unpushedAges.oldestMs));
      oldestChange.set({ state: 'unmerged' }, secondsFrom(unmergedAges.oldestMs));
      reportWaiting('unpushed', counts.unpushed, unpushedAges);
      reportWaiting('unmerged', counts.unmerged, unmergedAges);
    }),
    refreshOnScrape('work-directory', [freeBytes, sizeBytes], async () => {
      const space = await spaceOf(workDir);
      freeBytes.set(space.freeBytes);
      sizeBytes.set(space.sizeBytes);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
