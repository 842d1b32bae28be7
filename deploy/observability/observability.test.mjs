import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions, metricGroups, metrics } from '@parlance/telemetry';
import { alerts, slos } from './alerts/index.mjs';
import { withoutMaintenance } from './alerts/maintenance.mjs';
import { dashboards } from './dashboards/index.mjs';
import { generated } from './generated.mjs';
import { namesIn } from './query.mjs';
import { alertRules, rules, ruleTests } from './rules.mjs';
import { knownSeries } from './series.mjs';
import { signalTables } from './signals.mjs';

const root = join(__dirname, '../..');
const text = (path) => readFileSync(join(root, path), 'utf8');

const known = knownSeries(metricDefinitions, metrics);

const queries = [
  ...rules.groups.flatMap((group) => group.rules.map(({ alert, record, expr }) => [alert ?? record, expr])),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.targets.map(({ expr }) => [`${title} / ${panel.title}`, expr])),
  ),
];

describe('rules and dashboards', () => {
  it('rules and dashboards name only metrics that exist', () => {
    const unknown = queries.flatMap(([where, query]) => {
      const names = namesIn(query);
      return (names.length === 0 ? ['no metric'] : names.filter((name) => !known.has(name))).map(
        (n) => `${where}: ${n}`,
      );
    });
    expect(unknown).toEqual([]);
  });

  it('rules and dashboards select only labels that their metrics have', () => {
    const target = new Set(['component', 'instance', 'le', 'slo']);
    const wrong = queries.flatMap(([where, query]) =>
      [...query.matchAll(/(parlance_\w+)\{([^}]*)\}/g)].flatMap(([, name, selectors]) => {
        const { labels = {} } = metricDefinitions[name] ?? metricDefinitions[name.replace(/_(bucket|sum|count)$/, '')];
        return [...selectors.matchAll(/(\w+)(?:=|!)/g)]
          .map(([, label]) => label)
          .filter((label) => !(label in labels) && !target.has(label))
          .map((label) => `${where}: ${name} ${label}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('rules and dashboards use every metric of the table', () => {
    const shown = new Set(
      queries.flatMap(([, query]) => namesIn(query).map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
    );
    expect(Object.keys(metricDefinitions).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('rules and dashboards are generated from their definitions', () => {
    const stale = generated().filter(([path, content]) => text(`deploy/observability/${path}`) !== content);
    expect(stale.map(([path]) => path)).toEqual([]);
    expect(readdirSync(join(__dirname, 'grafana/dashboards')).sort()).toEqual(
      dashboards.map(({ uid }) => `${uid}.json`).sort(),
    );
  });

  it('rules and dashboards compute quantiles of buckets that only their upper bound distinguishes', () => {
    // With another label that differs between buckets, each bucket is a histogram of its own, and the quantile is NaN.
    const wrong = queries.flatMap(([where, query]) =>
      query
        .split('histogram_quantile(')
        .slice(1)
        .filter((call) => {
          const [, labels = ''] = /^[\d.]+, (?:sum|max) by \(([^)]*)\)/.exec(call) ?? [];
          return !labels.split(', ').includes('le') || labels.includes('max_age');
        })
        .map(() => where),
    );
    expect(wrong).toEqual([]);
  });

  it('rules and dashboards compare with buckets that their histograms have', () => {
    const missing = queries.flatMap(([where, query]) =>
      [...query.matchAll(/(parlance_\w+)_bucket\{[^}]*le=~"([\d.]+)\|/g)]
        .filter(([, name, bound]) => !metricDefinitions[name].buckets.includes(Number(bound)))
        .map(() => where),
    );
    expect(missing).toEqual([]);
  });
});

describe('the overview', () => {
  const numbers = dashboards
    .filter(({ uid }) => uid === 'parlance-overview')
    .flatMap(({ panels }) => panels.filter(({ type }) => type === 'stat'));

  it.each(slos.map((slo) => [slo.title, slo]))(
    'the overview shows %s as green from its objective on, and as red from three error budgets',
    (title, { slo, objective }) => {
      const shown = numbers.filter(({ targets }) => targets[0].expr.includes(`{slo="${slo}"}`));
      expect(shown).toHaveLength(1);
      const { steps } = shown[0].fieldConfig.defaults.thresholds;
      const colorOf = (share) => steps.findLast(({ value }) => value === null || share >= value).color;
      const colors = [0.5, 1.5, 2.5, 3.5].map((budgets) => colorOf(1 - budgets * (1 - objective)));
      expect([colorOf(objective), ...colors]).toEqual(['green', 'green', 'yellow', 'yellow', 'red']);
    },
  );
});

describe('alerts', () => {
  it.each(alertRules.map((rule) => [rule.alert, rule]))('%s has a tested rule and a runbook', (alert, rule) => {
    const { runbook } = rule.annotations;
    expect(existsSync(join(root, runbook)) ? runbook : `${runbook} is missing`).toBe(runbook);
    const page = text(runbook);
    expect(page).toContain(`\`${alert}\``);
    for (const heading of ['Symptom', 'Impact', 'Diagnosis', 'Actions']) expect(page).toContain(`## ${heading}`);
    const tests = ruleTests.tests.flatMap((test) => test.alert_rule_test).filter((test) => test.alertname === alert);
    expect(tests.some(({ exp_alerts: fired }) => fired.length > 0)).toBe(true);
    expect(tests.some(({ exp_alerts: fired }) => fired.length === 0)).toBe(true);
    expect(text('docs/runbooks/README.md')).toContain(`\`${alert}\``);
  });

  it('only alerts on work that maintenance mode stops are silent in it', () => {
    const silent = alertRules.filter(({ expr }) => withoutMaintenance(expr) !== expr);
    const names = silent.map(({ alert }) => alert.replace(/BudgetBurn\w+/, ''));
    expect([...new Set(names)]).toEqual([
      'ApiAvailability',
      'EditToGit',
      'UpstreamSync',
      'HookAcceptance',
      'TaskQueueStuck',
    ]);
    const reporting = alertRules.filter(({ expr }) => withoutMaintenance(expr).includes('parlance_maintenance'));
    expect(reporting.map(({ alert }) => alert)).toEqual(['MaintenanceMode']);
  });

  it('alerts have distinct names', () => {
    expect(new Set(alertRules.map(({ alert }) => alert)).size).toBe(alertRules.length);
    expect(alerts.length).toBeGreaterThan(0);
  });
});

describe('docs/slo.md', () => {
  it.each(slos.map((slo) => [slo.title, slo]))('docs/slo.md has the objective %s', (title, { objective, meaning }) => {
    expect(text('docs/slo.md').replace(/ +/g, ' ')).toContain(
      `| ${title} | ${Number((objective * 100).toFixed(3))} % | ${meaning} |`,
    );
  });
});

describe('docs/signals.md', () => {
  const tables = signalTables(metricGroups);
  const rows = tables.split('\n').filter((line) => line.includes('`parlance_'));

  it('docs/signals.md has the tables as their sources give them (npm run docs writes them)', () => {
    const page = text('docs/signals.md');
    expect(page.slice(page.indexOf('## ')).trimEnd().split('\n')).toEqual(tables.split('\n'));
  });

  it('docs/signals.md leads from every metric to a panel, and from every alert to its runbook', () => {
    expect(rows).toHaveLength(Object.keys(metricDefinitions).length);
    expect(rows.filter((row) => row.split(' | ')[2] === '-')).toEqual([]);
    const missing = alertRules.filter(
      ({ alert, annotations }) =>
        !tables
          .split('\n')
          .some((row) => row.includes(`\`${alert}\``) && row.includes(annotations.runbook.replace('docs/', ''))),
    );
    expect(missing.map(({ alert }) => alert)).toEqual([]);
  });
});
