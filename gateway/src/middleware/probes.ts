import { answerOperations, type Readiness } from '@parlance/telemetry';
import type { Middleware } from './request-state';

const probes: readonly string[] = ['/healthz', '/readyz'];

const withoutTrailingSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

/** Whether a path is a liveness or readiness probe. */
export const isProbe = (path: string): boolean => probes.includes(withoutTrailingSlash(path));

/** Answers liveness and readiness probes before hosts are checked: orchestrators address a process by its IP address. */
export function makeProbes(readiness: Readiness): Middleware {
  return async function healthProbes(_request, response, next) {
    const { path } = response.locals;
    if (isProbe(path)) await answerOperations(withoutTrailingSlash(path), response, readiness);
    else next();
  };
}
