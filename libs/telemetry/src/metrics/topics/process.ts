import { OTHER, processNames, type LabelBound, type MetricDefinition } from '../definition';

const dependency: LabelBound = { max: 12, from: 'dependencies of `/readyz`' };

export const processMetrics = {
  parlance_build_info: {
    type: 'gauge',
    help: 'Version of the process; always 1.',
    processes: 'all',
    labels: { service: [...processNames, OTHER], version: { max: 2, from: 'version of the build' } },
  },
  parlance_dependency_up: {
    type: 'gauge',
    help: 'Whether the process reaches a dependency (1) or not (0), from the checks of /readyz.',
    processes: 'all',
    labels: { dependency },
  },
  parlance_tls_certificate_expiry_timestamp_seconds: {
    type: 'gauge',
    help: 'End of the validity of the certificates for calls between processes and for engines, in seconds since 1970. Missing without TLS.',
    processes: 'all',
    labels: { connections: ['processes', 'engines', OTHER] },
  },
  parlance_maintenance: {
    type: 'gauge',
    help: 'Whether maintenance mode is on (1) or off (0).',
    processes: ['catalog'],
    shared: true,
  },
  parlance_watchdog_reconnections_total: {
    type: 'counter',
    help: 'Reconnections to engines that other clients reached.',
    processes: 'all',
    labels: { dependency },
  },
  parlance_log_lines_total: {
    type: 'counter',
    help: 'Log lines written. An error line asks a human to act.',
    processes: 'all',
    labels: { level: ['debug', 'info', 'warn', 'error', 'fatal', 'other'] },
  },
  parlance_metrics_refresh_failures_total: {
    type: 'counter',
    help: 'Failed or late queries of gauges that are read on scrape. Their series are missing until the next success.',
    processes: 'all',
    labels: { source: { max: 30, from: 'sources in `refreshOnScrape`' } },
  },
} as const satisfies Record<string, MetricDefinition>;
