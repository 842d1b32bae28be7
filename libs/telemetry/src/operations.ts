import { createServer, type Server, type ServerResponse } from 'node:http';
import { EngineUnavailableError } from './engine-wait';
import { logger } from './logger';
import { gauge, metrics, metricsText, refreshOnScrape } from './metrics';

/** Whether a dependency is available. False and a rejected promise both mean that it is not. */
export type ReadyCheck = () => Promise<boolean> | boolean;

/** Timeout of a readiness check in milliseconds. */
const CHECK_TIMEOUT_MS = 2000;
/** Timeout of the check of an optional dependency in milliseconds. Shorter, because probes give up on a ready process that answers late. */
const OPTIONAL_CHECK_TIMEOUT_MS = 1000;

const dependencyUp = gauge('parlance_dependency_up');

/** Body of /readyz. */
export interface ReadinessState {
  ready: boolean;
  parts: Record<string, 'up' | 'down'>;
  /** Parts whose outage degrades the process but leaves it ready; absent if there are none. */
  optional?: string[];
  /** Reasons of the parts that are down; absent if there are none. */
  problems?: Record<string, string>;
}

/** Phases in which a process is not ready, with the reason. /readyz lists the phase among the parts. */
const PHASES = { starting: 'the process is starting', draining: 'the process is stopping' };

/** Readiness of the process: all required dependencies are available, and it is neither starting nor draining. */
export class Readiness {
  private phase: keyof typeof PHASES | undefined;
  private optional: Record<string, ReadyCheck>;
  /** The state that was last determined; undefined before. */
  last: ReadinessState | undefined;
  /** Whether the log says last that the process is not ready. */
  private isLost = false;

  /** @param options `optional`: checks of dependencies that are reported but not required */
  constructor(
    private checks: Record<string, ReadyCheck>,
    { starting = false, optional = {} }: { starting?: boolean; optional?: Record<string, ReadyCheck> } = {},
  ) {
    this.phase = starting ? 'starting' : undefined;
    this.optional = optional;
  }

  /** Ends the start: from now on, these checks decide, and the optional ones are reported. */
  started(checks: Record<string, ReadyCheck>, optional: Record<string, ReadyCheck> = {}): void {
    this.checks = checks;
    this.optional = optional;
    if (this.phase === 'starting') this.phase = undefined;
  }

  /** Makes the process permanently unready. */
  drain(): void {
    this.phase = 'draining';
  }

  /** State of each dependency, with the reason of those that are down; `ready` if all required ones are up. */
  async state(): Promise<ReadinessState> {
    const [required, optional] = await Promise.all([
      problemsOf(this.checks, CHECK_TIMEOUT_MS),
      problemsOf(this.optional, OPTIONAL_CHECK_TIMEOUT_MS),
    ]);
    if (this.phase) required.push([this.phase, PHASES[this.phase]]);
    const entries = [...required, ...optional];
    const down = entries.filter(([, problem]) => problem !== '');
    const state: ReadinessState = {
      ready: required.every(([, problem]) => problem === ''),
      parts: Object.fromEntries(entries.map(([name, problem]) => [name, problem === '' ? 'up' : 'down'])),
      ...(optional.length === 0 ? {} : { optional: optional.map(([name]) => name) }),
      ...(down.length === 0 ? {} : { problems: Object.fromEntries(down) }),
    };
    this.logChange(state);
    this.last = state;
    return state;
  }

  /** Logs when a started process loses or regains its readiness. The waiting for engines and the stop have log lines of their own. */
  private logChange({ ready, problems }: ReadinessState): void {
    if (this.phase) return;
    if (!ready && this.last?.ready) {
      this.isLost = true;
      logger.warn({ problems }, 'readiness: not ready');
    } else if (ready && this.isLost) {
      this.isLost = false;
      logger.info('readiness: ready again');
    }
  }
}

/** Names of dependencies, each with the reason why it is unavailable. */
function problemsOf(checks: Record<string, ReadyCheck>, timeoutMs: number): Promise<[string, string][]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => [
      name,
      await problemOf(check, timeoutMs),
    ]),
  );
}

/** Why a dependency is unavailable; '' if it is available. The log has the error, which may name addresses. */
async function problemOf(check: ReadyCheck, timeoutMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${timeoutMs / 1000} s`), timeoutMs);
  });
  const answer = Promise.resolve()
    .then(check)
    .then(
      (isUp) => (isUp ? '' : 'unreachable'),
      (error: unknown) => {
        if (error instanceof EngineUnavailableError) return error.message;
        return `failed: ${error instanceof Error ? error.name : typeof error}`;
      },
    );
  const problem = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return problem;
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/**
 * Answers the liveness probe of Kubernetes, which asks no engine. While the last answer of /readyz is negative, this one is a redirect to
 * another host: the kubelet does not follow it, counts it as success, and writes the body to the events of the pod. The events of a failed
 * readiness probe have its status only (docs/adr/0046).
 */
function answerLiveness(response: ServerResponse, { last }: Readiness): void {
  if (!last || last.ready) {
    send(response, 200, 'text/plain; charset=utf-8', 'ok\n');
    return;
  }
  const reasons = Object.entries(last.problems ?? {}).map(([name, problem]) => `${name}: ${problem}`);
  // A host below .invalid never exists (RFC 6761).
  response.setHeader('location', 'http://not-ready.invalid/');
  send(response, 307, 'text/plain; charset=utf-8', `Not ready: ${reasons.join('; ')}`);
}

/** Serves /healthz, /livez, /readyz and /metrics. Returns false for other paths. */
export async function answerOperations(path: string, response: ServerResponse, readiness: Readiness): Promise<boolean> {
  if (path === '/healthz') send(response, 200, 'text/plain; charset=utf-8', 'ok\n');
  else if (path === '/livez') answerLiveness(response, readiness);
  else if (path === '/readyz') {
    const state = await readiness.state();
    send(response, state.ready ? 200 : 503, 'application/json', JSON.stringify(state));
  } else if (path === '/metrics') send(response, 200, metrics.contentType, await metricsText());
  else return false;
  return true;
}

/** Splits host:port. */
export function splitListen(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(':');
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(listen.slice(at + 1)) };
}

/** Starts the small HTTP server for operators. */
export async function serveOperations(listen: string, readiness: Readiness): Promise<Server> {
  refreshOnScrape('dependencies', [dependencyUp], async () => {
    const { parts } = await readiness.state();
    for (const [name, state] of Object.entries(parts))
      if (!Object.hasOwn(PHASES, name)) dependencyUp.set({ dependency: name }, state === 'up' ? 1 : 0);
  });
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!.replace(/(.)\/$/, '$1');
    answerOperations(path, response, readiness)
      .then((known) => {
        if (!known) send(response, 404, 'text/plain; charset=utf-8', 'not found\n');
      })
      .catch((error: unknown) => {
        logger.error({ err: error }, 'operations request failed');
        if (!response.headersSent) send(response, 500, 'text/plain; charset=utf-8', 'failed\n');
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(splitListen(listen), resolve);
  });
  return server;
}
