// Alerts on processes: reachable, responsive, their certificates, logs, metrics and mode.

/** Described in index.mjs. */
export const processes = [
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
    alert: 'CertificateExpires',
    severity: 'ticket',
    runbook: 'certificate-expires',
    expr: 'min by (component, connections) (parlance_tls_certificate_expiry_timestamp_seconds > 0) - time() < 7 * 86400',
    for: '10m',
    summary:
      'The certificate of {{ $labels.component }} for connections to {{ $labels.connections }} expires in less than a week',
    test: {
      labels: { component: 'catalog', connections: 'engines' },
      fires: {
        'parlance_tls_certificate_expiry_timestamp_seconds{component="catalog",connections="engines"}': '86400x20',
        'parlance_tls_certificate_expiry_timestamp_seconds{component="catalog",connections="processes"}': '5000000x20',
      },
      quiet: {
        'parlance_tls_certificate_expiry_timestamp_seconds{component="catalog",connections="processes"}': '5000000x20',
        'parlance_tls_certificate_expiry_timestamp_seconds{component="hooks",connections="processes"}': '0x20',
      },
    },
  },
  {
    // Other alerts are silent in the mode (maintenance.mjs).
    alert: 'MaintenanceMode',
    severity: 'ticket',
    runbook: 'maintenance-mode',
    expr: 'max(parlance_maintenance) == 1',
    for: '1h',
    summary: 'The installation has been read-only for an hour',
    test: {
      labels: {},
      fires: { 'parlance_maintenance{component="catalog"}': '1x80' },
      quiet: { 'parlance_maintenance{component="catalog"}': '1x30 0x50' },
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
