// Objectives and alerts. generate.mjs writes the rules of Prometheus and their tests from this file.

/**
 * Service level objectives over 30 days; docs/slo.md explains them. `bad` and `total` are rates of events with WINDOW for the range.
 * test: counters that are bad or good events.
 */
export const slos = [
  {
    slo: 'api-availability',
    alert: 'ApiAvailability',
    title: 'API availability',
    objective: 0.999,
    meaning: 'requests of the API that are not answered with a status of 500 or above',
    bad: 'sum(rate(parlance_http_requests_total{status=~"5.."}[WINDOW]))',
    total: 'sum(rate(parlance_http_requests_total[WINDOW]))',
    test: {
      bad: ['parlance_http_requests_total{route="/api/units/:unit/",status="500"}'],
      good: ['parlance_http_requests_total{route="/api/units/:unit/",status="200"}'],
    },
  },
  {
    slo: 'api-latency',
    alert: 'ApiLatency',
    title: 'API latency',
    objective: 0.99,
    meaning:
      'requests of the API that are answered within 1 s; without files, archives, repository operations and git clients',
    bad: `sum(rate(parlance_http_request_duration_seconds_count{ROUTES}[WINDOW])) - sum(rate(parlance_http_request_duration_seconds_bucket{ROUTES,le=~"1|1.0"}[WINDOW]))`,
    total: 'sum(rate(parlance_http_request_duration_seconds_count{ROUTES}[WINDOW]))',
    test: {
      bad: ['parlance_http_request_duration_seconds_count{route="/api/units/"}'],
      good: [
        'parlance_http_request_duration_seconds_count{route="/api/projects/"}',
        'parlance_http_request_duration_seconds_bucket{route="/api/projects/",le="1"}',
        // Of the slow route: no request within the bucket.
        'parlance_http_request_duration_seconds_bucket{route="/api/units/",le="1"} 0',
      ],
    },
  },
  {
    slo: 'edit-to-git',
    alert: 'EditToGit',
    title: 'Edit-to-git latency',
    objective: 0.99,
    meaning:
      'groups of edits (translation and author) that are committed at most 15 minutes after they are due by `commit_pending_age`',
    bad: 'sum(rate(parlance_edit_commit_lateness_seconds_count[WINDOW])) - sum(rate(parlance_edit_commit_lateness_seconds_bucket{le=~"900|900.0"}[WINDOW]))',
    total: 'sum(rate(parlance_edit_commit_lateness_seconds_count[WINDOW]))',
    test: {
      bad: ['parlance_edit_commit_lateness_seconds_count{instance="a"}'],
      good: [
        'parlance_edit_commit_lateness_seconds_count{instance="b"}',
        'parlance_edit_commit_lateness_seconds_bucket{instance="b",le="900"}',
        'parlance_edit_commit_lateness_seconds_bucket{instance="a",le="900"} 0',
      ],
    },
  },
  {
    slo: 'upstream-sync',
    alert: 'UpstreamSync',
    title: 'Upstream-to-API sync lag',
    objective: 0.95,
    meaning: 'pulls that a git host asked for whose strings are in the API at most 5 minutes after its hook',
    bad: 'sum(rate(parlance_tasks_ended_total{kind="pull"}[WINDOW])) - sum(rate(parlance_task_latency_seconds_bucket{kind="pull",le=~"300|300.0"}[WINDOW]))',
    total: 'sum(rate(parlance_tasks_ended_total{kind="pull"}[WINDOW]))',
    test: {
      bad: ['parlance_tasks_ended_total{kind="pull",outcome="failed"}'],
      good: [
        'parlance_tasks_ended_total{kind="pull",outcome="done"}',
        'parlance_task_latency_seconds_bucket{kind="pull",le="300"}',
      ],
    },
  },
  {
    slo: 'hook-acceptance',
    alert: 'HookAcceptance',
    title: 'Hook acceptance',
    objective: 0.999,
    meaning: 'notifications of git hosts that are not answered with a status of 500 or above',
    bad: 'sum(rate(parlance_http_requests_total{route=~"/hooks/.*",status=~"5.."}[WINDOW]))',
    total: 'sum(rate(parlance_http_requests_total{route=~"/hooks/.*"}[WINDOW]))',
    test: {
      bad: ['parlance_http_requests_total{route="/hooks/:provider/",status="503"}'],
      good: ['parlance_http_requests_total{route="/hooks/:provider/",status="200"}'],
    },
  },
  {
    slo: 'statistics-freshness',
    alert: 'StatisticsFreshness',
    title: 'Statistics freshness',
    objective: 0.99,
    meaning: 'changes that statistics show at most 5 s later',
    bad: 'sum(rate(parlance_event_delay_seconds_count{consumer="statistics-live"}[WINDOW])) - sum(rate(parlance_event_delay_seconds_bucket{consumer="statistics-live",le=~"5|5.0"}[WINDOW]))',
    total: 'sum(rate(parlance_event_delay_seconds_count{consumer="statistics-live"}[WINDOW]))',
    test: {
      bad: ['parlance_event_delay_seconds_count{consumer="statistics-live",instance="a"}'],
      good: [
        'parlance_event_delay_seconds_count{consumer="statistics-live",instance="b"}',
        'parlance_event_delay_seconds_bucket{consumer="statistics-live",instance="b",le="5"}',
        'parlance_event_delay_seconds_bucket{consumer="statistics-live",instance="a",le="5"} 0',
      ],
    },
  },
].map((slo) => {
  // A series without failures does not exist: its rate is 0.
  const routes = 'route!~".*(/file/|/repository/|/autotranslate/|/git/|/exports/|/hooks/).*"';
  const of = (expression) => expression.replaceAll('ROUTES', routes);
  return { ...slo, bad: of(slo.bad), total: of(slo.total) };
});

