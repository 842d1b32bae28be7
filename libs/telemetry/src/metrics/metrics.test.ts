import { ROOT_CONTEXT, TraceFlags, trace, context, type ContextManager } from '@opentelemetry/api';
import { counter, histogram, metricDefinitions, metrics, metricsText, refreshOnScrape, gauge } from './index';
import { combinationBound, seriesBound, type MetricDefinition } from './definition';

const definitions = Object.entries<MetricDefinition>(metricDefinitions);

/** Values of series by their labels, without zeros. */
async function seriesOf(name: string): Promise<Record<string, number>> {
  const { values } = await metrics.getSingleMetric(name)!.get();
  return Object.fromEntries(
    values.filter(({ value }) => value !== 0).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}

describe('the table of metrics', () => {
  it.each(definitions)('%s follows the Prometheus naming conventions', (name, { type, help, buckets, labels = {} }) => {
    expect(name).toMatch(/^parlance_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/milliseconds|_ms(_|$)|minutes|kilobytes|_mib|percent/);
    expect(help).toMatch(/^[A-Z].*\.$/);
    expect(buckets !== undefined).toBe(type === 'histogram');
    expect([...(buckets ?? [])].sort((a, b) => a - b)).toEqual(buckets ?? []);
    expect(Object.keys(labels).filter((label) => !/^[a-z]+(_[a-z]+)*$/.test(label) || label === 'le')).toEqual([]);
  });

  it('the table of metrics bounds the series of a process', () => {
    const total = (process: string) =>
      definitions
        .filter(([, { processes }]) => processes === 'all' || (processes as readonly string[]).includes(process))
        .reduce((sum, [, definition]) => sum + seriesBound(definition), 0);
    expect(total('gateway')).toBeLessThan(50_000);
    expect(total('vcs-worker')).toBeLessThan(50_000);
  });

  it('the table of metrics uses values that stand for all others in every label with fixed values', () => {
    const missing = definitions.flatMap(([name, { labels = {} }]) =>
      Object.values(labels).some((bound) => Array.isArray(bound) && !bound.includes('other')) ? [name] : [],
    );
    expect(missing.filter((name) => !name.startsWith('parlance_build_info'))).toEqual([]);
  });
});

describe('a counter', () => {
  it('a counter with fixed label values begins at 0, so that its first increase shows', async () => {
    counter('parlance_tasks_set_aside_total');
    expect(await metricsText()).toContain('parlance_tasks_set_aside_total{kind="import"} 0\n');
  });
});

describe('a label', () => {
  it('a label takes only its fixed values', async () => {
    const ended = counter('parlance_tasks_ended_total');
    ended.inc({ kind: 'pull', outcome: 'done' });
    ended.inc({ kind: 'made-up', outcome: 'done' });
    ended.inc({ kind: 'pull', outcome: 'done' }, 2);
    expect(await seriesOf('parlance_tasks_ended_total')).toEqual({ 'pull done': 3, 'other done': 1 });
  });

  it('a label takes a limited number of open values', async () => {
    const wasDead = counter('parlance_events_redelivered_total');
    for (let i = 0; i < 1000; i++) wasDead.inc({ consumer: `made-up-${i}` });
    const series = await seriesOf('parlance_events_redelivered_total');
    const bound = combinationBound(metricDefinitions.parlance_events_redelivered_total);
    expect(Object.keys(series).length).toBeLessThanOrEqual(bound);
    expect(series['other']).toBe(1000 - (bound - 1));
  });

  it('a label takes a limited number of combinations with other labels', async () => {
    const requests = counter('parlance_http_requests_total');
    for (let route = 0; route < 390; route++)
      for (let status = 200; status < 230; status++)
        requests.inc({ method: 'GET', route: `/api/${route}/`, status: String(status) });
    const series = await seriesOf('parlance_http_requests_total');
    expect(Object.keys(series)).toHaveLength(combinationBound(metricDefinitions.parlance_http_requests_total));
    expect(series['other other other']).toBe(390 * 30 - (Object.keys(series).length - 1));
  });
});

describe('a histogram', () => {
  it('a histogram shows the trace of a sampled span as exemplar', async () => {
    const duration = histogram('parlance_webhook_attempt_duration_seconds');
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const spanContext = { traceId, spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED };
    let active = ROOT_CONTEXT;
    const manager: ContextManager = { active: () => active, disable: () => manager } as ContextManager;
    context.setGlobalContextManager(manager);
    try {
      duration.observe(0.02);
      active = trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, traceFlags: TraceFlags.NONE });
      duration.observe(0.02);
      expect(await metricsText()).not.toContain(traceId);
      active = trace.setSpanContext(ROOT_CONTEXT, spanContext);
      duration.observe(0.02);
    } finally {
      context.disable();
    }
    expect(await metricsText()).toMatch(
      new RegExp(
        `parlance_webhook_attempt_duration_seconds_bucket\\{le="0.05"\\} 3 # \\{trace_id="${traceId}"\\} 0.02`,
      ),
    );
  });
});

describe('gauges that need a query', () => {
  const dead = gauge('parlance_dead_letters');
  const text = async () => (await metricsText(50)).split('\n').filter((line) => /^parlance_dead_letters /.test(line));

  it('gauges that need a query are read on scrape, and not again by the next scrape', async () => {
    let reads = 0;
    const stop = refreshOnScrape('test', [dead], async () => dead.set(++reads));
    expect(await text()).toEqual(['parlance_dead_letters 1']);
    expect(await text()).toEqual(['parlance_dead_letters 1']);
    stop();
  });

  it.each([
    ['fails', () => Promise.reject(new Error('unavailable'))],
    ['hangs', () => new Promise<void>(() => undefined)],
  ])('gauges that need a query have no value while the query %s', async (_, read) => {
    dead.set(7);
    const failures = async () => (await seriesOf('parlance_metrics_refresh_failures_total'))['test'] ?? 0;
    const before = await failures();
    const stop = refreshOnScrape('test', [dead], read);
    expect(await text()).not.toContain('parlance_dead_letters 7');
    expect(await failures()).toBe(before + 1);
    stop();
  });
});
