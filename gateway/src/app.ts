import type { Readiness } from '@parlance/telemetry';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Config } from './config';
import type { BodyBudgets } from './bodies/body-reader';
import type { Endpoint } from './routing/endpoint';
import type { AllowedHosts } from './middleware/hosts';
import { makeAllowedHosts } from './middleware/allowed-hosts';
import { makeAuthentication } from './middleware/authentication';
import { makeBody } from './middleware/body';
import { makeCors } from './middleware/cors';
import { makeErrors } from './middleware/errors';
import { makeFormRequests } from './middleware/form-requests';
import { makeProbes } from './middleware/probes';
import { makeRequestId } from './middleware/request-id';
import { makeRequestMetrics } from './middleware/request-metrics';
import { asHandler } from './middleware/request-state';
import { makeRoutes } from './middleware/routes';
import { makeSecurityHeaders } from './middleware/security-headers';
import { makeThrottling } from './middleware/throttling';
import { pageEndpoints } from './pages/routes';
import { makeSiteOf } from './responses/site';
import { makeRouteFinder } from './routing/route-finder';
import { CsrfTokens } from './sessions/csrf';
import { accountEndpoints } from './sessions/pages/routes';
import type { RouteDeps } from './routing/route-handlers';

export interface AppDeps extends RouteDeps {
  config: Config;
  bodies: BodyBudgets;
  hosts: AllowedHosts;
  readiness: Readiness;
  endpoints: readonly Endpoint[];
}

/** Minimum size of a compressed response, in bytes. */
const COMPRESSION_THRESHOLD = 32 * 1024;

/** The public API as an Express application. */
export function makeApp(deps: AppDeps): Express {
  const { config, directory, endpoints } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const proxies = config.PARLANCE_TRUSTED_PROXIES;
  if (proxies)
    app.set('trust proxy', /^\d+$/.test(proxies) ? Number(proxies) : proxies.split(',').map((p) => p.trim()));
  if (config.PARLANCE_COMPRESSION) app.use(compression({ threshold: COMPRESSION_THRESHOLD, level: 1 }));
  const allEndpoints = [...endpoints, ...pageEndpoints, ...accountEndpoints];
  const csrf = new CsrfTokens(config.PARLANCE_SERVICE_SECRET);
  const middleware = [
    makeRequestId(),
    makeRequestMetrics(makeSiteOf(config), makeRouteFinder(allEndpoints)),
    makeSecurityHeaders(),
    makeProbes(deps.readiness),
    makeAllowedHosts(deps.hosts),
    makeCors(config.PARLANCE_CORS_ORIGINS),
    makeFormRequests(deps.bodies, deps.throttle),
    makeAuthentication(directory, endpoints, csrf),
    makeThrottling(directory, deps.throttle, csrf),
    makeBody(deps.bodies),
    makeRoutes(deps, allEndpoints),
  ];
  // As in `asHandler`: the types of Express do not know `response.locals`.
  app.use(...middleware.map(asHandler), makeErrors() as unknown as ErrorRequestHandler);
  return app;
}
