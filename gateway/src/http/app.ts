import { fieldErrors, isServiceError, ServiceError, type FieldProblem } from '@parlance/errors';
import { answerOperations, logger, metrics, withContext, type Readiness } from '@parlance/telemetry';
import compression from 'compression';
import express, { type Express, type Request, type Response } from 'express';
import helmet from 'helmet';
import { randomUUID } from 'node:crypto';
import { Histogram } from 'prom-client';
import { checkAccess } from '../access/access';
import { callCount, type Clients } from '../clients';
import type { Config } from '../config';
import type { AuthenticatedCaller, Directory, Refusal } from '../directory/directory';
import { Links } from '../presenters/links';
import { readBody, type Body } from './body';
import type { BodyBudgets, BodyReader } from './body-reader';
import type { Call, Reply } from './call';
import { cors } from './cors';
import { tokenOf } from './credentials';
import type { Endpoint } from './endpoint';
import { describe } from './describe';
import { notFound, presentError } from './errors';
import type { AllowedHosts } from './hosts';
import { isGitPath, PASSWORD_WANTED, unknownToNobody } from './git-client';
import { lookUp, type Place } from './look-up';
import { commonRenderers, contentTypes, negotiate, type Negotiated } from './negotiation';
import { readingsOf } from './plain-categories';
import { render } from './render';
import { waitForDrain } from './wait-for-drain';
import { Router, type Match } from './router';
import { areaOf, countedAs, objectOf, type Area, type Throttle } from './throttle';

const serviceCalls = new Histogram({
  name: 'parlance_http_service_calls',
  help: 'Calls to services that one request of the public API made.',
  labelNames: ['method', 'route'],
  buckets: [0, 1, 2, 3, 4, 6, 8, 12, 20, 50],
  registers: [metrics],
});

const seconds = new Histogram({
  name: 'parlance_http_seconds',
  help: 'Time to answer requests of the public API.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
  registers: [metrics],
});

/** Longest path and query that are read. */
const MAX_URL = 60_000;

export interface AppParts {
  config: Config;
  clients: Clients;
  directory: Directory;
  throttle: Throttle;
  bodies: BodyBudgets;
  hosts: AllowedHosts;
  readiness: Readiness;
  endpoints: readonly Endpoint[];
}

/** The public API as an express application. */
export function makeApp(parts: AppParts): Express {
  const { config } = parts;
  const router = new Router<Endpoint>();
  for (const endpoint of parts.endpoints) router.add(endpoint.method, endpoint.path, endpoint);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const proxies = config.PARLANCE_TRUSTED_PROXIES;
  if (proxies)
    app.set('trust proxy', /^\d+$/.test(proxies) ? Number(proxies) : proxies.split(',').map((p) => p.trim()));
  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'script-src': ["'none'"], 'style-src': ["'unsafe-inline'"] } },
      crossOriginResourcePolicy: false,
    }),
  );
  if (config.PARLANCE_COMPRESSION) app.use(compression({ threshold: 32 * 1024, level: 1 }));
  app.use((request: Request, response: Response) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    const count = { calls: 0 };
    void withContext({ requestId }, () =>
      callCount.run(count, () => answer(parts, router, request, response, requestId, count)),
    );
  });
  return app;
}

