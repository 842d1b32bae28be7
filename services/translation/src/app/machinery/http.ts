import { OutgoingError, send } from '@parlance/outgoing';
import { EngineError, type EngineHttp } from '../../domain/machinery/engine';

/** Limits of a response, in milliseconds and bytes. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Delays before retries, in milliseconds. */
const RETRY_DELAYS_MS = [1_000, 4_000];
/** With a longer `Retry-After`, the request fails without a retry; milliseconds. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface EngineHttpOptions {
  /** Setting of the operator: allows private addresses and plain http. */
  allowPrivate: boolean;
  signal?: AbortSignal;
  /** Waits before a retry. */
  pause(ms: number): Promise<void>;
  timeoutMs?: number;
  maxBytes?: number;
}

/** Delay of a `Retry-After` header in milliseconds; undefined: absent or invalid. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** HTTP client for engines. Enforces the operator's policy and the response limits; retries temporary failures. */
export function engineHttp(options: EngineHttpOptions): EngineHttp {
  const { allowPrivate, signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  return async ({ url, method = 'GET', headers = {}, json }) => {
    if (!allowPrivate && !url.startsWith('https://'))
      throw new EngineError('The URL of an engine must start with https://, because requests contain the key.');
    for (let attempt = 0; ; attempt++) {
      const outcome = await send({
        url,
        method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        allowPrivate,
        timeoutMs,
        maxBytes,
        ...(signal ? { signal } : {}),
      }).catch((error: unknown) => {
        if (error instanceof OutgoingError) return error;
        throw error;
      });
      const failure = failureOf(outcome);
      if (failure === null) return parsed((outcome as { body: Buffer }).body);
      const retryAfterMs = outcome instanceof OutgoingError ? undefined : retryAfter(outcome.headers['retry-after']);
      const pause = retryAfterMs ?? RETRY_DELAYS_MS[attempt];
      if (
        !failure.temporary ||
        attempt >= RETRY_DELAYS_MS.length ||
        pause === undefined ||
        pause > MAX_RETRY_AFTER_MS ||
        signal?.aborted
      )
        throw failure;
      await options.pause(pause);
    }
  };
}

function failureOf(outcome: Awaited<ReturnType<typeof send>> | OutgoingError): EngineError | null {
  if (outcome instanceof OutgoingError)
    return new EngineError(outcome.message, outcome.problem === 'unreachable' || outcome.problem === 'timeout');
  const { status } = outcome;
  if (status >= 200 && status < 300) return null;
  if (status === 401 || status === 403) return new EngineError(`The engine rejected the key (status ${status}).`);
  if (status === 429) return new EngineError('The request limit of the engine is exceeded (status 429).', true);
  if (status === 456) return new EngineError('The quota of the engine is exhausted (status 456).');
  return new EngineError(`The engine responded with status ${status}.`, status >= 500);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new EngineError('The response is not valid JSON.');
  }
}
