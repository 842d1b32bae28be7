import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api';
import { gauge } from './metrics/metric';
import { buildVersion } from './process-state';

const buildInfo = gauge('parlance_build_info');

/** Suffix of a traceparent whose trace is sampled; https://www.w3.org/TR/trace-context/#trace-flags . */
const SAMPLED = '-01';

let shutdown: (() => Promise<void>) | undefined;

/**
 * Names the process and, when OTEL_EXPORTER_OTLP_ENDPOINT (or its traces variant) is set, sends OpenTelemetry traces there.
 * Must run before instrumented modules are loaded. Without an endpoint, the OpenTelemetry SDK is not loaded.
 */
export function startTelemetry(service: string): void {
  process.env['OTEL_SERVICE_NAME'] ??= `parlance-${service}`;
  buildInfo.set({ service, version: buildVersion() }, 1);
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !process.env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) return;
  /* eslint-disable @typescript-eslint/no-require-imports -- loaded on demand: they take 40 MB per process */
  const { NodeSDK } = require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
  const { HttpInstrumentation } =
    require('@opentelemetry/instrumentation-http') as typeof import('@opentelemetry/instrumentation-http');
  const { GrpcInstrumentation } =
    require('@opentelemetry/instrumentation-grpc') as typeof import('@opentelemetry/instrumentation-grpc');
  const { MongoDBInstrumentation } =
    require('@opentelemetry/instrumentation-mongodb') as typeof import('@opentelemetry/instrumentation-mongodb');
  /* eslint-enable @typescript-eslint/no-require-imports */
  process.env['OTEL_METRICS_EXPORTER'] ??= 'none';
  process.env['OTEL_LOGS_EXPORTER'] ??= 'none';
  const sdk = new NodeSDK({
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => /^\/(healthz|readyz|metrics)/.test(request.url ?? ''),
      }),
      new GrpcInstrumentation({ ignoreGrpcMethods: ['Check', 'Watch'] }),
      new MongoDBInstrumentation(),
    ],
  });
  sdk.start();
  shutdown = () => sdk.shutdown();
}

/** Flushes buffered spans. */
export async function stopTelemetry(): Promise<void> {
  await shutdown?.();
}

/** The W3C traceparent of the active span; '' if it is not traced. */
export function currentTraceparent(): string {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? '';
}

/** The traceparent of the active span, to be stored with work that it causes; empty if the trace is not sampled. */
export function sampledTraceparents(): string[] {
  const traceparent = currentTraceparent();
  return traceparent.endsWith(SAMPLED) ? [traceparent] : [];
}

/**
 * Names the span of the HTTP request that is being answered by its route, as https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 * says: `GET /api/units/:unit/`. It has no effect on a request that is not traced.
 */
export function nameRequestSpan(method: string, route: string): void {
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}

/**
 * Starts the span of a request to another program: an engine or git. It has no effect outside of a span, so that background work causes no
 * traces.
 * @returns ends the span, with the error if the request failed
 */
export function startClientSpan(name: string, attributes: Attributes): (error?: unknown) => void {
  if (!trace.getActiveSpan()) return () => undefined;
  const span = trace.getTracer('parlance').startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return (error) => {
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
}

/**
 * Runs work with several causes in one span: a child of the first sampled trace, linked to the other sampled ones.
 * @param traceparents W3C traceparents, '' for causes that were not traced
 */
export async function inConsumerSpan<T>(
  name: string,
  traceparents: readonly string[],
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const [parent = ROOT_CONTEXT, ...others] = [...new Set(traceparents)]
    .filter((traceparent) => traceparent.endsWith(SAMPLED))
    .map((traceparent) => propagation.extract(ROOT_CONTEXT, { traceparent }));
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((of) => ({ context: of }));
  const options = { kind: SpanKind.CONSUMER, links };
  return trace.getTracer('parlance').startActiveSpan(name, options, parent, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