async function answer(
  parts: AppParts,
  router: Router<Endpoint>,
  request: Request,
  response: Response,
  requestId: string,
  count: { readonly calls: number },
): Promise<void> {
  const stop = seconds.startTimer({ method: request.method });
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  // A question mark inside of the query belongs to it.
  const mark = request.url.indexOf('?');
  const rawPath = mark < 0 ? request.url : request.url.slice(0, mark);
  const rawQuery = mark < 0 ? '' : request.url.slice(mark + 1);
  let route = 'none';
  let negotiated: Negotiated = { renderer: 'json', indent: 0 };
  let match: Match<Endpoint> | undefined;
  let username = '';
  let doc = '';
  let operations = false;
  try {
    if (request.url.length > MAX_URL) throw notFound();
    operations = await answerOperationsPath(rawPath, response, parts.readiness);
    if (operations) return;
    parts.hosts.check(request.headers.host);
    if (cors(parts.config, request, response)) return;
    response.setHeader('Vary', 'Accept, Cookie, origin');
    const query = new URLSearchParams(rawQuery);
    const git = isGitPath(rawPath);
    const [reading, ...otherReadings] = readingsOf(rawPath);
    const found = router.match(reading);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = found?.route.methods.get(method);
    if (found) response.setHeader('Allow', found.route.allow);
    const callOf = (route: Match<Endpoint>, caller: AuthenticatedCaller) =>
      makeCall(parts, request, response, route, query, caller, requestId, gone.signal);
    const { caller: current, begun } = await enter(parts, request, response, {
      area: areaOf(rawPath),
      object: objectOf(found?.params),
      git,
      ownCredentials: endpoint?.ownCredentials === true,
      ...(found && endpoint?.eager ? { begin: (caller) => handle(callOf(found, caller), endpoint) } : {}),
    });
    username = current.caller.username;
    match = found;
    if (!match) throw notFound();
    route = match.route.pattern;
    const reads = method === 'GET' || method === 'OPTIONS';
    // Nobody may write; that is said before anything is looked up.
    if (!reads && current.caller.anonymous && areaOf(rawPath) === 'api') throw new ServiceError('NOT_AUTHENTICATED');
    if (request.method === 'OPTIONS')
      return await send(
        response,
        200,
        negotiated,
        await describe(match, callOf(match, current)),
        page(request, match, '', username),
      );
    if (!endpoint)
      throw new ServiceError('METHOD_NOT_ALLOWED', {
        message: `${request.method} is not allowed here; ${match.route.allow} are.`,
      });
    doc = endpoint.doc;
    if (!endpoint.ownFormat)
      negotiated = negotiate(request.headers.accept, query.get('format'), [
        ...commonRenderers,
        ...(endpoint.renderers ?? []),
      ]);
    let answered = begun ?? handle(callOf(match, current), endpoint);
    for (const other of otherReadings)
      answered = answered.catch((error: unknown) => {
        const otherwise = router.match(other);
        const said = otherwise?.route.methods.get(method);
        if (!said || !isServiceError(error, 'NOT_FOUND')) throw error;
        return handle(callOf(otherwise!, current), said);
      });
    const reply = await answered;
    await sendReply(request, response, reply, negotiated, page(request, match, doc, username));
  } catch (error) {
    // Nobody is there to read what went wrong, and that calls were cancelled is no defect.
    if (!gone.signal.aborted)
      await sendError(request, response, error, negotiated, match ? page(request, match, doc, username) : undefined);
  } finally {
    const status = gone.signal.aborted ? CLIENT_GONE : response.statusCode;
    const took = stop({ route, status: String(status) });
    serviceCalls.observe({ method: request.method, route }, count.calls);
    if (!operations)
      logger.info(
        {
          method: request.method,
          // Queries can hold what people search for; they stay out.
          path: rawPath.slice(0, 1000),
          route,
          status,
          ms: Math.round(took * 1000),
          calls: count.calls,
          user: username,
          address: request.ip ?? '',
        },
        'request',
      );
  }
}

async function handle(call: Call & { place: Place }, endpoint: Endpoint): Promise<Reply> {
  const place = await lookUp(call, call.params).catch((error: unknown) => {
    throw call.caller.anonymous && isGitPath(endpoint.path) ? unknownToNobody(error) : error;
  });
  await checkAccess(call, endpoint.access, place);
  const reply = await endpoint.handle(call);
  // No service was asked that would have refused it.
  if (call.problems.length > 0) throw fieldErrors(call.problems);
  return reply;
}

/** How many more requests a caller must have had lately for work to begin before the next one is counted. */
const AMPLE = 100;
/** What callers had left when they were last counted. */
const left = new WeakMap<AuthenticatedCaller, number>();

/** Whether work for a caller may begin before the request is counted. */
function mayBegin(directory: Directory, caller: AuthenticatedCaller | Refusal | null): caller is AuthenticatedCaller {
  if (!caller || 'refused' in caller || caller.caller.anonymous) return false;
  return directory.isCurrent(caller) && (left.get(caller) ?? 0) >= AMPLE;
}

/** Status in log and metrics of a request whose client went away before it was answered. */
const CLIENT_GONE = 499;

async function answerOperationsPath(path: string, response: Response, readiness: Readiness): Promise<boolean> {
  const plain = path.replace(/(.)\/$/, '$1');
  return (plain === '/healthz' || plain === '/readyz') && answerOperations(plain, response, readiness);
}

