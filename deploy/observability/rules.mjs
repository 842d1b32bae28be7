// The rules of Prometheus and their tests, from the objectives and alerts.
import { alerts, burnRates, slos, windows } from './alerts/index.mjs';

const RUNBOOKS = 'docs/runbooks/';
const ratio = (window) => `parlance:slo_errors:ratio_rate${window}`;

/** 1, 0.05, 0.0144: without the noise of binary fractions. */
const number = (value) => String(Number(value.toPrecision(6)));

const ratioRules = windows.map((window) =>
  slos.map(({ slo, bad, total }) => {
    const of = (expression) => expression.replaceAll('WINDOW', window);
    // A counter without failures may not exist. Differences of extrapolated rates may be negative shortly after the start of a process.
    return {
      record: ratio(window),
      labels: { slo },
      expr: `clamp_min((${of(bad)}) or vector(0), 0) / (${of(total)} > 0)`,
    };
  }),
);

const sloAlerts = slos.flatMap(({ slo, alert, title, objective }) =>
  burnRates.map(({ name, severity, pairs, for: duration }) => ({
    alert: `${alert}BudgetBurn${name}`,
    expr: pairs
      .map(({ factor, long, short }) => {
        const limit = number(factor * (1 - objective));
        return `(${ratio(long)}{slo="${slo}"} > ${limit} and ${ratio(short)}{slo="${slo}"} > ${limit})`;
      })
      .join(' or '),
    for: duration,
    labels: { severity },
    annotations: {
      summary: `${title}: the error budget burns ${name === 'Fast' ? 'within days' : 'faster than it lasts'}`,
      runbook: `${RUNBOOKS}${slo}.md`,
    },
  })),
);

const causeAlerts = alerts.map(({ alert, expr, for: duration, severity, summary, runbook }) => ({
  alert,
  expr,
  for: duration,
  labels: { severity },
  annotations: { summary, runbook: `${RUNBOOKS}${runbook}.md` },
}));

/** @type {{ name: string, interval: string, rules: { alert?: string, record?: string, expr: string }[] }[]} */
const groups = [
  { name: 'parlance-objectives', interval: '1m', rules: ratioRules.flat() },
  { name: 'parlance-budgets', interval: '1m', rules: sloAlerts },
  { name: 'parlance-causes', interval: '1m', rules: causeAlerts },
];

/** The rule file. */
export const rules = { groups };

/** All alerting rules. */
export const alertRules = [...sloAlerts, ...causeAlerts];

function ruleOf(alert) {
  const rule = alertRules.find((other) => other.alert === alert);
  if (!rule) throw new Error(`${alert} has no rule`);
  return rule;
}

/** Number of intervals of an input series, for instance 20 of `1+2x20`. */
const lengthOf = (values) => Number(values.slice(values.lastIndexOf('x') + 1));

const expanded = (text, labels) => text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name) => labels[name] ?? '');

const series = (input) => Object.entries(input).map(([name, values]) => ({ series: name, values }));

/** What promtool compares with: the alert as it fires. */
function expected({ labels, annotations }, own) {
  return {
    exp_labels: { ...labels, ...own },
    exp_annotations: Object.fromEntries(Object.entries(annotations).map(([key, text]) => [key, expanded(text, own)])),
  };
}

const causeTests = alerts.flatMap(({ alert, test }) => {
  const rule = ruleOf(alert);
  const evalTime = alert === 'TasksSetAside' || alert === 'ErrorsLogged' ? '12m' : '19m';
  const length = Math.max(...Object.values(test.fires).map(lengthOf));
  const at = length >= 70 ? '69m' : length >= 40 ? '39m' : evalTime;
  return [
    {
      name: `${alert} fires`,
      interval: '1m',
      input_series: series(test.fires),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: [expected(rule, test.labels)] }],
    },
    {
      name: `${alert} stays quiet`,
      interval: '1m',
      input_series: series(test.quiet),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: [] }],
    },
  ];
});

/** Events per minute in tests of objectives. */
const PER_MINUTE = 100_000;
const MINUTES = 180;

/** Counters whose bad events are a given share of all. */
function burning({ test }, share) {
  const bad = Math.round(PER_MINUTE * share);
  const input = (list, step) =>
    list.map((name) =>
      name.endsWith(' 0')
        ? { series: name.slice(0, -2), values: `0x${MINUTES}` }
        : { series: name, values: `0+${step}x${MINUTES}` },
    );
  return [...input(test.bad, bad), ...input(test.good, PER_MINUTE - bad)];
}

const sloTests = slos.flatMap((slo) => {
  const budget = 1 - slo.objective;
  const firing = (name) => {
    const rule = ruleOf(`${slo.alert}BudgetBurn${name}`);
    return expected(rule, { slo: slo.slo });
  };
  // Burn rates between the factors of the alerts.
  return [
    { share: Math.min(0.95, 16 * budget), fast: true, slow: true },
    { share: 4 * budget, fast: false, slow: true },
    { share: 0.5 * budget, fast: false, slow: false },
  ].map(({ share, fast, slow }) => ({
    name: `${slo.title} with ${number(share * 100)} % bad events`,
    interval: '1m',
    input_series: burning(slo, share),
    alert_rule_test: [
      { eval_time: '170m', alertname: `${slo.alert}BudgetBurnFast`, exp_alerts: fast ? [firing('Fast')] : [] },
      { eval_time: '170m', alertname: `${slo.alert}BudgetBurnSlow`, exp_alerts: slow ? [firing('Slow')] : [] },
    ],
  }));
});

/** Rates of series that start within the range: that of the bucket is extrapolated further back than that of the counter, which starts at 0. */
const startTest = {
  name: 'An error ratio is not negative after the start of a process',
  interval: '1m',
  input_series: series({
    'parlance_tasks_ended_total{kind="pull"}': '_x8 0+1x4',
    'parlance_task_latency_seconds_bucket{kind="pull",le="300"}': '_x8 100+1x4',
  }),
  alert_rule_test: [],
  promql_expr_test: [
    {
      expr: `min(${ratio('5m')}{slo="upstream-sync"})`,
      eval_time: '12m',
      exp_samples: [{ labels: '{}', value: 0 }],
    },
  ],
};

/** The tests of the rule file for `promtool test rules`. */
export const ruleTests = {
  rule_files: ['rules.yaml'],
  evaluation_interval: '1m',
  tests: [...sloTests, startTest, ...causeTests],
};
