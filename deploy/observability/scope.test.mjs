import { alerts } from './alerts/index.mjs';
import { dashboards } from './dashboards/index.mjs';
import { namesIn, scopedQuery } from './query.mjs';
import { alertRules, rules, ruleTests } from './rules.mjs';
import { scopedDashboard, scopedRules, scopedRuleTests } from './scope.mjs';

const labels = { namespace: 'trial', release: 'parlance' };
const installation = { ...labels, digest: '0123abcd' };
const SCOPE = '{namespace="trial",release="parlance"';

/** Series of a query that do not select the installation. */
const unscoped = (query) => namesIn(query).length - query.split(SCOPE).length + 1;

describe('the scope of a query', () => {
  it.each([
    ['up == 0', `up${SCOPE}} == 0`],
    ['up{} == 0', `up${SCOPE}} == 0`],
    ['up{component!=""} == 0', `up${SCOPE},component!=""} == 0`],
    ['parlance:slo_errors:ratio_rate5m{slo="x"} > 1', `parlance:slo_errors:ratio_rate5m${SCOPE},slo="x"} > 1`],
    [
      'sum by (job) (rate(process_cpu_seconds_total[5m]))',
      `sum by (job) (rate(process_cpu_seconds_total${SCOPE}}[5m]))`,
    ],
    ['label_replace(up, "a", "$1", "up", "(up)")', `label_replace(up${SCOPE}}, "a", "$1", "up", "(up)")`],
  ])('the scope of %s is in every selector and in no text', (query, expected) => {
    expect(scopedQuery(query, labels)).toBe(expected);
  });
});

describe('rules and dashboards of one installation', () => {
  const groups = scopedRules(rules, labels).groups.flatMap((group) => group.rules);

  it('rules of one installation select its series only', () => {
    expect(groups.filter(({ expr }) => namesIn(expr).length === 0 || unscoped(expr) !== 0)).toEqual([]);
  });

  it('rules of one installation give their series and alerts its labels', () => {
    expect(groups.length).toBeGreaterThan(50);
    for (const rule of groups) expect(rule.labels).toMatchObject(labels);
  });

  it('every alert is tested with the series of one installation, and those of causes with another one, too', () => {
    const { tests } = scopedRuleTests(ruleTests, labels);
    const alertsOf = (kind, isFiring) =>
      tests
        .filter(({ name }) => name.endsWith(kind))
        .flatMap(({ alert_rule_test: each }) => each.filter(({ exp_alerts: fired }) => fired.length > 0 === isFiring))
        .map(({ alertname }) => alertname);
    expect(alertsOf('of one installation', true).sort()).toEqual(alertRules.map(({ alert }) => alert).sort());
    expect(alertsOf('of another installation', true)).toEqual([]);
    expect(alertsOf('of another installation', false)).toEqual(
      expect.arrayContaining(['ApiAvailabilityBudgetBurnFast', ...alerts.map(({ alert }) => alert)]),
    );
  });

  it('dashboards of one installation select its series only', () => {
    const wrong = dashboards.flatMap((dashboard) => {
      const { panels, templating } = scopedDashboard(dashboard, installation);
      const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
      const choices = templating.list.filter(({ type }) => type === 'query').map(({ query }) => query);
      return [...queries, ...choices].filter((query) => namesIn(query).length === 0 || unscoped(query) !== 0);
    });
    expect(wrong).toEqual([]);
  });

  it('dashboards of one installation have ids, titles and links of their own', () => {
    for (const dashboard of dashboards) {
      const { uid, title, tags, links } = scopedDashboard(dashboard, installation);
      expect(uid).toBe(`${dashboard.uid}-0123abcd`);
      expect(uid.length).toBeLessThanOrEqual(40);
      expect(title).toBe(`${dashboard.title} (trial/parlance)`);
      for (const link of links)
        expect(link.tags.every((tag) => tag === 'trial/parlance' && tags.includes(tag))).toBe(true);
    }
  });
});
