import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { NodeSDK, tracing } from '@opentelemetry/sdk-node';
import {
  currentTraceparent,
  inConsumerSpan,
  inTraceOf,
  nameRequestSpan,
  sampledTraceparents,
  startClientSpan,
  startProducerSpan,
} from './tracing';

const exporter = new tracing.InMemorySpanExporter();
const sdk = new NodeSDK({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)], instrumentations: [] });
const traceparent = (digit: string, flags: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;
const spanOf = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name);

beforeAll(() => {
  process.env['OTEL_METRICS_EXPORTER'] = 'none';
  process.env['OTEL_LOGS_EXPORTER'] = 'none';
  sdk.start();
});
afterEach(() => exporter.reset());
afterAll(() => sdk.shutdown());

describe('work with causes', () => {
  it('work with causes is a child of the first sampled trace, linked to the other traces', async () => {
    const causes = ['', traceparent('a', '00'), traceparent('b', '01'), traceparent('c', '01')];
    await inConsumerSpan('task pull', causes, async () => undefined);
    const span = spanOf('task pull')!;
    expect(span.kind).toBe(SpanKind.CONSUMER);
    expect(span.spanContext().traceId).toBe('b'.repeat(32));
    expect(span.parentSpanContext?.spanId).toBe('b'.repeat(16));
    expect(span.links.map(({ context }) => context.traceId)).toEqual(['c'.repeat(32)]);
  });

  it('work with causes names itself as the cause of stored work', async () => {
    const stored = await inConsumerSpan('hook', [traceparent('b', '01')], async () => sampledTraceparents());
    expect(stored).toEqual([`00-${'b'.repeat(32)}-${spanOf('hook')!.spanContext().spanId}-01`]);
    expect(sampledTraceparents()).toEqual([]);
  });
});

describe('work with an unsampled cause', () => {
  it('work with an unsampled cause belongs to the trace of its cause and is not sampled either', async () => {
    let current = '';
    await inConsumerSpan('process', [traceparent('a', '00')], async () => {
      current = currentTraceparent();
    });
    expect(current).toMatch(new RegExp(`^00-${'a'.repeat(32)}-[0-9a-f]{16}-00$`));
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('what follows the end of the span is in its trace', () => {
    const causes = [traceparent('a', '00'), traceparent('b', '01')];
    expect(inTraceOf(causes, currentTraceparent)).toBe(traceparent('b', '01'));
    expect(inTraceOf([], currentTraceparent)).toBe('');
  });
});

describe('the span of a request', () => {
  it('the span of a request has the name of its route', async () => {
    await inConsumerSpan('POST', [traceparent('b', '01')], async () => nameRequestSpan('POST', '/hooks/:provider/'));
    expect(spanOf('POST /hooks/:provider/')?.attributes).toEqual({ 'http.route': '/hooks/:provider/' });
    expect(() => nameRequestSpan('GET', '/api/')).not.toThrow();
  });
});

describe('a request to another program', () => {
  it('a request to another program is a span below the work that makes it, with the state of its end', async () => {
    await inConsumerSpan('task', [traceparent('b', '01')], async () => {
      startClientSpan('git fetch', { 'process.executable.name': 'git' })();
      startClientSpan('get', { 'db.system.name': 'redis' })(new TypeError('away'));
      startProducerSpan('send unitChanged', { 'messaging.system': 'nats' })();
    });
    const { spanId } = spanOf('task')!.spanContext();
    expect(spanOf('git fetch')).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: { 'process.executable.name': 'git' },
    });
    expect(spanOf('send unitChanged')!.kind).toBe(SpanKind.PRODUCER);
    for (const name of ['git fetch', 'get', 'send unitChanged'])
      expect(spanOf(name)!.parentSpanContext?.spanId).toBe(spanId);
    expect(spanOf('get')!.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(spanOf('get')!.attributes['error.type']).toBe('TypeError');
  });

  it('causes no trace of its own', () => {
    startClientSpan('ping', {})();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});
