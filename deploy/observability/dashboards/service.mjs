// One service in depth.
import { DATASOURCE, graph, quantile, rateOf, top } from './panels.mjs';

/** Selects the service of the page. */
const own = '{component="$component"}';
export const service = {
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
      [`(parlance_tls_certificate_expiry_timestamp_seconds${own} > 0) - time()`, '{{instance}} {{connections}}'],
    ]),
    graph(
      'Metrics that cannot be read',
      'short',
      [[`sum by (source) (increase(parlance_metrics_refresh_failures_total${own}[$__rate_interval]))`, '{{source}}']],
      { width: 6 },
    ),
  ],
};
