import type { LabelBound, MetricDefinition } from './definition';
import { combinationBound } from './definition';
import { metricDefinitions } from './definitions';

/** Titles of the groups of rows, each with its first metric. */
const groups: readonly (readonly [title: string, first: string])[] = [
  ['Process', 'parlance_build_info'],
  ['HTTP API', 'parlance_http_requests_total'],
  ['gRPC', 'parlance_grpc_server_calls_total'],
  ['Events', 'parlance_events_published_total'],
  ['Git synchronization', 'parlance_git_operations_total'],
  ['Tasks', 'parlance_tasks'],
  ['Caches, searches, machine translation', 'parlance_cache_requests_total'],
  ['Hooks and webhooks', 'parlance_hook_deliveries_total'],
  ['Engines', 'parlance_store_command_duration_seconds'],
];

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
  const lines: string[] = [];
  for (const entry of Object.entries<MetricDefinition>(metricDefinitions)) {
    const group = groups.find(([, first]) => first === entry[0]);
    if (group)
      lines.push(
        ...(lines.length > 0 ? [''] : []),
        `## ${group[0]}`,
        '',
        '| Name | Type | Meaning | Labels | Buckets | Processes | Most label sets |',
        '| --- | --- | --- | --- | --- | --- | --- |',
      );
    lines.push(row(entry));
  }
  return lines.join('\n');
}
