import type { LabelBound, MetricDefinition } from './definition';
import { combinationBound } from './definition';
import { metricGroups } from './topics';

const shown = (bound: LabelBound): string =>
  'max' in bound ? `at most ${bound.max}: ${bound.from}` : bound.map((value) => `\`${value}\``).join(', ');

function row([name, definition]: [string, MetricDefinition]): string {
  const { type, help, processes, labels = {}, shared, buckets } = definition;
  const names = Object.entries(labels).map(([label, bound]) => `\`${label}\` (${shown(bound)})`);
  const cells = [
    `\`${name}\``,
    type,
    help + (shared ? ' Every replica reports the same value: take `max`.' : ''),
    names.join('; ') || '-',
    buckets ? buckets.join(' ') : '-',
    processes === 'all' ? 'all' : processes.join(', '),
    String(combinationBound(definition)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The table of metrics for docs/metrics.md, in Markdown. */
export function metricsTable(): string {
  return metricGroups
    .map(({ title, metrics }) =>
      [
        `## ${title}`,
        '',
        '| Name | Type | Meaning | Labels | Buckets | Processes | Most label sets |',
        '| --- | --- | --- | --- | --- | --- | --- |',
        ...Object.entries(metrics).map(row),
      ].join('\n'),
    )
    .join('\n\n');
}
