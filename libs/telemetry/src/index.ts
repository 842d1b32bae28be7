export { currentContext, withContext, type RequestContext } from './context';
export { EngineUnavailableError, type EngineCheck } from './engine-wait';
export { logger } from './logger';
export {
  countLookup,
  countLookups,
  counter,
  gauge,
  histogram,
  metricDefinitions,
  metricGroups,
  metrics,
  metricsText,
  refreshOnScrape,
  secondsSince,
  seriesBound,
  type MetricDefinition,
  type MetricName,
} from './metrics';
export { within } from './within';
export { answerOperations, Readiness, serveOperations, splitListen, type ReadyCheck } from './operations';
export {
  describeProcess,
  reportSchema,
  reportVolume,
  spaceOf,
  type ProcessState,
  type SchemaState,
} from './process-state';
export { runProcess, type RunningProcess } from './process';
export {
  currentTraceparent,
  inConsumerSpan,
  inTraceOf,
  nameRequestSpan,
  sampledTraceparents,
  startClientSpan,
  startProducerSpan,
  startTelemetry,
  stopTelemetry,
} from './tracing';
export { Watchdog, type Dependency, type WatchdogOptions } from './watchdog';
