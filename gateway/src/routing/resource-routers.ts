import { Router, type RequestParamHandler } from 'express';
import type { Endpoint, ResourceRoute } from './endpoint';
import { asHandler, type Middleware } from '../middleware/request-state';

/** Handlers of a route in the order in which Express calls them. */
export interface RouteHandlers {
  /** Runs first, for every method. */
  enter: (route: ResourceRoute) => Middleware;
  serve: (route: ResourceRoute, endpoint: Endpoint) => Middleware;
  describe: (route: ResourceRoute) => Middleware;
  methodNotAllowed: (route: ResourceRoute) => Middleware;
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Parameters that may contain slashes, encoded as %2F or, in generated URLs, as %252F. */
const slashed = new Set(['component', 'place']);

const segmentsOf = (pattern: string): string[] => pattern.split('/').filter(Boolean);

/** Path of a resource: `/api/projects`, `/exports`; the API's root is `/api`, the home page `/`. */
function prefixOf(pattern: string): string {
  const [area, resource] = segmentsOf(pattern);
  if (area === undefined) return '/';
  return area === 'api' && resource !== undefined ? `/api/${resource}` : `/${area}`;
}

/** Groups endpoints by path. @throws Error when two endpoints have the same method and path */
export function routesOf(endpoints: readonly Endpoint[]): ResourceRoute[] {
  const routes = new Map<string, ResourceRoute>();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    // Express cannot distinguish patterns that differ only in parameter names.
    const shape = path.replace(/:\w+/g, ':');
    let route = routes.get(shape);
    if (!route) routes.set(shape, (route = { pattern: path, methods: new Map(), allow: '', ancestors: [] }));
    if (route.pattern !== path)
      throw new Error(`${path} and ${route.pattern} name parameters of the same path differently`);
    if (route.methods.has(method)) throw new Error(`${method} ${path} is defined twice`);
    route.methods.set(method, endpoint);
  }
  for (const route of routes.values()) {
    route.allow = allowOf(route.methods);
    route.ancestors = [...routes.values()]
      .filter(({ pattern, methods }) => methods.has('GET') && route.pattern.startsWith(pattern) && pattern !== '/')
      .map(({ pattern }) => pattern);
  }
  return [...routes.values()].sort(literalsFirst);
}

/** Express answers with the first route that matches: a literal segment precedes a parameter in the same place. */
function literalsFirst(a: ResourceRoute, b: ResourceRoute): number {
  const others = segmentsOf(b.pattern);
  for (const [i, segment] of segmentsOf(a.pattern).entries()) {
    const difference = Number(segment.startsWith(':')) - Number(others[i]?.startsWith(':') ?? false);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Express sets Allow for OPTIONS only, and without the methods of later routers. */
function allowOf(methods: ReadonlyMap<string, Endpoint>): string {
  const has = (method: string) =>
    method === 'OPTIONS' || methods.has(method) || (method === 'HEAD' && methods.has('GET'));
  return methodOrder.filter(has).join(', ');
}

/** Prefixes that match the paths of other resources, too; they are mounted last, in this order. */
const roots = ['/api', '/'];

/** Mounts one router for each resource. */
export function makeRouter(endpoints: readonly Endpoint[], handlers: RouteHandlers): Router {
  const byPrefix = new Map<string, ResourceRoute[]>();
  for (const route of routesOf(endpoints)) {
    const prefix = prefixOf(route.pattern);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), route]);
  }
  const resources = [...byPrefix].sort(([a], [b]) => roots.indexOf(a) - roots.indexOf(b));
  const router = Router({ caseSensitive: true });
  for (const [prefix, routes] of resources) router.use(prefix, resourceRouter(prefix, routes, handlers));
  return router;
}

function resourceRouter(prefix: string, routes: readonly ResourceRoute[], handlers: RouteHandlers): Router {
  const router = Router({ caseSensitive: true });
  const names = new Set(routes.flatMap(({ pattern }) => [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!)));
  for (const name of names) router.param(name, slashed.has(name) ? decodeSlashes : rejectSlashes);
  for (const route of routes) {
    const registered = router
      .route(prefix === '/' ? '/' : route.pattern.slice(prefix.length))
      .all(asHandler(handlers.enter(route)));
    for (const endpoint of route.methods.values()) {
      const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>;
      registered[method](asHandler(handlers.serve(route, endpoint)));
    }
    registered.options(asHandler(handlers.describe(route))).all(asHandler(handlers.methodNotAllowed(route)));
  }
  return router;
}

/** Express decodes a parameter once; the slashes between categories are encoded twice in generated URLs. */
const decodeSlashes: RequestParamHandler = (request, _response, next, value: string, name) => {
  if (/%2f/i.test(value)) request.params[name] = decodeURIComponent(value);
  next();
};

/** A slash in any other parameter matches no resource. */
const rejectSlashes: RequestParamHandler = (_request, _response, next, value: string) =>
  value.includes('/') ? next('route') : next();
