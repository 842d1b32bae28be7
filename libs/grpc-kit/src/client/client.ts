import {
  connectivityState,
  credentials,
  Metadata,
  status,
  type Client as GrpcClient,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientWritableStream,
  type MethodDefinition,
} from '@grpc/grpc-js';
import { CALLER_METADATA_KEY, MAX_CALLER_TOKEN_BYTES } from '@parlance/access';
import { loadService, type ContractName } from '@parlance/contracts';
import { encodeProblems, fromGrpc } from '@parlance/errors';
import { currentContext } from '@parlance/telemetry';
import { isIdempotent, serviceConfig, targetOf, wasRefused } from './balancing';
import { fixBind } from '../transport/bind-fix';
import { measured } from './client-metrics';
import { registerPolicy } from './load-balancer';
import { ReplayableRequests } from './replayable-requests';
import { fixPings } from '../transport/ping-fix';
import { writeAll } from '../streams';
import { TlsChannelCredentials, type Tls } from '../transport/tls';
import type { CallOptions, Client } from '../types';

/** Default time limit of a call, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Metadata key of the public request's id. */
export const REQUEST_ID_KEY = 'parlance-request-id';

/** Metadata key of the catalog generation that the caller has seen. */
export const CATALOG_GENERATION_KEY = 'parlance-catalog-generation';
export const STRINGS_GENERATION_KEY = 'parlance-strings-generation';

/** Metadata key of the public client's address. */
export const CLIENT_ADDRESS_KEY = 'parlance-client-address';

/** Metadata key of the validation errors that the caller found. */
export const PROBLEMS_KEY = 'parlance-problems-bin';

/** Maximum message size in bytes: a page of 10 000 units or of 1 000 components with long texts. Files are streamed. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Channel options of both sides. Signed callers in metadata may exceed gRPC's default limit. */
export const channelOptions = {
  'grpc.max_metadata_size': MAX_CALLER_TOKEN_BYTES * 2,
  'grpc.absolute_max_metadata_size': MAX_CALLER_TOKEN_BYTES * 2,
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // Channelz duplicates metrics and traces.
  'grpc.enable_channelz': 0,
};

/** Minimum time between two DNS lookups, in milliseconds. */
const DNS_MS = 1_000;

/**
 * Attempts of a call that servers refuse unprocessed because they close the connection. The pause doubles from 1 ms, so that a busy
 * process learns of the closing in between; the call's deadline holds, too.
 */
const MAX_REFUSALS = 10;

/** Connection timeout in milliseconds. The service counts as unavailable after it. */
const CONNECT_MS = 1_000;

/** A method of a stub; grpc-js creates them at run time. */
type Raw = (...args: unknown[]) => unknown;

function prepare(options: CallOptions): {
  metadata: Metadata;
  call: { deadline: number };
  signal: AbortSignal | undefined;
} {
  // Calls wait for a restarting service instead of failing; load-balancer.ts bounds the wait.
  const metadata = new Metadata({ waitForReady: true });
  const context = typeof options.as === 'object' ? options.as : undefined;
  const token = typeof options.as === 'string' ? options.as : context?.callerToken;
  if (token) metadata.set(CALLER_METADATA_KEY, token);
  const requestId = options.requestId ?? context?.requestId ?? currentContext()?.requestId;
  if (requestId) metadata.set(REQUEST_ID_KEY, requestId);
  const generation = options.catalogGeneration ?? context?.catalogGeneration;
  if (generation) metadata.set(CATALOG_GENERATION_KEY, generation);
  const strings = options.stringsGeneration ?? context?.stringsGeneration;
  if (strings) metadata.set(STRINGS_GENERATION_KEY, strings);
  const clientAddress = options.clientAddress ?? context?.clientAddress;
  if (clientAddress) metadata.set(CLIENT_ADDRESS_KEY, clientAddress);
  if (options.problems && options.problems.length > 0) metadata.set(PROBLEMS_KEY, encodeProblems(options.problems));
  let deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  if (context && (options.timeoutMs === undefined || context.deadlineMs < deadline)) deadline = context.deadlineMs;
  return { metadata, call: { deadline }, signal: options.signal ?? context?.signal };
}

function onAbort(signal: AbortSignal | undefined, cancel: () => void): () => void {
  if (!signal) return () => undefined;
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}

/**
 * Promise-based client of a service. Every call has a deadline; failures are ServiceErrors; streams are async iterables.
 * Calls are spread over all replicas; see balancing.ts.
 * @param address host:port, where DNS may give several addresses of the host, or several ip:port separated by commas
 * @param tls as of `serve`; the server's certificate must name the host of the address
 * @param certified the address whose host the certificate names, if it is another one
 */
