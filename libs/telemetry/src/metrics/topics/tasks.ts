import type { LabelBound, MetricDefinition } from '../definition';

const taskKind: LabelBound = ['import', 'pull', 'update', 'commit', 'addons', 'glossary', 'report', 'other'];

export const taskMetrics = {
  parlance_tasks: {
    type: 'gauge',
    help: 'Tasks that wait or run.',
    processes: ['vcs-worker'],
    labels: { state: ['waiting', 'running', 'other'] },
    shared: true,
  },
  parlance_tasks_oldest_waiting_age_seconds: {
    type: 'gauge',
    help: 'Time since the oldest due task could have started; 0 if none waits.',
    processes: ['vcs-worker'],
    shared: true,
  },
  parlance_tasks_ended_total: {
    type: 'counter',
    help: 'Tasks ended.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind, outcome: ['done', 'failed', 'other'] },
  },
  parlance_task_latency_seconds: {
    type: 'histogram',
    help: 'Time from the creation of a task to its successful end. A `pull` is created when a git host announces a push.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind },
    buckets: [0.5, 1, 5, 15, 30, 60, 120, 300, 900, 3600, 4 * 3600],
  },
  parlance_tasks_set_aside_total: {
    type: 'counter',
    help: 'Tasks that were set aside because they ended or stalled their workers.',
    processes: ['vcs-worker'],
    labels: { kind: taskKind },
  },
} as const satisfies Record<string, MetricDefinition>;
