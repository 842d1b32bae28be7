export { currentContext, withContext, type RequestContext } from './context';
export { logger } from './logger';
export {
  counter,
  gauge,
  histogram,
  metricDefinitions,
  metrics,
  metricsText,
  refreshOnScrape,
  secondsSince,
  seriesBound,
  type MetricDefinition,
  type MetricName,
} from './metrics';
export { answerOperations, Readiness, serveOperations, splitListen, type ReadyCheck } from './operations';
export { runProcess, type RunningProcess } from './process';
export { currentTraceparent, inConsumerSpan, startTelemetry, stopTelemetry } from './tracing';
export { Watchdog, type Dependency, type WatchdogOptions } from './watchdog';
