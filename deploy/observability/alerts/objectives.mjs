// Objectives and their burn rates.

/**
 * Service level objectives over 30 days; docs/slo.md explains them. `bad` and `total` are rates of events with WINDOW for the range.
 * maintenance: whether maintenance mode causes bad events; test: counters that are bad or good events.
 */
export const slos = [
  {
    slo: 'api-availability',
    alert: 'ApiAvailability',
    title: 'API availability',
    objective: 0.999,
    meaning: 'requests of the API that are not answered with a status of 500 or above',
    maintenance: true,
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
      'requests of the API that are answered within 1 s; without files and archives, repository operations, automatic translation, exports, hooks and git clients',
    maintenance: false,
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
    maintenance: true,
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
    maintenance: true,
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
    maintenance: true,
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
    maintenance: false,
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

/**
 * Burn rates of an error budget: how many times faster than the objective allows, over a long and a short window. A pair is silent until
 * maintenance mode has been off for `calm`: twice the short window, because work that the mode delayed ends after it.
 */
export const burnRates = [
  {
    name: 'Fast',
    severity: 'page',
    pairs: [
      { factor: 14.4, long: '1h', short: '5m', calm: '10m' },
      { factor: 6, long: '6h', short: '30m', calm: '1h' },
    ],
    for: '2m',
  },
  {
    name: 'Slow',
    severity: 'ticket',
    pairs: [
      { factor: 3, long: '1d', short: '2h', calm: '4h' },
      { factor: 1, long: '3d', short: '6h', calm: '12h' },
    ],
    for: '15m',
  },
];
