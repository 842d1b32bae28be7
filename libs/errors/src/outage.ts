/** Names of the errors by which drivers say that what they talk to is away. */
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

/** Codes of connections that could not be made or broke, and of statements that took longer than they may (50, MaxTimeMSExpired). */
const codes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  50,
]);

/** How deep causes are looked at. */
const DEPTH = 5;

/** Whether an error says that a part which is needed is away: the same request may go well in a moment. */
export function isOutage(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < DEPTH; at = at.cause, depth++)
    if (outages.has(at.name) || codes.has((at as NodeJS.ErrnoException).code)) return true;
  return false;
}
