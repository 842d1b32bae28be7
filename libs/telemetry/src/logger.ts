import { isSpanContextValid, trace } from '@opentelemetry/api';
import pino, { type Logger } from 'pino';
import { currentContext } from './context';

/** Keys whose values never reach a log. */
const redacted = [
  'authorization',
  'token',
  'password',
  'secret',
  'cookie',
  'req.headers.authorization',
  'headers.authorization',
];

const wanted = process.env['LOG_LEVEL'] ?? '';

/** The process's logger: JSON lines on standard output with request and trace ids. The level `error` means that a human must act. */
export const logger: Logger = pino({
  // A wrong one is refused with all other settings; until then what is wrong has to be told.
  level: Object.hasOwn(pino.levels.values, wanted) ? wanted : 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  redact: { paths: redacted, censor: '[hidden]' },
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
