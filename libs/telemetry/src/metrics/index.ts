export {
  combinationBound,
  OTHER,
  processNames,
  seriesBound,
  type MetricDefinition,
  type ProcessName,
} from './definition';
export { metricDefinitions, metricGroups, type MetricName } from './topics';
export { countLookup, countLookups } from './lookups';
export { counter, gauge, histogram, secondsSince } from './metric';
export { metricsText, refreshOnScrape } from './refresh';
export { metrics } from './registry';
export { metricsTable } from './table';
