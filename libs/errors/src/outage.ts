/** Error names with which drivers report that their server is unavailable. */
const outages: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
  'EventsUnavailableError',
]);

/** Error codes of failed or broken connections and of statement timeouts (50, MaxTimeMSExpired). */
const codes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  50,
]);

/** Longest chain of causes that is inspected. */
const DEPTH = 5;

/** Whether an error or one of its causes reports an outage of a dependency. A retry may succeed. */
export function isOutage(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < DEPTH; at = at.cause, depth++)
    if (outages.has(at.name) || codes.has((at as NodeJS.ErrnoException).code)) return true;
  return false;
}
