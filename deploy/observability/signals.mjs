// The way of each signal: metric, dashboard panels, alerts, runbooks. docs/signals.md is generated from it.
import { withoutMaintenance } from './alerts/maintenance.mjs';
import { dashboards } from './dashboards/index.mjs';
import { namesIn } from './query.mjs';
import { alertRules, rules } from './rules.mjs';

/** The metric of a series of a histogram. */
const metricOf = (series) => series.replace(/_(bucket|sum|count)$/, '');

/** Queries of recording rules, by name and objective. */
const recorded = rules.groups.flatMap((group) =>
  group.rules.flatMap((rule) =>
    'labels' in rule && rule.record ? [{ record: rule.record, slo: Object(rule.labels).slo, expr: rule.expr }] : [],
  ),
);

/** Metrics behind a query. Recording rules count as what they are computed from, for the objectives that the query selects. */
function metricsBehind(query) {
  return namesIn(query).flatMap((name) => {
    const selected = [...query.matchAll(/slo=~?"([^"]*)"/g)].flatMap(([, slos]) => slos.split('|'));
    const behind = recorded.filter(({ record, slo }) => record === name && selected.includes(slo));
    return name.includes(':') ? behind.flatMap(({ expr }) => metricsBehind(expr)) : [metricOf(name)];
  });
}

/** Map from metric to names. @param {[string, string][]} queries name and query */
function byMetric(queries) {
  const names = new Map();
  for (const [name, query] of queries)
    for (const metric of metricsBehind(query)) names.set(metric, new Set([...(names.get(metric) ?? []), name]));
  return (metric) => [...(names.get(metric) ?? [])];
}

const shownOn = byMetric(
  dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => [`${title.replace('Parlance: ', '')} / ${panel.title}`, expr]),
    ),
  ),
);
const alertedBy = byMetric(alertRules.map(({ alert, expr }) => [alert, withoutMaintenance(expr)]));
const runbookOf = new Map(alertRules.map(({ alert, annotations }) => [alert, annotations.runbook]));

const lines = (cells) => cells.join('<br>') || '-';

function row({ name, help }) {
  const alerts = alertedBy(name);
  const runbooks = [...new Set(alerts.map((alert) => runbookOf.get(alert)))].map((path) => {
    const page = String(path).replace('docs/', '');
    return `[${page.replace(/^runbooks\/|\.md$/g, '')}](${page})`;
  });
  const panels = lines(shownOn(name)).replaceAll('|', '\\|');
  return `| ${help} | \`${name}\` | ${panels} | ${lines(alerts.map((alert) => `\`${alert}\``))} | ${lines(runbooks)} |`;
}

/** Metrics of Node.js, of the process and of Prometheus that queries name; Parlance does not define them. */
function foreignMetrics(defined) {
  const queries = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))),
  ];
  const names = new Set(queries.flatMap(metricsBehind));
  return [...names].filter((name) => !defined.has(name)).sort();
}

/**
 * The tables of docs/signals.md, in Markdown.
 * @param {readonly {title: string, metrics: Readonly<Record<string, {help: string}>>}[]} groups metrics by topic
 */
export function signalTables(groups) {
  const defined = new Set(groups.flatMap(({ metrics }) => Object.keys(metrics)));
  const foreign = foreignMetrics(defined).map((name) => ({
    name,
    help: name === 'up' ? 'Scraped by Prometheus' : 'Node.js',
  }));
  const sections = [
    ...groups.map(({ title, metrics }) => ({
      title,
      entries: Object.entries(metrics).map(([name, { help }]) => ({ name, help })),
    })),
    { title: 'Runtime', entries: foreign },
  ];
  return sections
    .map(({ title, entries }) =>
      [
        `## ${title}`,
        '',
        '| Signal | Metric | Dashboard / panel | Alert | Runbook |',
        '| --- | --- | --- | --- | --- |',
        ...entries.map(row),
      ].join('\n'),
    )
    .join('\n\n');
}