/** Ranges of the recorded error ratios. */
export const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

/** Burn rates of an error budget: how many times faster than the objective allows, over a long and a short window. */
export const burnRates = [
  {
    name: 'Fast',
    severity: 'page',
    pairs: [
      { factor: 14.4, long: '1h', short: '5m' },
      { factor: 6, long: '6h', short: '30m' },
    ],
    for: '2m',
  },
  {
    name: 'Slow',
    severity: 'ticket',
    pairs: [
      { factor: 3, long: '1d', short: '2h' },
      { factor: 1, long: '3d', short: '6h' },
    ],
    for: '15m',
  },
];

/**
 * Alerts on causes and on what no objective covers. runbook: page in docs/runbooks; test: input series for promtool that fire the
 * alert with `labels` at `at`, and `quiet` ones that do not.
 */
export const alerts = [
  {
    alert: 'ProcessDown',
    severity: 'page',
    runbook: 'process-down',
    expr: 'up{component!=""} == 0',
    for: '2m',
    summary: '{{ $labels.component }} cannot be scraped ({{ $labels.instance }})',
    test: {
      labels: { component: 'gateway', instance: 'gateway:9090' },
      fires: { 'up{component="gateway",instance="gateway:9090"}': '0x20' },
      quiet: { 'up{component="gateway",instance="gateway:9090"}': '1x20' },
    },
  },
  {
    alert: 'EngineUnavailable',
    severity: 'page',
    runbook: 'engine-unavailable',
    expr: 'max by (component, dependency) (parlance_dependency_up) == 0',
    for: '2m',
    summary: '{{ $labels.component }} does not reach {{ $labels.dependency }}',
    test: {
      labels: { component: 'catalog', dependency: 'mongo' },
      fires: { 'parlance_dependency_up{component="catalog",dependency="mongo"}': '0x20' },
      quiet: { 'parlance_dependency_up{component="catalog",dependency="mongo"}': '1x20' },
    },
  },
  {
    alert: 'DeadLetters',
    severity: 'ticket',
    runbook: 'dead-letters',
    expr: 'max(parlance_dead_letters) > 0',
    for: '5m',
    summary: 'Events could not be handled and wait in the dead letters',
    test: {
      labels: {},
      fires: { 'parlance_dead_letters{component="hooks"}': '1x20' },
      quiet: { 'parlance_dead_letters{component="hooks"}': '0x20' },
    },
  },
  {
    alert: 'OutboxStuck',
    severity: 'page',
    runbook: 'outbox-stuck',
    expr: 'max by (component) (parlance_outbox_oldest_event_age_seconds) > 60',
    for: '5m',
    summary: '{{ $labels.component }} has not published an event for more than a minute',
    test: {
      labels: { component: 'catalog' },
      fires: { 'parlance_outbox_oldest_event_age_seconds{component="catalog"}': '90+60x20' },
      quiet: { 'parlance_outbox_oldest_event_age_seconds{component="catalog"}': '6x20' },
    },
  },
  {
    alert: 'ConsumerLagging',
    severity: 'page',
    runbook: 'consumer-lagging',
    expr: 'max by (consumer) (parlance_consumer_oldest_event_age_seconds) > 300',
    for: '5m',
    summary: '{{ $labels.consumer }} has not handled an event for more than 5 minutes',
    test: {
      labels: { consumer: 'hooks-changes' },
      fires: { 'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '301+60x20' },
      quiet: { 'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '20x20' },
    },
  },
  {
    alert: 'EventStreamFull',
    severity: 'ticket',
    runbook: 'event-stream-full',
    expr: 'max(parlance_event_stream_bytes) / max(parlance_event_stream_max_bytes) > 0.9 and max(parlance_consumer_oldest_event_age_seconds) > 60',
    for: '15m',
    summary: 'The event stream drops its oldest events while a consumer is behind',
    test: {
      labels: {},
      fires: {
        parlance_event_stream_bytes: '950x40',
        parlance_event_stream_max_bytes: '1000x40',
        'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '100x40',
      },
      quiet: {
        parlance_event_stream_bytes: '950x40',
        parlance_event_stream_max_bytes: '1000x40',
        'parlance_consumer_oldest_event_age_seconds{consumer="hooks-changes"}': '0x40',
      },
    },
  },
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
    alert: 'TaskQueueStuck',
    severity: 'page',
    runbook: 'task-queue-stuck',
    expr: 'max(parlance_tasks_oldest_waiting_age_seconds) > 600',
    for: '5m',
    summary: 'Tasks have waited for a worker for more than 10 minutes',
    test: {
      labels: {},
      fires: { parlance_tasks_oldest_waiting_age_seconds: '601+60x20' },
      quiet: { parlance_tasks_oldest_waiting_age_seconds: '5x20' },
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
    alert: 'EventLoopLag',
    severity: 'ticket',
    runbook: 'event-loop-lag',
    expr: 'max by (component) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '10m',
    summary: 'The event loop of {{ $labels.component }} is blocked for more than 0.5 s',
    test: {
      labels: { component: 'translation' },
      fires: { 'nodejs_eventloop_lag_p99_seconds{component="translation"}': '0.8x20' },
      quiet: { 'nodejs_eventloop_lag_p99_seconds{component="translation"}': '0.1x20' },
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
  {
    alert: 'CertificateExpires',
    severity: 'ticket',
    runbook: 'certificate-expires',
    expr: 'min by (component) (parlance_tls_certificate_expiry_timestamp_seconds > 0) - time() < 7 * 86400',
    for: '10m',
    summary: 'The certificate of {{ $labels.component }} for calls between processes expires in less than a week',
    test: {
      labels: { component: 'catalog' },
      fires: { 'parlance_tls_certificate_expiry_timestamp_seconds{component="catalog"}': '86400x20' },
      quiet: {
        'parlance_tls_certificate_expiry_timestamp_seconds{component="catalog"}': '5000000x20',
        'parlance_tls_certificate_expiry_timestamp_seconds{component="hooks"}': '0x20',
      },
    },
  },
  {
    alert: 'StorePoolExhausted',
    severity: 'ticket',
    runbook: 'store-slow',
    expr: 'max by (component) (parlance_store_pool_connections{state="in_use"} / ignoring(state) parlance_store_pool_max_connections) > 0.9',
    for: '10m',
    summary: 'Requests of {{ $labels.component }} wait for database connections',
    test: {
      labels: { component: 'translation' },
      fires: {
        'parlance_store_pool_connections{component="translation",state="in_use"}': '20x20',
        'parlance_store_pool_max_connections{component="translation"}': '20x20',
      },
      quiet: {
        'parlance_store_pool_connections{component="translation",state="in_use"}': '3x20',
        'parlance_store_pool_max_connections{component="translation"}': '20x20',
      },
    },
  },
  {
    alert: 'StoreSlow',
    severity: 'ticket',
    runbook: 'store-slow',
    expr: 'sum by (component) (rate(parlance_store_slow_commands_total[15m])) > 0.1',
    for: '15m',
    summary: 'Database commands of {{ $labels.component }} take longer than 1 s',
    test: {
      labels: { component: 'translation' },
      fires: { 'parlance_store_slow_commands_total{component="translation",command="find"}': '0+20x60' },
      quiet: { 'parlance_store_slow_commands_total{component="translation",command="find"}': '0+1x60' },
    },
  },
  {
    alert: 'ObjectStoreFailing',
    severity: 'ticket',
    runbook: 'object-store-failing',
    expr: 'sum(rate(parlance_object_store_request_duration_seconds_count{outcome="failed"}[10m])) / sum(rate(parlance_object_store_request_duration_seconds_count[10m])) > 0.1',
    for: '10m',
    summary: 'Requests to the object store fail',
    test: {
      labels: {},
      fires: {
        'parlance_object_store_request_duration_seconds_count{operation="put",outcome="failed"}': '0+5x40',
        'parlance_object_store_request_duration_seconds_count{operation="put",outcome="ok"}': '0+5x40',
      },
      quiet: {
        'parlance_object_store_request_duration_seconds_count{operation="get",outcome="missing"}': '0+5x40',
        'parlance_object_store_request_duration_seconds_count{operation="put",outcome="ok"}': '0+5x40',
      },
    },
  },
  {
    alert: 'WebhooksFailing',
    severity: 'ticket',
    runbook: 'webhooks-failing',
    expr: 'sum(increase(parlance_webhook_attempts_total{state="failed"}[1h])) > 20',
    for: '0m',
    summary: 'Outbound webhooks are given up after their last attempt',
    test: {
      labels: {},
      fires: { 'parlance_webhook_attempts_total{state="failed"}': '0+1x60' },
      quiet: { 'parlance_webhook_attempts_total{state="pending"}': '0+1x60' },
    },
  },
  {
    alert: 'MachineryFailing',
    severity: 'ticket',
    runbook: 'machinery-failing',
    expr: 'sum by (engine) (rate(parlance_machinery_requests_total{outcome!="ok"}[30m])) / sum by (engine) (rate(parlance_machinery_requests_total[30m])) > 0.5',
    for: '15m',
    summary: 'Requests to the translation engine {{ $labels.engine }} fail',
    test: {
      labels: { engine: 'deepl' },
      fires: { 'parlance_machinery_requests_total{engine="deepl",outcome="failed"}': '0+1x60' },
      quiet: { 'parlance_machinery_requests_total{engine="deepl",outcome="ok"}': '0+1x60' },
    },
  },
  {
    alert: 'ErrorsLogged',
    severity: 'ticket',
    runbook: 'errors-logged',
    expr: 'sum by (component) (increase(parlance_log_lines_total{level=~"error|fatal"}[10m])) > 0',
    for: '0m',
    summary: '{{ $labels.component }} logged an error, which asks a human to act',
    test: {
      labels: { component: 'identity' },
      fires: { 'parlance_log_lines_total{component="identity",level="error"}': '0x10 1x10' },
      quiet: { 'parlance_log_lines_total{component="identity",level="warn"}': '0+1x20' },
    },
  },
  {
    alert: 'MetricsIncomplete',
    severity: 'ticket',
    runbook: 'metrics-incomplete',
    expr: 'sum by (component, source) (increase(parlance_metrics_refresh_failures_total[15m])) > 5',
    for: '0m',
    summary: '{{ $labels.component }} cannot read metrics of {{ $labels.source }}',
    test: {
      labels: { component: 'vcs-worker', source: 'tasks' },
      fires: { 'parlance_metrics_refresh_failures_total{component="vcs-worker",source="tasks"}': '0+1x30' },
      quiet: { 'parlance_metrics_refresh_failures_total{component="vcs-worker",source="tasks"}': '3x30' },
    },
  },
];
