// The dashboards of Grafana. A panel is a title, a unit and its queries: [query, legend].

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const HEIGHT = 8;

const rateOf = (counter, by, more = '') => `sum by (${by}) (rate(${counter}${more}[$__rate_interval]))`;
/** Quantile of a histogram, with `by` as legend. */
const quantile = (share, histogram, by, more = '') =>
  `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${histogram}_bucket${more}[$__rate_interval])))`;
const top = (count, query) => `topk(${count}, ${query})`;

const graph = (title, unit, queries, options = {}) => ({
  type: 'timeseries',
  title,
  unit,
  queries,
  width: 12,
  ...options,
});
const number = (title, unit, query, thresholds = []) => ({
  type: 'stat',
  title,
  unit,
  queries: [[query, '']],
  width: 4,
  thresholds,
});

/** Above the first limit yellow, above the second red. */
const limits = (yellow, red) => [
  { color: 'green', value: null },
  { color: 'yellow', value: yellow },
  { color: 'red', value: red },
];
/** Below the first limit yellow, below the second red. */
const floors = (yellow, red) => [
  { color: 'red', value: null },
  { color: 'yellow', value: red },
  { color: 'green', value: yellow },
];

const objective = (title, slo) =>
  number(title, 'percentunit', `1 - parlance:slo_errors:ratio_rate1d{slo="${slo}"}`, floors(0.99, 0.95));

const overview = {
  uid: 'parlance-overview',
  title: 'Parlance: overview',
  panels: [
    objective('API availability, 1 day', 'api-availability'),
    objective('API within 1 s, 1 day', 'api-latency'),
    objective('Edits committed in time, 1 day', 'edit-to-git'),
    objective('Pulls within 5 minutes, 1 day', 'upstream-sync'),
    objective('Hooks accepted, 1 day', 'hook-acceptance'),
    objective('Statistics within 5 s, 1 day', 'statistics-freshness'),
    number('Processes down', 'short', 'count(up{component!=""} == 0) or vector(0)', limits(1, 1)),
    number('Engines not reached', 'short', 'count(parlance_dependency_up == 0) or vector(0)', limits(1, 1)),
    number('Dead letters', 'short', 'max(parlance_dead_letters)', limits(1, 10)),
    number('Components with edits to commit', 'short', 'max(parlance_components_with_pending_edits)'),
    number(
      'Repositories whose merge or push failed',
      'short',
      'max(parlance_repositories{state="failed"})',
      limits(1, 10),
    ),
    number('Oldest overdue edit', 's', 'max(parlance_oldest_change_age_seconds{state="overdue"})', limits(900, 3600)),
    graph('Requests by status', 'reqps', [[rateOf('parlance_http_requests_total', 'status'), '{{status}}']], {
      stack: true,
    }),
    graph('Time to answer', 's', [
      [quantile(0.5, 'parlance_http_request_duration_seconds', []), 'p50'],
      [quantile(0.95, 'parlance_http_request_duration_seconds', []), 'p95'],
      [quantile(0.99, 'parlance_http_request_duration_seconds', []), 'p99'],
    ]),
    graph('Budget burn rate, 1 hour (1: exactly the objective)', 'short', [
      ['parlance:slo_errors:ratio_rate1h{slo=~"api-availability|hook-acceptance"} / 0.001', '{{slo}}'],
      ['parlance:slo_errors:ratio_rate1h{slo=~"api-latency|edit-to-git|statistics-freshness"} / 0.01', '{{slo}}'],
      ['parlance:slo_errors:ratio_rate1h{slo="upstream-sync"} / 0.05', '{{slo}}'],
    ]),
    graph('Errors logged', 'short', [
      [
        'sum by (component) (increase(parlance_log_lines_total{level=~"error|fatal"}[$__rate_interval]))',
        '{{component}}',
      ],
    ]),
    graph(
      'CPU',
      'short',
      [['sum by (component) (rate(process_cpu_seconds_total[$__rate_interval]))', '{{component}}']],
      {
        stack: true,
      },
    ),
    graph('Memory', 'bytes', [['sum by (component) (process_resident_memory_bytes)', '{{component}}']], {
      stack: true,
    }),
  ],
};

