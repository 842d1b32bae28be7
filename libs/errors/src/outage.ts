// Recognizes outages by the errors of the drivers, which share no base class. Their versions are pinned; see outage.test.ts.

/** Names of errors with which drivers report that their server is unavailable or too slow. */
const names: ReadonlySet<string> = new Set([
  // MongoDB
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoStalePrimaryError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  // The driver's sessions end when the watchdog replaces its client.
  'MongoExpiredSessionError',
  // A write that the replica set did not confirm. It may have taken effect, as after a lost connection.
  'MongoWriteConcernError',
  // NATS
  'EventsUnavailableError',
  'ClosedConnectionError',
  'DrainingConnectionError',
  'ConnectionError',
  'NoResponders',
  'JetStreamNotEnabled',
  // NATS, and the signals of `AbortSignal.timeout`
  'TimeoutError',
  // Redis
  'MaxRetriesPerRequestError',
  'ClusterAllFailedError',
]);

/** Labels with which MongoDB marks failures that a retry may overcome. */
const labels = ['RetryableWriteError', 'TransientTransactionError', 'PoolRequestedRetry', 'SystemOverloadedError'];

const codes: ReadonlySet<unknown> = new Set([
  // Connections
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTCONN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  // S3
  'SlowDown',
  'SlowDownRead',
  'SlowDownWrite',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'XMinioServerNotInitialized',
  'XMinioStorageFull',
]);

/** Codes of MongoDB for a server that starts, stops, changes its role, exceeds a time limit or is full. */
const mongoCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: the server restarted between two pages
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  79, // UnknownReplWriteConcern
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  237, // CursorKilled
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11601, // Interrupted
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);

/** Messages of errors that have neither a name nor a code of their own. */
const messages: readonly RegExp[] = [
  // mongoose, while the watchdog replaces its client
  /buffering timed out after \d+ms$/,
  // Redis
  /^Connection is closed\.$/,
  /^Command timed out$/,
  /^Stream isn't writeable and enableOfflineQueue options is false$/,
  /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|OOM) /,
];

/** Longest chain of causes that is inspected. */
const DEPTH = 5;

/** Fields of the drivers' errors. */
interface DriverError extends Error {
  code?: unknown;
  status?: unknown;
  /** MongoDB: the error that a bulk write wraps. */
  errorResponse?: unknown;
  hasErrorLabel?: (label: string) => boolean;
}

function reportsOutage(error: DriverError): boolean {
  const { name, code } = error;
  return (
    names.has(name) ||
    codes.has(code) ||
    (name.startsWith('Mongo') && mongoCodes.has(code)) ||
    (name === 'JetStreamApiError' && error.status === 503) ||
    (typeof error.hasErrorLabel === 'function' && labels.some((label) => error.hasErrorLabel!(label))) ||
    messages.some((message) => message.test(error.message))
  );
}

/** Whether an error or one of its causes reports an outage of a dependency. A retry may succeed. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth >= DEPTH) return false;
  return (
    reportsOutage(error) ||
    isOutage(error.cause, depth + 1) ||
    isOutage((error as DriverError).errorResponse, depth + 1)
  );
}
