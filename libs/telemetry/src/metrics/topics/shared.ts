import { OTHER, serviceNames, type LabelBound } from '../definition';

/** Seconds: requests that a person or a service waits for. The targets of docs/slo.md are buckets. */
export const REQUEST = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30] as const;
/** Seconds: git, background work, other hosts. */
export const WORK = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600] as const;

/** Label with the name of a gRPC service. */
export const service: LabelBound = [...serviceNames, OTHER];