const api = {
  uid: 'parlance-api',
  title: 'Parlance: API',
  panels: [
    graph('Requests by route', 'reqps', [
      [top(15, rateOf('parlance_http_requests_total', 'method, route')), '{{method}} {{route}}'],
    ]),
    graph('Failures by route (500 and above)', 'reqps', [
      [
        top(15, rateOf('parlance_http_requests_total', 'method, route, status', '{status=~"5.."}')),
        '{{status}} {{method}} {{route}}',
      ],
    ]),
    graph('Slowest routes, p95', 's', [
      [top(15, quantile(0.95, 'parlance_http_request_duration_seconds', ['method', 'route'])), '{{method}} {{route}}'],
    ]),
    graph('Requests in flight', 'short', [['sum by (instance) (parlance_http_requests_in_flight)', '{{instance}}']]),
    graph('Rejected requests (400 to 499)', 'reqps', [
      [rateOf('parlance_http_requests_total', 'status', '{status=~"4.."}'), '{{status}}'],
    ]),
    graph('Rate limited', 'reqps', [
      [rateOf('parlance_http_rate_limited_total', 'area, limit'), '{{area}} by {{limit}}'],
    ]),
    graph('Calls to services per request', 'short', [
      [
        top(
          15,
          `${rateOf('parlance_http_service_calls_sum', 'route')} / ${rateOf('parlance_http_service_calls_count', 'route')}`,
        ),
        '{{route}}',
      ],
    ]),
    graph('Service calls of the gateway, p95', 's', [
      [
        top(
          15,
          quantile(0.95, 'parlance_grpc_client_duration_seconds', ['service', 'method'], '{component="gateway"}'),
        ),
        '{{service}} {{method}}',
      ],
    ]),
    graph('Failed service calls', 'reqps', [
      [
        rateOf(
          'parlance_grpc_client_calls_total',
          'service, status',
          '{status=~"UNAVAILABLE|DEADLINE_EXCEEDED|INTERNAL"}',
        ),
        '{{service}} {{status}}',
      ],
    ]),
    graph('Slow replicas that got no calls', 'short', [
      ['sum by (service) (increase(parlance_grpc_client_circuits_opened_total[$__rate_interval]))', '{{service}}'],
    ]),
    graph(
      'Cache hits',
      'percentunit',
      [
        [
          `${rateOf('parlance_cache_requests_total', 'cache', '{result="hit"}')} / ${rateOf('parlance_cache_requests_total', 'cache')}`,
          '{{cache}}',
        ],
      ],
      { max: 1 },
    ),
    graph('Maintenance mode', 'bool_on_off', [['max(parlance_maintenance)', 'maintenance mode']]),
    graph('Heavy searches', 'short', [['sum by (state) (parlance_searches)', '{{state}}']]),
    graph('Searches refused', 'reqps', [[rateOf('parlance_searches_refused_total', 'limit'), '{{limit}}']]),
    graph('Searches by text', 'reqps', [[rateOf('parlance_search_index_total', 'answer'), '{{answer}}']]),
    graph('Search index behind', 'short', [
      ['max by (kind) (parlance_search_index_behind)', '{{kind}}'],
      ['max(parlance_memory_index_behind)', 'memory'],
    ]),
  ],
};