/** The token of the Authorization header when it is one of ours; other credentials are the handler's business. */
async function knownToken(parts: AppParts, request: Request): Promise<string> {
  const token = tokenOf(request);
  return token && !('refused' in (await parts.directory.caller(token))) ? token : '';
}

/**
 * Authenticates and counts. Who the token belongs to may have been remembered from before a revocation: what counts is whether
 * it was found out under the generation that this very request saw, however many requests see the change at the same time.
 * @param entry.begin answers a read for whom the token belonged to a moment ago, while the request is still being counted
 * @returns the caller, and what was begun when nothing has changed since
 * @throws AUTHENTICATION_FAILED, THROTTLED
 */
async function enter(
  parts: AppParts,
  request: Request,
  response: Response,
  entry: {
    area: Area | undefined;
    object: string | undefined;
    git: boolean;
    ownCredentials: boolean;
    begin?: (caller: AuthenticatedCaller) => Promise<Reply>;
  },
): Promise<{ caller: AuthenticatedCaller; begun?: Promise<Reply> }> {
  const token = entry.ownCredentials ? await knownToken(parts, request) : tokenOf(request, entry.git);
  const refused = () =>
    new ServiceError('AUTHENTICATION_FAILED', {
      message: token === undefined ? 'The Authorization header must be "Token" or "Bearer" and a token.' : undefined,
    });
  let caller = token === undefined ? null : await parts.directory.caller(token);
  let begun = mayBegin(parts.directory, caller) ? entry.begin?.(caller) : undefined;
  // It is looked at later, or never.
  begun?.catch(() => undefined);
  // A refused token is counted by its address, apart from what may be read without one, and stays a 401.
  let admission = await parts.throttle.admit(request, response, caller, entry.area, entry.object);
  parts.directory.observe(admission.generations);
  if (token === undefined) throw refused();
  if (!parts.directory.isCurrent(caller)) {
    begun = undefined;
    const counted = countedAs(request, caller);
    caller = await parts.directory.caller(token);
    // What was remembered was somebody else, so the request fills a window of somebody else: it is let in by its own.
    if (countedAs(request, caller) !== counted)
      admission = await parts.throttle.admit(request, response, caller, entry.area, entry.object);
  }
  if (!caller || 'refused' in caller) throw refused();
  if (!admission.allowed) {
    response.setHeader('Retry-After', Math.max(1, admission.resetSeconds));
    throw new ServiceError('THROTTLED', {
      message: `Too many requests; there is room again in ${admission.resetSeconds} seconds.`,
    });
  }
  if (entry.area === 'api') left.set(caller, admission.remaining);
  return { caller, ...(begun ? { begun } : {}) };
}

function makeCall(
  parts: AppParts,
  request: Request,
  response: Response,
  match: Match<Endpoint>,
  query: URLSearchParams,
  caller: AuthenticatedCaller,
  requestId: string,
  gone: AbortSignal,
): Call & { place: Place } {
  const base = parts.config.PARLANCE_PUBLIC_URL ?? `${request.protocol}://${request.headers.host ?? 'localhost'}`;
  const place: Place = {};
  const problems: FieldProblem[] = [];
  let body: Promise<Body> | undefined;
  let reader: BodyReader | undefined;
  const named = <K extends keyof typeof place>(key: K): NonNullable<(typeof place)[K]> => {
    const value = place[key];
    if (value === undefined) throw new Error(`the path names no ${key}`);
    return value as NonNullable<(typeof place)[K]>;
  };
  const path = request.url.split('?', 1)[0]!;
  return {
    request,
    params: match.params,
    query,
    problems,
    caller: caller.caller,
    options: {
      as: caller.signed,
      requestId,
      catalogGeneration: parts.directory.catalogGeneration,
      clientAddress: request.ip ?? '',
      problems,
      // A write that has begun is finished: half of it would serve nobody.
      ...(request.method === 'GET' || request.method === 'HEAD' || match.route.methods.get(request.method)?.reads
        ? { signal: gone }
        : {}),
    },
    links: new Links(base),
    clients: parts.clients,
    directory: parts.directory,
    address: request.ip ?? '',
    url: `${base}${path.endsWith('/') ? path : `${path}/`}`,
    siteTitle: parts.config.PARLANCE_SITE_TITLE,
    userAgent: request.headers['user-agent'] ?? '',
    get bodyReader() {
      return (reader ??= parts.bodies.reader(request, response, countedAs(request, caller), caller.caller.anonymous));
    },
    body() {
      return (body ??= readBody(this.bodyReader, match.route.methods.get(request.method)?.body?.raw));
    },
    place,
    get project() {
      return named('project');
    },
    get component() {
      return named('component');
    },
    get translation() {
      return named('translation');
    },
  };
}

