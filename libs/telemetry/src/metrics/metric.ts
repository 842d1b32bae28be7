import { isSpanContextValid, trace, TraceFlags } from '@opentelemetry/api';
import * as prom from 'prom-client';
import { combinationBound, OTHER, type MetricDefinition } from './definition';
import { metricDefinitions, type LabelsOf, type MetricName, type NameOf } from './topics';
import { metrics } from './registry';

type Labels = Record<string, string>;

export interface CounterMetric<N extends MetricName> {
  /** @param by at least 0; default 1 */
  inc(...args: keyof LabelsOf<N> extends never ? [by?: number] : [labels: LabelsOf<N>, by?: number]): void;
}

export interface GaugeMetric<N extends MetricName> {
  set(...args: keyof LabelsOf<N> extends never ? [value: number] : [labels: LabelsOf<N>, value: number]): void;
  /** Adds to the value; negative numbers subtract. */
  add(...args: keyof LabelsOf<N> extends never ? [by: number] : [labels: LabelsOf<N>, by: number]): void;
  /** Removes all series. */
  reset(): void;
  /** One series, to be removed. */
  of(labels: LabelsOf<N>): { reset(): void };
}

export interface HistogramMetric<N extends MetricName> {
  /** Attaches the trace id of the active span as exemplar if the span is sampled. */
  observe(...args: keyof LabelsOf<N> extends never ? [value: number] : [labels: LabelsOf<N>, value: number]): void;
}

/** Replaces label values outside of their bounds, so that no caller can grow a metric without limit. */
class LabelGuard {
  private readonly values: [name: string, known: Set<string>, max: number][];
  /** Labels by their joined values. */
  private readonly combinations = new Map<string, Labels>();
  private readonly max: number;

  constructor(definition: MetricDefinition) {
    this.values = Object.entries(definition.labels ?? {}).map(([name, bound]) =>
      'max' in bound ? [name, new Set(), bound.max] : [name, new Set(bound), 0],
    );
    this.max = combinationBound(definition) - 1;
  }

  apply(labels: Labels): Labels {
    let key = '';
    for (const [name] of this.values) key += `${labels[name]!}\0`;
    return this.combinations.get(key) ?? this.add(key, labels);
  }

  private add(key: string, labels: Labels): Labels {
    const bounded = Object.fromEntries(
      this.values.map(([name, known, max]) => {
        const value = labels[name]!;
        if (known.size < max) known.add(value);
        return [name, known.has(value) ? value : OTHER];
      }),
    );
    const full = this.combinations.size >= this.max;
    if (!full) this.combinations.set(key, bounded);
    return full ? Object.fromEntries(this.values.map(([name]) => [name, OTHER])) : bounded;
  }
}

const NO_LABELS: Labels = {};
const registered = new Map<string, unknown>();

/** Creates each metric once per process, from its row in the table. */
function registerOnce<T>(name: MetricName, create: (definition: MetricDefinition, guard: LabelGuard) => T): T {
  if (!registered.has(name)) {
    const definition: MetricDefinition = metricDefinitions[name];
    registered.set(name, create(definition, new LabelGuard(definition)));
  }
  return registered.get(name) as T;
}

const configOf = (name: MetricName, { help, labels = {} }: MetricDefinition) => ({
  name,
  help,
  labelNames: Object.keys(labels),
  registers: [metrics],
});

/** Separates the optional labels from the value. */
function split(guard: LabelGuard, args: readonly unknown[], missing: number): [Labels, number] {
  const [first, second] = args;
  if (typeof first !== 'object') return [NO_LABELS, (first as number | undefined) ?? missing];
  return [guard.apply(first as Labels), (second as number | undefined) ?? missing];
}

/** Most combinations of fixed label values that a counter shows from the start. */
const MAX_ZEROS = 100;

/** All label sets of a metric whose labels have few fixed values: a counter that begins at 1 hides its first increase. */
function fixedCombinations({ labels = {} }: MetricDefinition): Labels[] {
  let combinations: Labels[] = [{}];
  for (const [name, bound] of Object.entries(labels)) {
    if ('max' in bound) return [];
    const values = bound.filter((value) => value !== OTHER);
    combinations = combinations.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value })));
  }
  return combinations.length <= MAX_ZEROS ? combinations : [];
}

/** The counter of a name in the table. */
export function counter<N extends NameOf<'counter'>>(name: N): CounterMetric<N> {
  return registerOnce(name, (definition, guard) => {
    const metric = new prom.Counter(configOf(name, definition));
    for (const labels of fixedCombinations(definition)) metric.inc(labels, 0);
    return {
      inc(...args) {
        const [labels, by] = split(guard, args, 1);
        metric.inc(labels, by);
      },
    };
  });
}

/** The gauge of a name in the table. */
export function gauge<N extends NameOf<'gauge'>>(name: N): GaugeMetric<N> {
  return registerOnce(name, (definition, guard) => {
    const metric = new prom.Gauge(configOf(name, definition));
    return {
      set(...args) {
        const [labels, value] = split(guard, args, 0);
        metric.set(labels, value);
      },
      add(...args) {
        const [labels, by] = split(guard, args, 0);
        metric.inc(labels, by);
      },
      reset: () => metric.reset(),
      of: (labels) => ({ reset: () => metric.remove(guard.apply(labels)) }),
    };
  });
}

/** The histogram of a name in the table. */
export function histogram<N extends NameOf<'histogram'>>(name: N): HistogramMetric<N> {
  return registerOnce(name, (definition, guard) => {
    const metric = new prom.Histogram({
      ...configOf(name, definition),
      buckets: [...definition.buckets!],
      enableExemplars: true,
    });
    return {
      observe(...args) {
        const [labels, value] = split(guard, args, 0);
        metric.observe({ labels, value, exemplarLabels: exemplar() });
      },
    };
  });
}

function exemplar(): Labels {
  const context = trace.getActiveSpan()?.spanContext();
  if (!context || !isSpanContextValid(context) || !(context.traceFlags & TraceFlags.SAMPLED)) return NO_LABELS;
  return { trace_id: context.traceId };
}

/** Seconds since a `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1000;