const git = {
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
        'histogram_quantile(0.95, label_replace(max by (state, max_age) (parlance_waiting_changes), "le", "$1", "max_age", "(.+)"))',
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
      [rateOf('parlance_git_operations_total', 'operation, reason', '{reason!="ok"}'), '{{operation}}: {{reason}}'],
    ]),
    graph('Time of git operations, p95', 's', [
      [quantile(0.95, 'parlance_git_operation_duration_seconds', ['operation']), '{{operation}}'],
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
    graph('Tasks ended', 'ops', [[rateOf('parlance_tasks_ended_total', 'kind, outcome'), '{{kind}} {{outcome}}']]),
    graph('Tasks set aside, leases lost', 'short', [
      ['sum(increase(parlance_tasks_set_aside_total[$__rate_interval]))', 'tasks set aside'],
      ['sum(increase(parlance_repository_leases_lost_total[$__rate_interval]))', 'leases lost'],
    ]),
    graph('Hooks by outcome', 'reqps', [
      [rateOf('parlance_hook_deliveries_total', 'provider, outcome'), '{{provider}} {{outcome}}'],
    ]),
    graph('Outbound webhooks', 'ops', [
      [rateOf('parlance_webhook_attempts_total', 'state'), '{{state}}'],
      [quantile(0.95, 'parlance_webhook_attempt_duration_seconds', []), 'p95 of the time'],
    ]),
  ],
};

const events = {
  uid: 'parlance-events',
  title: 'Parlance: events',
  panels: [
    number('Dead letters', 'short', 'max(parlance_dead_letters)', limits(1, 10)),
    number(
      'Stream used',
      'percentunit',
      'max(parlance_event_stream_bytes) / max(parlance_event_stream_max_bytes)',
      limits(0.8, 0.95),
    ),
    graph('Published by payload', 'ops', [[rateOf('parlance_events_published_total', 'payload'), '{{payload}}']], {
      stack: true,
      width: 16,
    }),
    graph('Lag', 'short', [['max by (consumer) (parlance_consumer_lag_events)', '{{consumer}}']]),
    graph('Oldest event not handled', 's', [
      ['max by (consumer) (parlance_consumer_oldest_event_age_seconds)', '{{consumer}}'],
    ]),
    graph('Handled', 'ops', [
      [rateOf('parlance_events_handled_total', 'consumer', '{outcome="done"}'), '{{consumer}}'],
    ]),
    graph('Retried and dead', 'ops', [
      [rateOf('parlance_events_handled_total', 'consumer, outcome', '{outcome!="done"}'), '{{consumer}} {{outcome}}'],
      [rateOf('parlance_events_redelivered_total', 'consumer'), '{{consumer}} redelivered'],
    ]),
    graph('From event to effect, p95', 's', [
      [quantile(0.95, 'parlance_event_delay_seconds', ['consumer']), '{{consumer}}'],
    ]),
    graph('Time of handlers, p95', 's', [
      [quantile(0.95, 'parlance_event_handling_duration_seconds', ['consumer']), '{{consumer}}'],
    ]),
    graph('Outboxes: unpublished events', 'short', [['max by (component) (parlance_outbox_events)', '{{component}}']]),
    graph('Outboxes: oldest event', 's', [
      ['max by (component) (parlance_outbox_oldest_event_age_seconds)', '{{component}}'],
    ]),
    graph('Published by the relay', 'ops', [[rateOf('parlance_outbox_relayed_total', 'component'), '{{component}}']]),
  ],
};

