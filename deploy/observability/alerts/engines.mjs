// Alerts on MongoDB, Redis, NATS and S3.

/** Described in index.mjs. */
export const engines = [
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
];
