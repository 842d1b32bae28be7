import { isServiceError } from '@parlance/errors';
import type { NextFunction } from 'express';
import type { Endpoint } from '../routing/endpoint';
import { notFound } from '../responses/errors';
import { readingsOf } from '../routing/path-readings';
import { makeRouteHandlers, type RouteDeps } from '../routing/route-handlers';
import { makeRouter } from '../routing/resource-routers';
import type { Middleware } from './request-state';

/** Longest path and query that are routed, in characters. */
const MAX_URL = 60_000;

/** Dispatches to the router of the resource. */
export function makeRoutes(deps: RouteDeps, endpoints: readonly Endpoint[]): Middleware {
  const router = makeRouter(endpoints, makeRouteHandlers(deps));
  return function routes(request, response, next) {
    const { path } = response.locals;
    // Express would also route absolute-form targets and repeated slashes.
    if (request.originalUrl.length > MAX_URL || !path.startsWith('/') || path.includes('//')) throw notFound();
    const dispatch = ([reading, ...others]: readonly string[], failure?: unknown): void => {
      if (reading === undefined) return next(failure ?? notFound());
      request.url = reading;
      const done: NextFunction = (error?: unknown) => {
        if (error && !isServiceError(error, 'NOT_FOUND')) next(error);
        else dispatch(others, failure ?? error);
      };
      router(request, response, done);
    };
    dispatch(readingsOf(path));
  };
}
