import { OutgoingError, send } from '@parlance/outgoing';
import { EngineError, type EngineHttp } from '../../domain/machinery/engine';

/** How long an engine may take to answer, and how much, in milliseconds and bytes. */
const TIMEOUT_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Pauses before a failed request is made again, in milliseconds. */
const PAUSES_MS = [1_000, 4_000];
/** An engine that asks for a longer pause than this is not asked again, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

export interface EngineHttpOptions {
  /** The operator lets requests reach private addresses; also plain http. */
  allowPrivate: boolean;
  signal?: AbortSignal;
  /** Waits before another attempt. */
  pause(ms: number): Promise<void>;
  timeoutMs?: number;
  maxBytes?: number;
}

/** How long an answer asks to wait, in milliseconds; undefined: it does not say. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Requests to engines: within the operator's policy, bounded, repeated where that may help. */
export function engineHttp(options: EngineHttpOptions): EngineHttp {
  const { allowPrivate, signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  return async ({ url, method = 'GET', headers = {}, json }) => {
    if (!allowPrivate && !url.startsWith('https://'))
      throw new EngineError('Keys are not sent over plain http; an https address is needed.');
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
      const asked = outcome instanceof OutgoingError ? undefined : retryAfter(outcome.headers['retry-after']);
      const pause = asked ?? PAUSES_MS[attempt];
      if (
        !failure.temporary ||
        attempt >= PAUSES_MS.length ||
        pause === undefined ||
        pause > LONGEST_PAUSE_MS ||
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
  if (status === 401 || status === 403) return new EngineError(`The key was refused (${status}).`);
  if (status === 429) return new EngineError('Too many requests were made (429).', true);
  if (status === 456) return new EngineError('The quota is used up (456).');
  return new EngineError(`The engine answered with ${status}.`, status >= 500);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new EngineError('The answer is no JSON.');
  }
}