const stores = {
  uid: 'parlance-stores',
  title: 'Parlance: stores',
  panels: [
    graph(
      'Reached (1) or not (0)',
      'short',
      [['min by (component, dependency) (parlance_dependency_up)', '{{component}} {{dependency}}']],
      {
        max: 1,
      },
    ),
    graph('Reconnections by the watchdog', 'short', [
      [
        'sum by (component, dependency) (increase(parlance_watchdog_reconnections_total[$__rate_interval]))',
        '{{component}} {{dependency}}',
      ],
    ]),
    graph('Database commands', 'ops', [
      [rateOf('parlance_store_command_duration_seconds_count', 'component'), '{{component}}'],
    ]),
    graph('Time of database commands, p95', 's', [
      [
        quantile(0.95, 'parlance_store_command_duration_seconds', ['component', 'command']),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Slow and failed database commands', 'ops', [
      [rateOf('parlance_store_slow_commands_total', 'component, command'), '{{component}} {{command}} slow'],
      [rateOf('parlance_store_command_failures_total', 'component, command'), '{{component}} {{command}} failed'],
    ]),
    graph(
      'Connections in use',
      'percentunit',
      [
        [
          'max by (component) (parlance_store_pool_connections{state="in_use"} / ignoring(state) parlance_store_pool_max_connections)',
          '{{component}}',
        ],
      ],
      { max: 1 },
    ),
    graph('Waiting for a connection, p99', 's', [
      [quantile(0.99, 'parlance_store_pool_wait_seconds', ['component']), '{{component}}'],
    ]),
    graph('Redis commands, p99', 's', [
      [
        quantile(0.99, 'parlance_redis_command_duration_seconds', ['component', 'command']),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Failed Redis commands', 'ops', [
      [
        rateOf('parlance_redis_command_duration_seconds_count', 'component, command', '{outcome="failed"}'),
        '{{component}} {{command}}',
      ],
    ]),
    graph('Object store, p95', 's', [
      [quantile(0.95, 'parlance_object_store_request_duration_seconds', ['operation']), '{{operation}}'],
    ]),
    graph('Object store by outcome', 'ops', [
      [
        rateOf('parlance_object_store_request_duration_seconds_count', 'operation, outcome'),
        '{{operation}} {{outcome}}',
      ],
      [rateOf('parlance_media_objects_removed_total', 'component'), 'removed by the cleanup'],
    ]),
    graph('Migrations to do', 'short', [
      [
        'max by (component) (parlance_schema_version{version="wanted"}) - max by (component) (parlance_schema_version{version="stored"})',
        '{{component}}',
      ],
    ]),
    graph('Documents migrated', 'ops', [
      [rateOf('parlance_migrated_documents_total', 'component, migration'), '{{component}} {{migration}}'],
    ]),
    graph('Translation engines', 'ops', [
      [rateOf('parlance_machinery_requests_total', 'engine, outcome'), '{{engine}} {{outcome}}'],
    ]),
    graph('Translation engines, p95', 's', [
      [quantile(0.95, 'parlance_machinery_request_duration_seconds', ['engine']), '{{engine}}'],
    ]),
    graph('Characters sent to translation engines', 'short', [
      ['sum by (engine) (increase(parlance_machinery_characters_total[$__rate_interval]))', '{{engine}}'],
    ]),
  ],
};

const own = '{component="$component"}';
const service = {
  uid: 'parlance-service',
  title: 'Parlance: one service',
  variables: [
    {
      name: 'component',
      label: 'Service',
      type: 'query',
      datasource: DATASOURCE,
      query: 'label_values(process_resident_memory_bytes, component)',
      definition: 'label_values(process_resident_memory_bytes, component)',
      refresh: 1,
      sort: 1,
    },
  ],
  panels: [
    graph('Calls by method', 'reqps', [
      [top(15, rateOf('parlance_grpc_server_calls_total', 'method', own)), '{{method}}'],
    ]),
    graph('Failed calls', 'reqps', [
      [
        rateOf('parlance_grpc_server_calls_total', 'method, status', '{component="$component",status!="OK"}'),
        '{{method}} {{status}}',
      ],
    ]),
    graph('Time to answer, p95', 's', [
      [top(15, quantile(0.95, 'parlance_grpc_server_duration_seconds', ['method'], own)), '{{method}}'],
    ]),
    graph('Calls to other services, p95', 's', [
      [
        top(15, quantile(0.95, 'parlance_grpc_client_duration_seconds', ['service', 'method'], own)),
        '{{service}} {{method}}',
      ],
    ]),
    graph('CPU', 'short', [
      [rateOf('process_cpu_user_seconds_total', 'instance', own), '{{instance}} user'],
      [rateOf('process_cpu_system_seconds_total', 'instance', own), '{{instance}} system'],
    ]),
    graph('Memory', 'bytes', [
      [`process_resident_memory_bytes${own}`, '{{instance}} resident'],
      [`nodejs_heap_size_used_bytes${own}`, '{{instance}} heap used'],
      [`nodejs_external_memory_bytes${own}`, '{{instance}} external'],
    ]),
    graph('Event loop lag', 's', [
      [`nodejs_eventloop_lag_p50_seconds${own}`, '{{instance}} p50'],
      [`nodejs_eventloop_lag_p99_seconds${own}`, '{{instance}} p99'],
      [`nodejs_eventloop_lag_max_seconds${own}`, '{{instance}} max'],
    ]),
    graph('Garbage collection', 's', [[rateOf('nodejs_gc_duration_seconds_sum', 'kind', own), '{{kind}}']]),
    graph('Database commands', 'ops', [
      [rateOf('parlance_store_command_duration_seconds_count', 'command', own), '{{command}}'],
    ]),
    graph('Time of database commands, p95', 's', [
      [quantile(0.95, 'parlance_store_command_duration_seconds', ['command'], own), '{{command}}'],
    ]),
    graph('Log lines', 'short', [
      [
        `sum by (level) (increase(parlance_log_lines_total{component="$component",level=~"warn|error|fatal"}[$__rate_interval]))`,
        '{{level}}',
      ],
    ]),
    graph('Open files', 'short', [[`process_open_fds${own}`, '{{instance}}']]),
    graph('Version', 'short', [[`parlance_build_info${own}`, '{{instance}} {{version}}']], { width: 6 }),
    graph('Certificate expires in', 's', [
      [`(parlance_tls_certificate_expiry_timestamp_seconds${own} > 0) - time()`, '{{instance}}'],
    ]),
    graph(
      'Metrics that cannot be read',
      'short',
      [[`sum by (source) (increase(parlance_metrics_refresh_failures_total${own}[$__rate_interval]))`, '{{source}}']],
      { width: 6 },
    ),
  ],
};

/** Places panels from left to right in rows. */
function placed(panels) {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel, index) => {
    const height = panel.type === 'stat' ? HEIGHT / 2 : HEIGHT;
    if (x + panel.width > 24) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const gridPos = { x, y, w: panel.width, h: height };
    x += panel.width;
    rowHeight = Math.max(rowHeight, height);
    return toPanel(panel, index + 1, gridPos);
  });
}