function page(request: Request, match: Match<Endpoint>, doc: string, username: string) {
  return {
    title: match.route.pattern,
    method: request.method,
    path: request.url,
    allow: match.route.allow,
    doc,
    username,
  };
}

type Facts = ReturnType<typeof page>;

/** @param unread a request whose body is still coming: the answer stands on the wire at once, but ends only after the body */
async function send(
  response: Response,
  status: number,
  negotiated: Negotiated,
  data: unknown,
  facts: Facts,
  unread?: Request,
): Promise<void> {
  const text = await render(data, negotiated, { ...facts, status });
  sendText(response, status, contentTypes[negotiated.renderer], text, unread);
}

/** @param unread see `send` */
function sendText(response: Response, status: number, type: string, body: string, unread?: Request): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  if (!unread) {
    response.end(body);
    return;
  }
  // Closing while a client writes resets the connection, and clients that read only after writing would never see why. The rest
  // is read and thrown away, for a while.
  response.write(body);
  const timer = setTimeout(() => unread.socket.destroy(), DROP_MS);
  const finish = () => {
    clearTimeout(timer);
    response.end();
  };
  unread.once('end', finish);
  unread.once('close', finish);
  unread.resume();
}

async function sendReply(
  request: Request,
  response: Response,
  reply: Reply,
  negotiated: Negotiated,
  facts: Facts,
): Promise<void> {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  const status = reply.status ?? 200;
  if (reply.stream) {
    response.statusCode = status;
    response.setHeader('Content-Type', reply.stream.type);
    if (reply.stream.size !== undefined) response.setHeader('Content-Length', reply.stream.size);
    if (request.method === 'HEAD') return void response.end();
    for await (const chunk of reply.stream.chunks) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await waitForDrain(response);
    }
    response.end();
  } else if (reply.text) {
    response.statusCode = status;
    response.setHeader('Content-Type', reply.text.type);
    response.setHeader('Content-Length', Buffer.byteLength(reply.text.content));
    response.end(reply.text.content);
  } else if (reply.prepared && negotiated.renderer === 'json' && negotiated.indent === 0) {
    response.statusCode = status;
    response.setHeader('Content-Type', contentTypes.json);
    const bytes = Buffer.from(reply.prepared.json);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  } else if (reply.prepared) {
    await send(response, status, negotiated, reply.prepared.data(), facts);
  } else if (reply.data === undefined) {
    response.statusCode = status;
    response.end();
  } else await send(response, status, negotiated, reply.data, facts);
}

/** How long the rest of a refused body is thrown away, in milliseconds. */
const DROP_MS = 30_000;

async function sendError(
  request: Request,
  response: Response,
  error: unknown,
  negotiated: Negotiated,
  facts: Facts | undefined,
): Promise<void> {
  const presented = presentError(error);
  // 503 says that a part is away or at capacity: nobody has to act on each of them.
  if (presented.status >= 500)
    logger[presented.status === 503 ? 'warn' : 'error'](
      { err: error, method: request.method, path: request.url.split('?')[0] },
      'request failed',
    );
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const [name, value] of Object.entries(presented.headers))
    // The throttle knows when there is room again.
    if (name !== 'Retry-After' || !response.hasHeader(name)) response.setHeader(name, value);
  // A client that waits to be let on (Expect: 100-continue), or stopped sending, sends no body now; the connection is of no more use.
  const waits = !request.complete && (request.headers.expect !== undefined || presented.status === 408);
  if (waits) response.setHeader('Connection', 'close');
  const unread = !request.complete && !waits ? request : undefined;
  if (isGitPath(request.url)) {
    if (presented.status === 401) response.setHeader('WWW-Authenticate', PASSWORD_WANTED);
    return sendText(response, presented.status, 'text/plain; charset=utf-8', `${presented.body.detail}\n`, unread);
  }
  const renderer = negotiated.renderer === 'api' && facts ? negotiated : ({ renderer: 'json', indent: 0 } as const);
  await send(
    response,
    presented.status,
    renderer,
    presented.body,
    facts ?? { title: '', method: request.method, path: '', allow: '', doc: '', username: '' },
    unread,
  );
}
