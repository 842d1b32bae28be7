import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';

let shutdown: (() => Promise<void>) | undefined;

/**
 * Names the process and, when OTEL_EXPORTER_OTLP_ENDPOINT (or its traces variant) is set, sends OpenTelemetry traces there.
 * Must run before anything that is to be traced is loaded; without an endpoint nothing of OpenTelemetry's SDK is loaded.
 */
export function startTelemetry(service: string): void {
  process.env['OTEL_SERVICE_NAME'] ??= `parlance-${service}`;
  if (!process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] && !process.env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) return;
  /* eslint-disable @typescript-eslint/no-require-imports -- loaded only when asked for: they cost 40 MB a process */
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

/** Sends what is still buffered. */
export async function stopTelemetry(): Promise<void> {
  await shutdown?.();
}

/** The W3C traceparent of what is running, or '' when it is not traced. */
export function currentTraceparent(): string {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? '';
}

/** Runs a piece of work in a span, as a child of the given traceparent ('' for the current span). */
export async function inSpan<T>(
  name: string,
  kind: 'producer' | 'consumer' | 'internal',
  traceparent: string,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : context.active();
  const kinds = { producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };
  return trace.getTracer('parlance').startActiveSpan(name, { kind: kinds[kind] }, parent, async (span) => {
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
