import {
  Metadata,
  Server,
  ServerCredentials,
  status,
  type MethodDefinition,
  type ServiceDefinition,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { CALLER_METADATA_KEY, CallerVerifier } from '@parlance/access';
import { loadService, type ContractName, type ServiceName } from '@parlance/contracts';
import { decodeProblems, fieldErrors, isOutage, isServiceError, ServiceError, toGrpc } from '@parlance/errors';
import { describeProcess, counter, histogram, logger, secondsSince, withContext } from '@parlance/telemetry';
import { HealthImplementation } from 'grpc-health-check';
import { ReflectionService } from '@grpc/reflection';
import { loadSync } from '@grpc/proto-loader';
import { protoRoot } from '@parlance/contracts';
import { randomUUID } from 'node:crypto';
import { setMaxListeners, type EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import {
  CATALOG_GENERATION_KEY,
  STRINGS_GENERATION_KEY,
  channelOptions,
  CLIENT_ADDRESS_KEY,
  DEFAULT_TIMEOUT_MS,
  PROBLEMS_KEY,
  REQUEST_ID_KEY,
} from './client/client';
import { MAX_CONNECTION_AGE_MS, NO_RETRY } from './client/balancing';
import { fixBind } from './transport/bind-fix';
import { fixPings } from './transport/ping-fix';
import { requireService } from './requests';
import { writeAll } from './streams';
import { logRejectedClients, TlsServerCredentials, type Tls } from './transport/tls';
import type { CallContext, Implementation } from './types';

type AnyCall =
  | ServerUnaryCall<object, object>
  | ServerReadableStream<object, object>
  | ServerWritableStream<object, object>
  | ServerDuplexStream<object, object>;

const calls = counter('parlance_grpc_server_calls_total');
const seconds = histogram('parlance_grpc_server_duration_seconds');

/** A running gRPC server. */
export interface RunningServer {
  /** The listening port. */
  port: number;
  /** Rejects new calls and waits for the running ones. Calls that exceed the given time are cancelled. */
  drain(withinMs: number): Promise<void>;
}

interface ServeOptions<S extends ServiceName> {
  name: S;
  /** host:port; port 0 takes a free one. */
  listen: string;
  serviceSecret: string;
  /** Requires TLS with certificates of both sides; absent: plaintext. */
  tls?: Tls | undefined;
  implementation: Implementation<S>;
  /**
   * Methods that add their own validation errors to those of the caller before they reject the request; other methods reject it without
   * being called.
   */
  completing?: readonly (keyof Implementation<S>)[];
  /** Serves backups of the service's data; see `backupHandlers`. */
  backup?: Implementation<'backup'>;
  /** Receives the context of every call before its handler, for caches that other replicas invalidate. */
  onCall?: (context: CallContext) => void;
  /** Age after which connections end, and clients connect again; default MAX_CONNECTION_AGE_MS. */
  maxConnectionAgeMs?: number;
}

/** Serves a service's contract with caller verification, deadlines, request ids, error mapping and timing, plus health and reflection. */
export async function serve<S extends ServiceName>(options: ServeOptions<S>): Promise<RunningServer> {
  fixPings();
  fixBind();
  const { client, fullName } = loadService(options.name);
  const verifier = new CallerVerifier(options.serviceSecret);
  const server = new Server({
    ...channelOptions,
    'grpc.max_connection_age_ms': options.maxConnectionAgeMs ?? MAX_CONNECTION_AGE_MS,
  });
  server.addService(client.service, handlersOf(options, client.service, verifier));
  if (options.backup) {
    const { service } = loadService('backup').client;
    server.addService(service, handlersOf({ name: 'backup', implementation: options.backup }, service, verifier));
  }
  const { service } = loadService('process').client;
  server.addService(service, handlersOf({ name: 'process', implementation: processHandlers }, service, verifier));
  const health = new HealthImplementation({ '': 'SERVING', [fullName]: 'SERVING' });
  health.addToServer(server);
  reflect(server, options.name);
  const port = await listen(server, options.listen, options.tls);
  return {
    port,
    async drain(withinMs) {
      health.setStatus('', 'NOT_SERVING');
      await shutDown(server, withinMs);
    },
  };
}

const processHandlers: Implementation<'process'> = {
  async describeProcess(_request, { caller }) {
    requireService(caller);
    return describeProcess();
  },
};

/** The methods of an implementation as grpc-js calls them. */
function handlersOf<S extends ContractName>(
  options: {
    name: S;
    implementation: Implementation<S>;
    completing?: readonly (keyof Implementation<S>)[];
    onCall?: (context: CallContext) => void;
  },
  service: ServiceDefinition,
  verifier: CallerVerifier,
): UntypedServiceImplementation {
  const handlers: UntypedServiceImplementation = {};
  const completing = new Set<string>((options.completing ?? []) as readonly string[]);
  // Methods are looked up by name; the generated types describe each one.
  const implementation = options.implementation as unknown as Record<
    string,
    (input: unknown, context: CallContext) => unknown
  >;
  for (const [methodName, definition] of Object.entries(service) as [string, MethodDefinition<object, object>][]) {
    const key = methodName[0]!.toLowerCase() + methodName.slice(1);
    const bound = implementation[key]?.bind(implementation);
    if (!bound) throw new Error(`${options.name} does not implement ${methodName}`);
    const method = (input: unknown, context: CallContext): unknown => {
      options.onCall?.(context);
      return bound(input, context);
    };
    handlers[methodName] = wrap(
      methodName,
      definition,
      completing.has(key) ? method : rejectIfProblems(method),
      verifier,
    ) as UntypedServiceImplementation[string];
  }
  return handlers;
}

/** Adds the reflection of a service's contract. */
function reflect(server: Server, name: ServiceName): void {
  const pkg = name.replace('-', '_');
  const reflected = loadSync(`parlance/${pkg}/v1/${pkg}.proto`, { includeDirs: [protoRoot] });
  new ReflectionService(reflected as ConstructorParameters<typeof ReflectionService>[0]).addToServer(server);
}

/** @returns the port */
async function listen(server: Server, address: string, tls: Tls | undefined): Promise<number> {
  const credentials = tls ? new TlsServerCredentials(tls) : ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  if (tls) logRejectedClients(server, tls);
  return port;
}

/** Waits for running calls and cancels those that exceed the given time. */
function shutDown(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    // tryShutdown waits for all streams without a limit.
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, withinMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Wraps a method that is not called if the caller reported validation errors. */
function rejectIfProblems(method: (input: unknown, context: CallContext) => unknown): typeof method {
  return (input, context) => {
    if (context.problems.length > 0) throw fieldErrors(context.problems);
    return method(input, context);
  };
}

/** Logs defects as errors and outages of engines, which heal, as warnings. Expected failures are answers and not logged. */
function logFailure(method: string, error: unknown): void {
  if (isServiceError(error)) {
    if (error.reason === 'INTERNAL') logger.error({ err: error, method }, 'call failed');
  } else if (isOutage(error)) logger.warn({ err: error, method }, 'call failed because of an outage');
  else logger.error({ err: error, method }, 'call failed unexpectedly');
}

/**
 * Runs a call in its context, measures it and logs defects and outages.
 * @returns the failure to send; undefined after a success
 */
async function runCall(
  name: string,
  call: AnyCall,
  verifier: CallerVerifier,
  work: (context: CallContext) => Promise<void>,
): Promise<ReturnType<typeof toGrpc> | undefined> {
  const startedAt = performance.now();
  const stop = (code: string) => {
    seconds.observe({ method: name }, secondsSince(startedAt));
    calls.inc({ method: name, status: code });
  };
  const requestId = String(call.metadata.get(REQUEST_ID_KEY)[0] ?? randomUUID());
  return withContext({ requestId }, async () => {
    try {
      const context = contextOf(call, verifier, requestId);
      await work(context);
      stop('OK');
      return undefined;
    } catch (error) {
      logFailure(name, error);
      const failure = toGrpc(error);
      failure.metadata.set(...NO_RETRY);
      stop(status[failure.code]);
      return failure;
    }
  });
}

/** A method of an implementation as grpc-js calls it. */
function wrap(
  name: string,
  definition: MethodDefinition<object, object>,
  method: (input: unknown, context: CallContext) => unknown,
  verifier: CallerVerifier,
) {
  const run = (call: AnyCall, work: (context: CallContext) => Promise<void>) => runCall(name, call, verifier, work);
  if (definition.requestStream && definition.responseStream) {
    return (call: ServerDuplexStream<object, object>) => {
      void run(call, (context) => writeAll(call, method(messagesOf(call), context) as AsyncIterable<object>)).then(
        (failure) => failure && call.emit('error', failure),
      );
    };
  }
  if (definition.responseStream) {
    return (call: ServerWritableStream<object, object>) => {
      void run(call, (context) => writeAll(call, method(call.request, context) as AsyncIterable<object>)).then(
        (failure) => failure && call.emit('error', failure),
      );
    };
  }
  return (
    call: ServerUnaryCall<object, object> | ServerReadableStream<object, object>,
    callback: sendUnaryData<object>,
  ) => {
    let value: object | undefined;
    void run(call, async (context) => {
      value = (await method(
        definition.requestStream
          ? messagesOf(call as ServerReadableStream<object, object>)
          : (call as ServerUnaryCall<object, object>).request,
        context,
      )) as object;
    }).then((failure) => (failure ? callback(failure) : callback(null, value, new Metadata())));
  };
}

/** Messages of a call. A handler that stops reading must not destroy the stream, because its response is still to be sent. */
function messagesOf(
  call: ServerReadableStream<object, object> | ServerDuplexStream<object, object>,
): AsyncIterable<object> {
  return (call as Readable).iterator({ destroyOnReturn: false });
}

function contextOf(call: AnyCall, verifier: CallerVerifier, requestId: string): CallContext {
  const token = String(call.metadata.get(CALLER_METADATA_KEY)[0] ?? '');
  if (!token) throw new ServiceError('NOT_AUTHENTICATED', { message: 'The call carries no caller.' });
  let caller: CallContext['caller'];
  try {
    caller = verifier.verify(token);
  } catch (error) {
    throw new ServiceError('AUTHENTICATION_FAILED', {
      message: 'The caller of the call was refused.',
      cause: error,
    });
  }
  const given = call.getDeadline();
  const deadlineMs =
    given instanceof Date ? given.getTime() : Number.isFinite(given) ? given : Date.now() + DEFAULT_TIMEOUT_MS;
  // Created lazily: few handlers use the signal, and every call ends with a cancellation, which allocates an exception.
  let abort: AbortController | undefined;
  let cancelled = false;
  (call as EventEmitter).on('cancelled', () => {
    cancelled = true;
    abort?.abort();
  });
  const catalogGeneration = String(call.metadata.get(CATALOG_GENERATION_KEY)[0] ?? '');
  const stringsGeneration = String(call.metadata.get(STRINGS_GENERATION_KEY)[0] ?? '');
  const [problems] = call.metadata.get(PROBLEMS_KEY);
  const clientAddress = String(call.metadata.get(CLIENT_ADDRESS_KEY)[0] ?? '').slice(0, 100);
  return {
    caller: caller,
    callerToken: token,
    requestId,
    catalogGeneration,
    stringsGeneration,
    clientAddress,
    problems: Buffer.isBuffer(problems) ? decodeProblems(problems) : [],
    deadlineMs,
    get signal() {
      if (!abort) {
        abort = new AbortController();
        // Each concurrent store query of the call listens; Node.js would print a warning from the eleventh on.
        setMaxListeners(0, abort.signal);
        if (cancelled) abort.abort();
      }
      return abort.signal;
    },
  };
}