function toPanel({ type, title, unit, queries, thresholds = [], stack = false, max }, id, gridPos) {
  const steps = thresholds.length > 0 ? thresholds : [{ color: 'blue', value: null }];
  return {
    id,
    type,
    title,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        ...(type === 'stat'
          ? { thresholds: { mode: 'absolute', steps } }
          : {
              custom: {
                fillOpacity: stack ? 30 : 5,
                showPoints: 'never',
                stacking: { mode: stack ? 'normal' : 'none' },
              },
            }),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? {
            reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
            colorMode: 'background',
            graphMode: 'none',
          }
        : {
            legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      ...(legendFormat === '' ? {} : { legendFormat }),
      ...(expr.includes('histogram_quantile') ? { exemplar: true } : {}),
      range: true,
    })),
  };
}

const toDashboard = ({ uid, title, panels, variables = [] }) => ({
  uid,
  title,
  tags: ['parlance'],
  schemaVersion: 39,
  version: 1,
  editable: false,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: 2 },
      ...variables,
    ],
  },
  links: [
    { type: 'dashboards', title: 'Parlance', tags: ['parlance'], asDropdown: true, includeVars: true, keepTime: true },
  ],
  panels: placed(panels),
});

/** The dashboards in Grafana's format. */
export const dashboards = [overview, api, git, events, stores, service].map(toDashboard);
