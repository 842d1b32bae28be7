// Alerts on requests to other systems: webhooks and translation engines.

/** Described in index.mjs. */
export const outgoing = [
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
];
