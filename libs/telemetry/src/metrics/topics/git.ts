import type { LabelBound, MetricDefinition } from '../definition';
import { WORK } from './shared';

/** Seconds: from an edit to its commit, which components delay by hours. */
const HOURS = [60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 25 * 3600, 48 * 3600, 7 * 24 * 3600] as const;
const gitOperation: LabelBound = ['clone', 'fetch', 'commit', 'merge', 'push', 'other'];

export const gitMetrics = {
  parlance_git_operations_total: {
    type: 'counter',
    help: 'Git operations by result: `ok`, or why they failed.',
    processes: ['vcs-worker'],
    labels: {
      operation: gitOperation,
      reason: [
        'ok',
        'conflict',
        'refused',
        'unreachable',
        'not-found',
        'denied',
        'no-branch',
        'empty',
        'stale',
        'rejected',
        'broken',
        'incomplete',
        'too-large',
        'disk-full',
        'timeout',
        'aborted',
        'failed',
        'other',
      ],
    },
  },
  parlance_git_operation_duration_seconds: {
    type: 'histogram',
    help: 'Time of git operations by outcome. `parlance_git_operations_total` has the reasons of failures.',
    processes: ['vcs-worker'],
    labels: { operation: gitOperation, outcome: ['ok', 'failed', 'other'] },
    buckets: WORK,
  },
  parlance_repository_lease_wait_seconds: {
    type: 'histogram',
    help: 'Time from asking for a repository to holding its lease.',
    processes: ['vcs-worker'],
    buckets: WORK,
  },
  parlance_repository_lease_duration_seconds: {
    type: 'histogram',
    help: 'Time that a lease of a repository was held.',
    processes: ['vcs-worker'],
    buckets: WORK,
  },
  parlance_repository_leases: {
    type: 'gauge',
    help: 'Leases that the process holds or waits for.',
    processes: ['vcs-worker'],
    labels: { state: ['held', 'waiting', 'other'] },
  },
  parlance_repository_leases_lost_total: {
    type: 'counter',
    help: 'Leases that another worker took over while their work went on.',
    processes: ['vcs-worker'],
  },
  parlance_edit_commit_delay_seconds: {
    type: 'histogram',
    help: 'Age of the oldest edit of a group (translation and author) when it is committed.',
    processes: ['vcs-worker'],
    buckets: HOURS,
  },
  parlance_edit_commit_lateness_seconds: {
    type: 'histogram',
    help: 'Time from the moment when a group of edits was due (`commit_pending_age`) to its commit; 0 if committed before.',
    processes: ['vcs-worker'],
    buckets: [0, 60, 300, 900, 1800, 3600, 4 * 3600, 24 * 3600],
  },
  parlance_oldest_change_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest change on its way: `pending` edit, `overdue` edit (since it was due, or while looking for such edits fails, since it last succeeded), `unpushed` commit, `unmerged` commit of upstream.',
    processes: ['vcs-worker'],
    labels: { state: ['pending', 'overdue', 'unpushed', 'unmerged', 'other'] },
    shared: true,
  },
  parlance_waiting_changes: {
    type: 'gauge',
    help: 'Components with `pending` edits, repositories with `unpushed` or `unmerged` commits, by the age of their oldest one: at most `max_age` seconds. A histogram of the moment.',
    processes: ['vcs-worker'],
    labels: {
      state: ['pending', 'unpushed', 'unmerged', 'other'],
      max_age: ['900', '3600', '14400', '86400', '604800', '+Inf', 'other'],
    },
    shared: true,
  },
  parlance_components_with_pending_edits: {
    type: 'gauge',
    help: 'Components with edits that no commit contains. A commit is counted after up to five minutes.',
    processes: ['vcs-worker'],
    shared: true,
  },
  parlance_repositories: {
    type: 'gauge',
    help: 'Repositories by state. One can be in several states: unpushed commits, unmerged upstream commits, last merge or push failed. These three are counted among at most 20 000 repositories that are in one of them.',
    processes: ['vcs-worker'],
    labels: { state: ['all', 'unpushed', 'unmerged', 'failed', 'other'] },
    shared: true,
  },
  parlance_work_directory_free_bytes: {
    type: 'gauge',
    help: 'Free space of the file system that holds the clones.',
    processes: ['vcs-worker'],
  },
  parlance_work_directory_size_bytes: {
    type: 'gauge',
    help: 'Size of the file system that holds the clones.',
    processes: ['vcs-worker'],
  },
} as const satisfies Record<string, MetricDefinition>;
