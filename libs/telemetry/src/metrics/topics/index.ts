import type { MetricDefinition } from '../definition';
import { cacheAndSearchMetrics } from './caches-and-searches';
import { engineMetrics } from './engines';
import { eventMetrics } from './events';
import { gitMetrics } from './git';
import { grpcMetrics } from './grpc';
import { hookMetrics } from './hooks';
import { httpMetrics } from './http';
import { processMetrics } from './process';
import { taskMetrics } from './tasks';

/**
 * Every metric of Parlance by name. This folder is the only place that names one. Names follow
 * https://prometheus.io/docs/practices/naming/ : base units, `_total` for counters.
 */
export const metricDefinitions = {
  ...processMetrics,
  ...httpMetrics,
  ...grpcMetrics,
  ...eventMetrics,
  ...gitMetrics,
  ...taskMetrics,
  ...cacheAndSearchMetrics,
  ...hookMetrics,
  ...engineMetrics,
} as const;

/** The same in groups with the titles of docs/metrics.md. */
export const metricGroups: readonly { title: string; metrics: Readonly<Record<string, MetricDefinition>> }[] = [
  { title: 'Process', metrics: processMetrics },
  { title: 'HTTP API', metrics: httpMetrics },
  { title: 'gRPC', metrics: grpcMetrics },
  { title: 'Events', metrics: eventMetrics },
  { title: 'Git synchronization', metrics: gitMetrics },
  { title: 'Tasks', metrics: taskMetrics },
  { title: 'Caches, searches, machine translation', metrics: cacheAndSearchMetrics },
  { title: 'Hooks and webhooks', metrics: hookMetrics },
  { title: 'Engines', metrics: engineMetrics },
];

type Definitions = typeof metricDefinitions;
export type MetricName = keyof Definitions;
/** Names of metrics with a type. */
export type NameOf<T extends MetricDefinition['type']> = {
  [N in MetricName]: Definitions[N]['type'] extends T ? N : never;
}[MetricName];
/** Labels of a metric. */
export type LabelsOf<N extends MetricName> = Definitions[N] extends { labels: infer L }
  ? Record<keyof L, string>
  : Record<never, string>;
