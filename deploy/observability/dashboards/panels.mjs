// Parts of dashboards. A panel is a title, a unit and its queries: [query, legend].

export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

export const rateOf = (counter, by, more = '') => `sum by (${by}) (rate(${counter}${more}[$__rate_interval]))`;
/** Quantile of a histogram, with `by` as legend. */
export const quantile = (share, histogram, by, more = '') =>
  `histogram_quantile(${share}, sum by (${[...by, 'le'].join(', ')}) (rate(${histogram}_bucket${more}[$__rate_interval])))`;
/** Only the series above zero: counters start with every combination of their labels, most of which never happen. */
export const nonZero = (query) => `${query} > 0`;
export const top = (count, query) => `topk(${count}, ${query})`;

export const graph = (title, unit, queries, options = {}) => ({
  type: 'timeseries',
  title,
  unit,
  queries,
  width: 12,
  ...options,
});
export const number = (title, unit, query, thresholds = []) => ({
  type: 'stat',
  title,
  unit,
  queries: [[query, '']],
  width: 4,
  thresholds,
});

/** Above the first limit yellow, above the second red. */
export const limits = (yellow, red) => [
  { color: 'green', value: null },
  { color: 'yellow', value: yellow },
  { color: 'red', value: red },
];
/** Below the first limit yellow, below the second red. */
export const floors = (yellow, red) => [
  { color: 'red', value: null },
  { color: 'yellow', value: red },
  { color: 'green', value: yellow },
];
