/** Processes that serve gRPC. */
export const serviceNames = [
  'identity',
  'catalog',
  'translation',
  'vcs-worker',
  'media',
  'statistics',
  'hooks',
] as const;
/** Processes of the installation, as `job` labels name them. */
export const processNames = ['gateway', ...serviceNames] as const;
export type ProcessName = (typeof processNames)[number];

/** Label value that replaces values outside of a label's bound. */
export const OTHER = 'other';

/** Bound of a label: its values, or how many values the code can produce. */
export type LabelBound = readonly string[] | { max: number; from: string };

/** A row of the table of metrics. */
export interface MetricDefinition {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Processes that export the metric; `all` for every process. */
  processes: readonly ProcessName[] | 'all';
  labels?: Readonly<Record<string, LabelBound>>;
  /** Most combinations of label values; default 1000. */
  combinations?: number;
  /** Upper bounds of a histogram. */
  buckets?: readonly number[];
  /** Whether the value describes the whole installation: every replica reports it, so queries take `max`. */
  shared?: true;
}

/** Label combinations that a metric can have in one process, unless its row says otherwise. */
const DEFAULT_COMBINATIONS = 1_000;

/** How many values a label can have, with `other`. */
const boundOf = (bound: LabelBound): number => ('max' in bound ? bound.max + 1 : bound.length);

/** Largest number of label combinations of a metric in one process; further ones are counted as `other`. */
export function combinationBound({ labels = {}, combinations = DEFAULT_COMBINATIONS }: MetricDefinition): number {
  const product = Object.values(labels).reduce((all, bound) => all * boundOf(bound), 1);
  return Math.min(product, combinations + 1);
}

/** Largest number of series of a metric in one process. */
export function seriesBound(definition: MetricDefinition): number {
  const each = definition.type === 'histogram' ? (definition.buckets?.length ?? 0) + 3 : 1;
  return combinationBound(definition) * each;
}
