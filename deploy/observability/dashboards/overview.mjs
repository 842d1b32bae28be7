// For a manager and at the begin of an incident: objectives, and what is broken.
import { slos } from '../alerts/index.mjs';
import { floors, graph, limits, number, quantile, rateOf } from './panels.mjs';

/** Without the noise of binary fractions. */
const rounded = (value) => Number(value.toFixed(6));

/** The share of good events: yellow below the objective, red where a day uses the budget of three days. */
function objective(title, name) {
  const slo = slos.find(({ slo: other }) => other === name);
  if (!slo) throw new Error(`There is no objective ${name}`);
  const red = rounded(1 - 3 * (1 - slo.objective));
  return number(
    title,
    'percentunit',
    `1 - parlance:slo_errors:ratio_rate1d{slo="${name}"}`,
    floors(slo.objective, red),
  );
}

export const overview = {
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
    graph(
      'Budget burn rate, 1 hour (1: exactly the objective)',
      'short',
      slos.map(({ slo, objective: share }) => [
        `parlance:slo_errors:ratio_rate1h{slo="${slo}"} / ${rounded(1 - share)}`,
        '{{slo}}',
      ]),
    ),
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
