import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
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
  const { NodeSDK, resources } = require('@opentelemetry/sdk-node') as typeof import('@opentelemetry/sdk-node');
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
    resource: resources.resourceFromAttributes({ 'service.namespace': 'parlance', 'service.version': buildVersion() }),
    instrumentations: [
      new HttpInstrumentation({
        // Checks of engines and other background requests are no traces.
        requireParentforOutgoingSpans: true,
        ignoreIncomingRequestHook: (request) => /^\/(healthz|livez|readyz|metrics)/.test(request.url ?? ''),
        // Queries of clients and addresses of webhooks and engines can hold secrets. The attributes of hooks take precedence.
        startIncomingSpanHook: () => ({ 'url.query': undefined }),
        startOutgoingSpanHook: () => ({ 'url.full': undefined }),
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

/** Ends a span, with the error if the work failed. */
type EndSpan = (error?: unknown) => void;

/**
 * Starts the span of a request to another program: an engine or git. It has no effect outside of a span, so that background work causes no
 * traces.
 */
export function startClientSpan(name: string, attributes: Attributes): EndSpan {
  return startSpan(name, SpanKind.CLIENT, attributes);
}

/** Starts the span of a publication. It has no effect outside of a span. */
export function startProducerSpan(name: string, attributes: Attributes): EndSpan {
  return startSpan(name, SpanKind.PRODUCER, attributes);
}

function startSpan(name: string, kind: SpanKind, attributes: Attributes): EndSpan {
  if (!trace.getActiveSpan()) return () => undefined;
  const span = trace.getTracer('parlance').startSpan(name, { kind, attributes });
  return (error) => {
    if (error !== undefined) markFailed(span, error);
    span.end();
  };
}

/** Sets the class of the error. Its message is left out: it can hold texts and addresses. */
function markFailed(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
}

/**
 * Contexts of traceparents, the sampled ones first. Unsampled ones decide that the work is not sampled either, and name the trace in its
 * log lines.
 */
function contextsOf(traceparents: readonly string[]): Context[] {
  const given = [...new Set(traceparents)].filter((traceparent) => traceparent !== '');
  const sampled = given.filter((traceparent) => traceparent.endsWith(SAMPLED));
  return (sampled.length > 0 ? sampled : given.slice(0, 1)).map((traceparent) =>
    propagation.extract(ROOT_CONTEXT, { traceparent }),
  );
}

/**
 * Runs work in the trace of its first sampled cause without a span of its own, so that its log lines have the trace id.
 * @param traceparents W3C traceparents, '' for causes that were not traced
 */
export function inTraceOf<T>(traceparents: readonly string[], run: () => T): T {
  const [parent = ROOT_CONTEXT] = contextsOf(traceparents);
  return context.with(parent, run);
}

/**
 * Runs work with several causes in one span: a child of the first sampled trace, linked to the other sampled ones.
 * @param traceparents W3C traceparents, '' for causes that were not traced
 */
export async function inConsumerSpan<T>(
  name: string,
  traceparents: readonly string[],
  run: (span: Span) => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const [parent = ROOT_CONTEXT, ...others] = contextsOf(traceparents);
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((of) => ({ context: of }));
  const options = { kind: SpanKind.CONSUMER, links, attributes };
  return trace.getTracer('parlance').startActiveSpan(name, options, parent, async (span) => {
    try {
      return await run(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}
