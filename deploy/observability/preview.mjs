// npm run dashboards:preview: draws all dashboards as one HTML page without Grafana, and lists panels without data.
// Options: --prometheus http://127.0.0.1:9091  --minutes 30  --component translation (of the page about one service)  --out dashboards.html
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { dashboards } from './dashboards/index.mjs';
import { chart, escaped, shown } from './preview-chart.mjs';
import { filledQuery } from './query.mjs';

const { values } = parseArgs({
  options: {
    prometheus: { type: 'string', default: 'http://127.0.0.1:9091' },
    minutes: { type: 'string', default: '30' },
    component: { type: 'string', default: 'translation' },
    out: { type: 'string', default: 'dashboards.html' },
  },
});
const POINTS = 120;
/** Range of rates in seconds: four scrapes of the slowest usual interval. */
const RATE_S = 60;
const end = Date.now() / 1000;
const start = end - Number(values.minutes) * 60;
const step = Math.max(5, (end - start) / POINTS);

/** @returns {Promise<{metric: Record<string, string>, values: [number, string][]}[]>} */
async function series(expr) {
  const query = filledQuery(expr, { rateInterval: `${RATE_S}s`, component: values.component });
  const parameters = new URLSearchParams({ query, start: String(start), end: String(end), step: String(step) });
  const response = await fetch(`${values.prometheus}/api/v1/query_range`, { method: 'POST', body: parameters });
  const { status, data, error } = /** @type {any} */ (await response.json());
  if (status !== 'success') throw new Error(`${query}: ${error}`);
  return data.result;
}

/** The legend of a series, as Grafana makes it. */
const legendOf = (format, metric) =>
  format?.replace(/\{\{(\w+)\}\}/g, (_, label) => metric[label] ?? '') ?? Object.values(metric).join(' ');

/** The series of a panel with their legends, without those that never had a number. */
async function linesOf({ targets }) {
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) =>
      (await series(expr)).map(({ metric, values: points }) => ({
        legend: legendOf(legendFormat, metric),
        points: points.map(([time, value]) => [time, Number(value)]).filter(([, value]) => Number.isFinite(value)),
      })),
    ),
  );
  return found.flat().filter(({ points }) => points.length > 0);
}

function drawn({ title, type, fieldConfig, gridPos }, lines) {
  const { unit, thresholds } = fieldConfig.defaults;
  const head = `<h3>${escaped(title)}</h3>`;
  const style = `style="grid-column: ${gridPos.x + 1} / span ${gridPos.w}"`;
  if (lines.length === 0) return `<section class="empty" ${style}>${head}<p>No data</p></section>`;
  if (type !== 'stat') return `<section ${style}>${head}${chart(lines, unit, { start, end })}</section>`;
  const last = lines[0].points.at(-1)[1];
  const { color } = thresholds.steps.findLast(({ value }) => value === null || last >= value);
  return `<section class="${color}" ${style}>${head}<p>${shown(last, unit)}</p></section>`;
}

const pages = [];
const empty = [];
for (const { title, panels } of dashboards) {
  const all = await Promise.all(panels.map(async (panel) => ({ panel, lines: await linesOf(panel) })));
  for (const { panel, lines } of all) if (lines.length === 0) empty.push(`${title} / ${panel.title}`);
  pages.push(
    `<h2>${escaped(title)}</h2><div class="grid">${all.map(({ panel, lines }) => drawn(panel, lines)).join('')}</div>`,
  );
}
writeFileSync(
  values.out,
  `<!doctype html><meta charset="utf-8"><title>Dashboards</title><style>
body { font: 13px sans-serif; margin: 16px; color: #222 } h3 { font-size: 13px; margin: 0 0 4px }
.grid { display: grid; grid-template-columns: repeat(24, 1fr); gap: 8px }
section { border: 1px solid #ccc; padding: 8px; overflow: hidden } section > p { font-size: 22px; margin: 4px 0 }
.empty { color: #888 } .green { background: #dff0d8 } .yellow { background: #fcf3cd } .red { background: #f6d5d5 } .blue { background: #dbe9f6 }
svg { width: 100%; height: auto } li { display: inline-block; margin-right: 10px } ul { margin: 0; padding: 0; font-size: 11px }
</style><h1>Dashboards of ${new Date(start * 1000).toISOString()} to ${new Date(end * 1000).toISOString()}</h1>${pages.join('')}`,
);
const count = dashboards.reduce((sum, { panels }) => sum + panels.length, 0);
process.stdout.write(`${values.out}: ${count} panels, ${empty.length} without data\n`);
for (const name of empty) process.stdout.write(`${name}\n`);
