import { logger } from '../logger';
import { counter } from './metric';
import { metrics } from './registry';

/** Shortest time between two queries of one source, in milliseconds: two Prometheus servers cost as much as one. */
const MIN_INTERVAL_MS = 10_000;
/** Longest time that a scrape waits for a source, in milliseconds; longer than a readiness check. */
const TIMEOUT_MS = 3_000;

/** Series that are removed when their query fails. */
interface Resettable {
  reset(): void;
}

interface Source {
  name: string;
  /** Queries and sets the gauges. */
  read: () => Promise<void>;
  gauges: readonly Resettable[];
  readAt: number;
  running: Promise<void> | undefined;
}

const failures = counter('parlance_metrics_refresh_failures_total');
const sources = new Set<Source>();

/**
 * Reads gauges that need a query when the process is scraped: at most every 10 s, and for at most 3 s. The gauges of a failed source
 * have no series until the next success, because an old value would hide the outage.
 * @returns removes the source
 */
export function refreshOnScrape(name: string, gauges: readonly Resettable[], read: () => Promise<void>): () => void {
  const source: Source = { name, read, gauges, readAt: -Infinity, running: undefined };
  sources.add(source);
  return () => {
    if (sources.delete(source)) for (const gauge of gauges) gauge.reset();
  };
}

function refreshed(source: Source): Promise<void> {
  if (source.running) return source.running;
  if (performance.now() - source.readAt < MIN_INTERVAL_MS) return Promise.resolve();
  source.running = source
    .read()
    .catch((error: unknown) => failed(source, error))
    .finally(() => {
      source.readAt = performance.now();
      source.running = undefined;
    });
  return source.running;
}

function failed(source: Source, error: unknown): void {
  failures.inc({ source: source.name });
  for (const gauge of source.gauges) gauge.reset();
  logger.debug({ err: error, source: source.name }, 'metrics: query failed');
}

/** All metrics of the process in the OpenMetrics format. */
export async function metricsText(timeoutMs = TIMEOUT_MS): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  await Promise.all(
    [...sources].map(async (source) => {
      const outcome = await Promise.race([refreshed(source), late]);
      if (outcome === 'late') failed(source, new Error(`no result within ${timeoutMs} ms`));
    }),
  );
  clearTimeout(timer);
  return metrics.metrics();
}
