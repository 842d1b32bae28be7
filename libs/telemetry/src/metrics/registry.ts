import { collectDefaultMetrics, Registry, type OpenMetricsContentType } from 'prom-client';

/** Registry of all metrics of the process, in the OpenMetrics format, which carries exemplars. */
export const metrics = new Registry<OpenMetricsContentType>();
metrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
/**
 * Sampling interval of the event loop delay in milliseconds. The library's 10 ms would dominate the CPU time of an idle process.
 */
const LOOP_SAMPLE_MS = 100;
collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
