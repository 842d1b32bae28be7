// Rules and dashboards of one installation among several on one Prometheus. The chart installs these; files/ has them with the markers
// below, which charts/parlance/templates/monitoring.yaml replaces.
import { scopedQuery } from './query.mjs';

/** Stands for the namespace, the release, and a short digest of both. */
export const MARKERS = { namespace: '<namespace>', release: '<release>', digest: '<digest>' };

/**
 * Rules that evaluate the series of one installation, and whose series and alerts have its labels: without them, the recorded series of two
 * installations would be the same.
 *
 * @param {{ groups: { rules: { expr: string, labels?: Record<string, string> }[] }[] }} rules
 * @param {Record<string, string>} labels
 */
export const scopedRules = ({ groups }, labels) => ({
  groups: groups.map((group) => ({
    ...group,
    rules: group.rules.map((rule) => ({
      ...rule,
      expr: scopedQuery(rule.expr, labels),
      labels: { ...rule.labels, ...labels },
    })),
  })),
});

/** A variable of a dashboard whose choices are those of one installation. */
const scopedVariable = (variable, labels) =>
  variable.type === 'query'
    ? {
        ...variable,
        query: scopedQuery(variable.query, labels),
        definition: scopedQuery(variable.definition, labels),
      }
    : variable;

/**
 * A dashboard that shows one installation, with an id and a title of its own, and with links to the dashboards of the same installation.
 *
 * @param {Record<string, any>} dashboard
 * @param {{ namespace: string, release: string, digest: string }} installation `digest` is part of the id, which Grafana limits to 40 characters
 */
export function scopedDashboard(dashboard, { digest, ...labels }) {
  const name = `${labels.namespace}/${labels.release}`;
  return {
    ...dashboard,
    uid: `${dashboard.uid}-${digest}`,
    title: `${dashboard.title} (${name})`,
    tags: [...dashboard.tags, name],
    links: dashboard.links.map((link) => ({ ...link, tags: [name] })),
    templating: { list: dashboard.templating.list.map((variable) => scopedVariable(variable, labels)) },
    panels: dashboard.panels.map((panel) => ({
      ...panel,
      targets: panel.targets.map((target) => ({ ...target, expr: scopedQuery(target.expr, labels) })),
    })),
  };
}

const other = { namespace: 'elsewhere', release: 'other' };
const scopedSeries = (list, labels) =>
  list.map(({ series, values }) => ({ series: scopedQuery(series, labels), values }));

/** Whether a test expects an alert to fire. */
const fires = (test) => test.alert_rule_test.some((each) => each.exp_alerts.length > 0);

/** A test for promtool that runs on the series of an installation, with the same outcome. */
const scopedTest = (test, labels) => ({
  ...test,
  name: `${test.name}, of one installation`,
  input_series: scopedSeries(test.input_series, labels),
  alert_rule_test: test.alert_rule_test.map((each) => ({
    ...each,
    exp_alerts: each.exp_alerts.map((alert) => ({ ...alert, exp_labels: { ...alert.exp_labels, ...labels } })),
  })),
});

/** The same test on the series of another installation, where nothing may fire. */
const otherTest = (test) => ({
  ...test,
  name: `${test.name}, of another installation`,
  input_series: scopedSeries(test.input_series, other),
  alert_rule_test: test.alert_rule_test.map((each) => ({ ...each, exp_alerts: [] })),
});

/**
 * Tests of the rules of one installation, from those of all: every alert fires for its own series, and none for those of another one. Of the
 * objectives, whose tests take hours of simulated time, one proves the latter.
 */
export function scopedRuleTests(ruleTests, labels) {
  const firing = ruleTests.tests.filter(fires);
  const firstOf = new Map(
    firing.toReversed().flatMap((test) => test.alert_rule_test.map(({ alertname }) => [alertname, test])),
  );
  const own = firing.filter((test) => test.alert_rule_test.some(({ alertname }) => firstOf.get(alertname) === test));
  const [objective, ...causes] = own.filter((test, index) => index === 0 || test.alert_rule_test.length === 1);
  return {
    ...ruleTests,
    tests: [...own.map((test) => scopedTest(test, labels)), ...[objective, ...causes].map(otherTest)],
  };
}
