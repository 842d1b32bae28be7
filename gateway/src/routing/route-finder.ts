import type { Request, Response } from 'express';
import type { Endpoint, ResourceRoute } from './endpoint';
import { readingsOf } from './path-readings';
import { makeRouter } from './resource-routers';

/** Finds the route of a path without running its handlers. */
export function makeRouteFinder(endpoints: readonly Endpoint[]): (path: string) => ResourceRoute | undefined {
  const found: ResourceRoute[] = [];
  const ignore = () => () => undefined;
  const router = makeRouter(endpoints, {
    enter: (route) => () => {
      found.push(route);
    },
    serve: ignore,
    describe: ignore,
    methodNotAllowed: ignore,
  });
  return function findRoute(path) {
    found.length = 0;
    for (const url of readingsOf(path)) {
      // The router reads no more of a request; it runs synchronously.
      router({ method: 'GET', url } as Request, {} as Response, () => undefined);
      if (found.length > 0) break;
    }
    return found[0];
  };
}
