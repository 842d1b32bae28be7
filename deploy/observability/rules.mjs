// The rules of Prometheus and their tests, from the objectives and alerts.
import { alerts, burnRates, slos, windows } from './alerts/index.mjs';
import { unlessMaintenance } from './alerts/maintenance.mjs';

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

const sloAlerts = slos.flatMap(({ slo, alert, title, objective, maintenance }) =>
  burnRates.map(({ name, severity, pairs, for: duration }) => ({
    alert: `${alert}BudgetBurn${name}`,
    expr: pairs
      .map(({ factor, long, short, calm }) => {
        const limit = number(factor * (1 - objective));
        const burns = `${ratio(long)}{slo="${slo}"} > ${limit} and ${ratio(short)}{slo="${slo}"} > ${limit}`;
        return `(${maintenance ? unlessMaintenance(burns, calm) : burns})`;
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
    ...[test.quiet].flat().map((input, index) => ({
      name: `${alert} stays quiet${index === 0 ? '' : `, ${index + 1}`}`,
      interval: '1m',
      input_series: series(input),
      alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: [] }],
    })),
  ];
});

/** Events per minute in tests of objectives. */
const PER_MINUTE = 100_000;

/**
 * A counter as an input of promtool.
 *
 * @param {number[][]} phases minutes, and how much it grows in each of them
 */
function counted(phases) {
  let value = 0;
  const samples = phases.map(([minutes, step]) => {
    const values = `${value}+${step}x${minutes - 1}`;
    value += minutes * step;
    return values;
  });
  return samples.join(' ');
}

/**
 * Counters of the events of an objective.
 *
 * @param {{ objective: number, test: { bad: string[], good: string[] } }} slo
 * @param {number[][]} phases minutes and burn rate, one after the other
 */
function burning({ objective, test }, phases) {
  const bad = (burnRate) => Math.round(PER_MINUTE * burnRate * (1 - objective));
  const input = (list, stepOf) =>
    list.map((name) => ({
      series: name.replace(/ 0$/, ''),
      values: counted(phases.map(([minutes, burnRate]) => [minutes, name.endsWith(' 0') ? 0 : stepOf(burnRate)])),
    }));
  return [...input(test.bad, bad), ...input(test.good, (burnRate) => PER_MINUTE - bad(burnRate))];
}

/**
 * Expects which alerts of an objective fire at a minute.
 *
 * @param {{ slo: string, alert: string }} slo
 * @param {number} minute
 * @param {string[]} firing names of burn rates
 */
const burnAlerts = ({ slo, alert }, minute, firing) =>
  burnRates.map(({ name }) => {
    const alertname = `${alert}BudgetBurn${name}`;
    const fired = firing.includes(name) ? [expected(ruleOf(alertname), { slo })] : [];
    return { eval_time: `${minute}m`, alertname, exp_alerts: fired };
  });

/** With a constant burn rate, all windows have the same error ratio. The rates lie between the factors of the pairs. */
const constantTests = slos.flatMap((slo) =>
  [
    { burnRate: 16, firing: ['Fast', 'Slow'] },
    { burnRate: 8, firing: ['Fast', 'Slow'] },
    { burnRate: 4, firing: ['Slow'] },
    { burnRate: 2, firing: ['Slow'] },
    { burnRate: 0.5, firing: [] },
  ].map(({ burnRate, firing }) => ({
    name: `${slo.title} with ${number(burnRate * (1 - slo.objective) * 100)} % bad events`,
    interval: '1m',
    input_series: burning(slo, [[26, burnRate]]),
    alert_rule_test: burnAlerts(slo, 25, firing),
  })),
);

/** Changing burn rates tell the windows apart: comments name the pair that decides. All objectives share its rule, so one is enough. */
const windowTests = slos.slice(0, 1).flatMap((slo) => [
  {
    name: `${slo.title} with errors that stop after an hour`,
    interval: '1m',
    input_series: burning(slo, [
      [60, 8],
      [13, 0],
    ]),
    // 6 over 6 h and 30 min, until the window of 30 min is below.
    alert_rule_test: [...burnAlerts(slo, 55, ['Fast', 'Slow']), ...burnAlerts(slo, 72, ['Slow'])],
  },
  {
    name: `${slo.title} with many errors for a quarter of an hour`,
    interval: '1m',
    input_series: burning(slo, [
      [240, 0],
      [14, 100],
      [366, 0],
    ]),
    alert_rule_test: [
      // 14.4 over 1 h and 5 min, until the window of 5 min is below.
      ...burnAlerts(slo, 253, ['Fast']),
      ...burnAlerts(slo, 262, ['Slow']),
      // 1 over 3 d and 6 h: the window of 2 h is below. Until the window of 6 h is below, too.
      ...burnAlerts(slo, 379, ['Slow']),
      ...burnAlerts(slo, 619, []),
    ],
  },
]);

/** After maintenance mode, the pair with the shortest windows counts again first. */
const maintenanceTests = slos
  .filter(({ maintenance }) => maintenance)
  .map((slo) => ({
    name: `${slo.title} during and after maintenance mode`,
    interval: '1m',
    input_series: [...burning(slo, [[41, 16]]), ...series({ parlance_maintenance: '1x20 0x19' })],
    alert_rule_test: [...burnAlerts(slo, 20, []), ...burnAlerts(slo, 29, []), ...burnAlerts(slo, 40, ['Fast'])],
  }));

const sloTests = [...constantTests, ...windowTests, ...maintenanceTests];

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
