import { metricsText } from '@parlance/telemetry';
import { GitError, MergeConflictError } from '@parlance/git';
import { tmpdir } from 'node:os';
import { agesOf, type Measures } from '../domain/measures';
import { MeasuredLease, measureGit, reportOverdue, startMeasuring } from './measures';

/** Values of a metric by their labels. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const lines = (await metricsText())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels, value] = /^\w+(?:\{(.*)\})? (\S+)/.exec(line)!;
      return [labels ?? '', Number(value)];
    }),
  );
}

describe('measureGit', () => {
  it('measureGit counts each operation with the reason of its failure, and passes results and errors on', async () => {
    expect(await measureGit('fetch', async () => 5)).toBe(5);
    const failures = [new GitError('denied', 'no access'), new MergeConflictError([]), new Error('defect')];
    for (const error of failures) await expect(measureGit('fetch', () => Promise.reject(error))).rejects.toBe(error);
    const counts = await valuesOf('parlance_git_operations_total');
    for (const reason of ['ok', 'denied', 'conflict', 'other'])
      expect(counts).toMatchObject({ [`operation="fetch",reason="${reason}"`]: 1 });
    expect(await valuesOf('parlance_git_operation_duration_seconds_count')).toMatchObject({
      'operation="fetch",outcome="ok"': 1,
      'operation="fetch",outcome="failed"': 3,
    });
  });
});

it('a lease is counted as waiting, then as held, then not at all', async () => {
  const states = async () => Object.values(await valuesOf('parlance_repository_leases'));
  const lease = new MeasuredLease();
  expect(await states()).toEqual([1]);
  lease.acquired();
  expect(await states()).toEqual([0, 1]);
  lease.ended();
  expect(await states()).toEqual([0, 0]);
  const unsuccessful = new MeasuredLease();
  unsuccessful.ended();
  expect(await states()).toEqual([0, 0]);
});

describe('startMeasuring', () => {
  const measures: Measures = {
    tasks: async () => ({ waiting: 3, running: 1, oldestDueMs: 60_000 }),
    pendingEdits: async () => ({ components: 0, ages: { oldestMs: null, withinBounds: [0, 0, 0, 0, 0] } }),
    repositories: async () => ({
      all: 4,
      unpushed: 2,
      unmerged: 1,
      failed: 0,
      unpushedAges: { oldestMs: 40_000, withinBounds: [1, 1, 1, 2, 2] },
      unmergedAges: { oldestMs: 120_000, withinBounds: [1, 1, 1, 1, 1] },
    }),
  };

  it('startMeasuring reports counts, and ages in seconds: 0 for none and for times in the future', async () => {
    const stop = startMeasuring(measures, tmpdir(), () => 100_000);
    reportOverdue(7_000);
    expect(await valuesOf('parlance_tasks')).toEqual({ 'state="waiting"': 3, 'state="running"': 1 });
    expect(await valuesOf('parlance_tasks_oldest_waiting_age_seconds')).toEqual({ '': 40 });
    expect(await valuesOf('parlance_components_with_pending_edits')).toEqual({ '': 0 });
    expect(await valuesOf('parlance_repositories')).toMatchObject({ 'state="all"': 4, 'state="failed"': 0 });
    expect(await valuesOf('parlance_oldest_change_age_seconds')).toEqual({
      'state="overdue"': 7,
      'state="pending"': 0,
      'state="unpushed"': 60,
      'state="unmerged"': 0,
    });
    const waiting = await valuesOf('parlance_waiting_changes');
    expect(Object.keys(waiting)).toHaveLength(18);
    expect(waiting).toMatchObject({
      'state="pending",max_age="+Inf"': 0,
      'state="unpushed",max_age="14400"': 1,
      'state="unpushed",max_age="86400"': 2,
      'state="unpushed",max_age="+Inf"': 2,
      'state="unmerged",max_age="900"': 1,
    });
    expect((await valuesOf('parlance_work_directory_size_bytes'))['']).toBeGreaterThan(0);
    stop();
  });
});

it('waiting changes are counted by age; unknown times are the youngest', () => {
  const now = 1_000_000_000;
  const hoursAgo = (hours: number) => now - hours * 3_600_000;
  expect(agesOf([hoursAgo(0.1), hoursAgo(1), hoursAgo(5), hoursAgo(200), null, undefined], now)).toEqual({
    oldestMs: hoursAgo(200),
    withinBounds: [3, 4, 4, 5, 5],
  });
  expect(agesOf([], now)).toEqual({ oldestMs: null, withinBounds: [0, 0, 0, 0, 0] });
});
