import { isSpanContextValid, trace } from '@opentelemetry/api';
import pino, { type Logger } from 'pino';
import { currentContext } from './context';
import { counter } from './metrics/metric';

/** Keys whose values are redacted. */
const redacted = [
  'authorization',
  'token',
  'password',
  'secret',
  'cookie',
  'req.headers.authorization',
  'headers.authorization',
];

const lines = counter('parlance_log_lines_total');

const wanted = process.env['LOG_LEVEL'] ?? '';

/** The process's logger: JSON lines on standard output with request and trace ids. The level `error` requires human action. */
export const logger: Logger = pino({
  // An invalid level is rejected with the other settings later. Until then, the logger must be able to report it.
  level: Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: { paths: redacted, censor: '[hidden]' },
  hooks: {
    logMethod(args, method, level) {
      lines.inc({ level: pino.levels.labels[level] ?? '' });
      method.apply(this, args);
    },
  },
  mixin() {
    const fields: Record<string, string> = { service: process.env['OTEL_SERVICE_NAME'] ?? 'parlance' };
    const requestId = currentContext()?.requestId;
    if (requestId) fields['request_id'] = requestId;
    const span = trace.getActiveSpan()?.spanContext();
    if (span && isSpanContextValid(span)) {
      fields['trace_id'] = span.traceId;
      fields['span_id'] = span.spanId;
    }
    return fields;
  },
});
