// Git synchronization: repositories, tasks, hooks and webhooks.
import { graph, limits, nonZero, number, quantile, rateOf } from './panels.mjs';

export const git = {
  uid: 'parlance-git',
  title: 'Parlance: git synchronization',
  panels: [
    number('Repositories', 'short', 'max(parlance_repositories{state="all"})'),
    number('Unpushed', 'short', 'max(parlance_repositories{state="unpushed"})'),
    number('Unmerged', 'short', 'max(parlance_repositories{state="unmerged"})', limits(1, 10)),
    number('Failed', 'short', 'max(parlance_repositories{state="failed"})', limits(1, 10)),
    number('Tasks waiting', 'short', 'max(parlance_tasks{state="waiting"})', limits(50, 500)),
    number(
      'Disk used',
      'percentunit',
      'max(1 - parlance_work_directory_free_bytes / parlance_work_directory_size_bytes)',
      limits(0.8, 0.9),
    ),
    graph('Oldest change on its way', 's', [['max by (state) (parlance_oldest_change_age_seconds)', '{{state}}']]),
    graph('Age of waiting changes, p95', 's', [
      [
        'histogram_quantile(0.95, max by (state, le) (label_replace(parlance_waiting_changes, "le", "$1", "max_age", "(.+)")))',
        '{{state}}',
      ],
    ]),
    graph('Changes that wait for more than a day', 'short', [
      [
        'max by (state) (parlance_waiting_changes{max_age="+Inf"}) - max by (state) (parlance_waiting_changes{max_age="86400"})',
        '{{state}}',
      ],
    ]),
    graph('Tasks', 'short', [['max by (state) (parlance_tasks)', '{{state}}']]),
    graph('Oldest waiting task', 's', [['max(parlance_tasks_oldest_waiting_age_seconds)', 'age']]),
    graph('Git operations', 'ops', [[rateOf('parlance_git_operations_total', 'operation'), '{{operation}}']]),
    graph('Failures by reason', 'ops', [
      [
        nonZero(rateOf('parlance_git_operations_total', 'operation, reason', '{reason!="ok"}')),
        '{{operation}}: {{reason}}',
      ],
    ]),
    graph('Time of git operations, p95', 's', [
      [
        quantile(0.95, 'parlance_git_operation_duration_seconds', ['operation', 'outcome']),
        '{{operation}} {{outcome}}',
      ],
    ]),
    graph('Waiting for a repository', 's', [
      [quantile(0.5, 'parlance_repository_lease_wait_seconds', []), 'p50'],
      [quantile(0.95, 'parlance_repository_lease_wait_seconds', []), 'p95'],
    ]),
    graph('Repositories in work', 'short', [['sum by (state) (parlance_repository_leases)', '{{state}}']]),
    graph('Time that a repository is held', 's', [
      [quantile(0.5, 'parlance_repository_lease_duration_seconds', []), 'p50'],
      [quantile(0.95, 'parlance_repository_lease_duration_seconds', []), 'p95'],
    ]),
    graph('From an edit to its commit', 's', [
      [quantile(0.5, 'parlance_edit_commit_delay_seconds', []), 'p50'],
      [quantile(0.95, 'parlance_edit_commit_delay_seconds', []), 'p95'],
    ]),
    graph('From a hook to the API (pull tasks)', 's', [
      [quantile(0.5, 'parlance_task_latency_seconds', [], '{kind="pull"}'), 'p50'],
      [quantile(0.95, 'parlance_task_latency_seconds', [], '{kind="pull"}'), 'p95'],
    ]),
    graph('Tasks ended', 'ops', [
      [nonZero(rateOf('parlance_tasks_ended_total', 'kind, outcome')), '{{kind}} {{outcome}}'],
    ]),
    graph('Tasks set aside, leases lost', 'short', [
      ['sum(increase(parlance_tasks_set_aside_total[$__rate_interval]))', 'tasks set aside'],
      ['sum(increase(parlance_repository_leases_lost_total[$__rate_interval]))', 'leases lost'],
    ]),
    graph('Hooks by outcome', 'reqps', [
      [nonZero(rateOf('parlance_hook_deliveries_total', 'provider, outcome')), '{{provider}} {{outcome}}'],
    ]),
    graph('Outbound webhooks', 'ops', [[rateOf('parlance_webhook_attempts_total', 'state'), '{{state}}']]),
    graph('Time of outbound webhooks, p95', 's', [
      [quantile(0.95, 'parlance_webhook_attempt_duration_seconds', []), 'p95'],
    ]),
  ],
};
