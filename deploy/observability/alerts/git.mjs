// Alerts on git synchronization: edits, repositories, tasks, disks.
import { unlessMaintenance } from './maintenance.mjs';

/** Described in index.mjs. */
export const git = [
  {
    alert: 'OverdueEdits',
    severity: 'page',
    runbook: 'overdue-edits',
    expr: 'max(parlance_oldest_change_age_seconds{state="overdue"}) > 3600',
    for: '10m',
    summary: 'Edits are not committed although they were due an hour ago',
    test: {
      labels: {},
      fires: { 'parlance_oldest_change_age_seconds{state="overdue"}': '3700+60x20' },
      quiet: { 'parlance_oldest_change_age_seconds{state="overdue"}': '60x20' },
    },
  },
  {
    alert: 'UpstreamUnmerged',
    severity: 'ticket',
    runbook: 'upstream-unmerged',
    expr: 'max(parlance_oldest_change_age_seconds{state="unmerged"}) > 86400',
    for: '30m',
    summary: 'A repository has not merged commits of upstream for more than a day',
    test: {
      labels: {},
      fires: { 'parlance_oldest_change_age_seconds{state="unmerged"}': '90000x40' },
      quiet: { 'parlance_oldest_change_age_seconds{state="unmerged"}': '3600x40' },
    },
  },
  {
    alert: 'GitOperationsFailing',
    severity: 'ticket',
    runbook: 'git-operations-failing',
    expr: 'sum by (operation) (rate(parlance_git_operations_total{reason!~"ok|stale|conflict|aborted"}[30m])) / sum by (operation) (rate(parlance_git_operations_total[30m])) > 0.5',
    for: '15m',
    summary: 'More than half of the {{ $labels.operation }} operations fail',
    test: {
      labels: { operation: 'push' },
      fires: {
        'parlance_git_operations_total{operation="push",reason="denied"}': '0+2x60',
        'parlance_git_operations_total{operation="push",reason="ok"}': '0+1x60',
      },
      quiet: {
        'parlance_git_operations_total{operation="push",reason="stale"}': '0+2x60',
        'parlance_git_operations_total{operation="push",reason="ok"}': '0+1x60',
      },
    },
  },
  {
    alert: 'RepositoriesFailed',
    severity: 'ticket',
    runbook: 'git-operations-failing',
    expr: 'max(parlance_repositories{state="failed"}) > 0',
    for: '15m',
    summary: 'The last merge or push of a repository failed, for 15 minutes at least',
    test: {
      labels: {},
      fires: { 'parlance_repositories{state="failed"}': '1x80' },
      quiet: { 'parlance_repositories{state="failed"}': '1x14 0x66' },
    },
  },
  {
    alert: 'TaskQueueStuck',
    severity: 'page',
    runbook: 'task-queue-stuck',
    expr: unlessMaintenance('max(parlance_tasks_oldest_waiting_age_seconds) > 600', '10m'),
    for: '5m',
    summary: 'Tasks have waited for a worker for more than 10 minutes',
    test: {
      labels: {},
      fires: { parlance_tasks_oldest_waiting_age_seconds: '601+60x20', parlance_maintenance: '1x2 0x17' },
      quiet: [
        { parlance_tasks_oldest_waiting_age_seconds: '5x20', parlance_maintenance: '0x20' },
        { parlance_tasks_oldest_waiting_age_seconds: '601+60x20', parlance_maintenance: '1x20' },
        { parlance_tasks_oldest_waiting_age_seconds: '601+60x20', parlance_maintenance: '1x6 0x13' },
      ],
    },
  },
  {
    alert: 'TasksSetAside',
    severity: 'ticket',
    runbook: 'tasks-set-aside',
    expr: 'sum by (kind) (increase(parlance_tasks_set_aside_total[1h])) > 0',
    for: '0m',
    summary: 'A task of kind {{ $labels.kind }} ended or stalled its workers twice',
    test: {
      labels: { kind: 'import' },
      fires: { 'parlance_tasks_set_aside_total{kind="import"}': '0x10 1x10' },
      quiet: { 'parlance_tasks_set_aside_total{kind="import"}': '1x20' },
    },
  },
  {
    alert: 'WorkDirectoryFull',
    severity: 'page',
    runbook: 'work-directory-full',
    expr: 'min by (component, instance) (parlance_work_directory_free_bytes / parlance_work_directory_size_bytes) < 0.1',
    for: '10m',
    summary: 'The disk of {{ $labels.instance }} is more than 90 % full',
    test: {
      labels: { component: 'vcs-worker', instance: 'vcs-worker:9090' },
      fires: {
        'parlance_work_directory_free_bytes{component="vcs-worker",instance="vcs-worker:9090"}': '5x20',
        'parlance_work_directory_size_bytes{component="vcs-worker",instance="vcs-worker:9090"}': '100x20',
      },
      quiet: {
        'parlance_work_directory_free_bytes{component="vcs-worker",instance="vcs-worker:9090"}': '50x20',
        'parlance_work_directory_size_bytes{component="vcs-worker",instance="vcs-worker:9090"}': '100x20',
      },
    },
  },
];