export function createClient<S extends ContractName>(
  name: S,
  address: string,
  tls?: Tls,
  certified = address,
): Client<S> {
  fixPings();
  fixBind();
  registerPolicy();
  const { client: Constructor } = loadService(name);
  const stub = new Constructor(
    targetOf(address),
    tls ? new TlsChannelCredentials(tls, certified) : credentials.createInsecure(),
    {
      ...channelOptions,
      'grpc.service_config': serviceConfig(name, Constructor.service),
      'grpc.dns_min_time_between_resolutions_ms': DNS_MS,
      // Without TXT queries for service configs: clients have theirs.
      'grpc.service_config_disable_resolution': 1,
    },
  );
  stub.getChannel().getConnectivityState(true);
  const methods: Record<string, unknown> = {};
  for (const [methodName, definition] of Object.entries(Constructor.service) as [
    string,
    MethodDefinition<object, object>,
  ][]) {
    // grpc-js creates the methods of a client at run time.
    const raw = (stub as unknown as Record<string, Raw>)[methodName]!.bind(stub);
    const key = methodName[0]!.toLowerCase() + methodName.slice(1);
    if (definition.requestStream && definition.responseStream) {
      methods[key] = (requests: AsyncIterable<object>, options: CallOptions = {}) => duplex(raw, requests, options);
    } else if (definition.requestStream) {
      methods[key] = (requests: AsyncIterable<object>, options: CallOptions = {}) => upload(raw, requests, options);
    } else if (definition.responseStream) {
      methods[key] = (request: object, options: CallOptions = {}) => {
        const { metadata, call, signal } = prepare(options);
        return readAll(() => raw(request, metadata, call) as ClientReadableStream<object>, signal);
      };
    } else {
      const repeatable = isIdempotent(definition);
      methods[key] = (request: object, options: CallOptions = {}) => unary(raw, request, options, repeatable);
    }
  }
  for (const [key, method] of Object.entries(methods))
    methods[key] = measured(name, key[0]!.toUpperCase() + key.slice(1), method as Parameters<typeof measured>[2]);
  methods['connected'] = () => isConnected(stub.getChannel());
  methods['close'] = () => stub.close();
  // Built by name; the generated types describe the same methods.
  return methods as unknown as Client<S>;
}

/** A call of one request and one response, sent again if a server refused it or, where allowed, did not answer in time. */
function unary(raw: Raw, request: object, options: CallOptions, repeatable: boolean): Promise<object> {
  const { metadata, call, signal } = prepare(options);
  const attemptMs = (repeatable && options.attemptMs) || Infinity;
  return new Promise((resolve, reject) => {
    let running: { cancel(): void };
    const send = (refusals: number): void => {
      const deadline = Math.min(call.deadline, Date.now() + attemptMs);
      running = raw(request, metadata, { ...call, deadline }, (error: unknown, value: object) => {
        if (mayResend(error, refusals, signal)) return void pauseBeforeResend(refusals).then(() => send(refusals + 1));
        // A handler may also report a time limit of its own, long before the deadline.
        const unanswered = isTimeout(error) && Date.now() >= deadline;
        if (unanswered && deadline < call.deadline && !signal?.aborted) return send(refusals);
        release();
        if (error) reject(fromGrpc(error));
        else resolve(value);
      }) as { cancel(): void };
      if (signal?.aborted) running.cancel();
    };
    send(1);
    const release = onAbort(signal, () => running.cancel());
  });
}

/** Reconnects an idle connection, or one that a restart of the service closed. */
async function isConnected(channel: ReturnType<GrpcClient['getChannel']>): Promise<boolean> {
  const until = Date.now() + CONNECT_MS;
  for (;;) {
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) return true;
    if (Date.now() >= until) return false;
    await new Promise<void>((resolve) => channel.watchConnectivityState(state, until, () => resolve()));
  }
}

/** @param open sends the call, again if a server refused it */
async function* readAll(
  open: () => ClientReadableStream<object>,
  signal: AbortSignal | undefined,
): AsyncGenerator<object> {
  for (let attempt = 1; ; attempt++) {
    const stream = open();
    const release = onAbort(signal, () => stream.cancel());
    try {
      for await (const message of stream) yield message as object;
      return;
    } catch (error) {
      if (!mayResend(error, attempt, signal)) throw fromGrpc(error);
    } finally {
      release();
      stream.cancel();
    }
    await pauseBeforeResend(attempt);
  }
}

const isTimeout = (error: unknown): boolean => (error as { code?: number } | null)?.code === status.DEADLINE_EXCEEDED;

const mayResend = (error: unknown, attempt: number, signal: AbortSignal | undefined): boolean =>
  wasRefused(error) && attempt < MAX_REFUSALS && !signal?.aborted;

const pauseBeforeResend = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 2 ** (attempt - 1)));

/** Sends a stream of requests that has one response; again if a server refused it and the requests are still known. */
async function upload(raw: Raw, messages: AsyncIterable<object>, options: CallOptions): Promise<object> {
  const { metadata, call, signal } = prepare(options);
  const requests = new ReplayableRequests(messages);
  const send = () =>
    new Promise<object>((resolve, reject) => {
      const stream = raw(metadata, call, (error: unknown, value: object) => {
        release();
        if (error) reject(error as Error);
        else resolve(value);
      }) as ClientWritableStream<object>;
      const release = onAbort(signal, () => stream.cancel());
      writeAll(stream, requests.read()).catch((error: unknown) => {
        reject(error as Error);
        stream.cancel();
      });
    });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (!requests.isReplayable || !mayResend(error, attempt, signal)) throw fromGrpc(error);
      }
      await pauseBeforeResend(attempt);
    }
  } finally {
    requests.close().catch(() => undefined);
  }
}

/** Sends a stream of requests and reads one of responses; again as `upload` does. A refused call has no response. */
async function* duplex(raw: Raw, messages: AsyncIterable<object>, options: CallOptions): AsyncGenerator<object> {
  const { metadata, call, signal } = prepare(options);
  const requests = new ReplayableRequests(messages);
  try {
    for (let attempt = 1; ; attempt++) {
      const stream = raw(metadata, call) as ClientDuplexStream<object, object>;
      const release = onAbort(signal, () => stream.cancel());
      let failure: unknown;
      const writing = writeAll(stream, requests.read()).catch((error: unknown) => {
        failure = error;
        stream.cancel();
      });
      try {
        for await (const message of stream) yield message as object;
        await writing;
        if (failure) throw failure as Error;
        return;
      } catch (error) {
        const mayRepeat = !failure && requests.isReplayable && mayResend(error, attempt, signal);
        if (!mayRepeat) throw fromGrpc(failure ?? error);
      } finally {
        release();
        stream.cancel();
      }
      await pauseBeforeResend(attempt);
    }
  } finally {
    requests.close().catch(() => undefined);
  }
}
