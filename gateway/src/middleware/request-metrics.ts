import { counter, gauge, histogram, logger, secondsSince } from '@parlance/telemetry';
import { setMaxListeners } from 'node:events';
import { callCount } from '../clients';
import { isProbe } from './probes';
import type { Request } from 'express';
import type { ResourceRoute } from '../routing/endpoint';
import type { Site } from '../responses/site';
import type { Middleware } from './request-state';

const serviceCalls = histogram('parlance_http_service_calls');
const requests = counter('parlance_http_requests_total');
const seconds = histogram('parlance_http_request_duration_seconds');
const inFlight = gauge('parlance_http_requests_in_flight');

/** Status in log and metrics of a request whose client disconnected before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;

/** Longest path in the log, in characters. */
const LOGGED_PATH = 1000;

/**
 * Initializes the request's state; measures and logs the request when its response closes.
 * @param findRoute the route of a path
 */
export function makeRequestMetrics(
  siteOf: (request: Request) => Site,
  findRoute: (path: string) => ResourceRoute | undefined,
): Middleware {
  return function requestMetrics(request, response, next) {
    const startedAt = performance.now();
    inFlight.add(1);
    const disconnected = new AbortController();
    // Each concurrent call of the request listens; Node.js would print a warning from the eleventh on.
    setMaxListeners(0, disconnected.signal);
    const count = { calls: 0 };
    const { locals } = response;
    // The first question mark ends the path; later ones belong to the query.
    const mark = request.url.indexOf('?');
    locals.path = mark < 0 ? request.url : request.url.slice(0, mark);
    locals.query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
    locals.disconnected = disconnected.signal;
    locals.site = siteOf(request);
    locals.route = undefined;
    locals.sentBody = undefined;
    locals.form = undefined;
    locals.username = '';
    locals.negotiated = { renderer: 'json', indent: 0 };
    response.once('close', () => {
      if (!response.writableFinished) disconnected.abort();
      const status = disconnected.signal.aborted ? CLIENT_CLOSED_REQUEST : response.statusCode;
      // A request that failed before it was dispatched counts for its route, too: alerts select by route.
      const matched = locals.route ?? (status >= 400 ? findRoute(locals.path) : undefined);
      const route = matched?.pattern ?? 'none';
      // A form stands for another method than POST.
      const { method } = request;
      const took = secondsSince(startedAt);
      inFlight.add(-1);
      requests.inc({ method, route, status: String(status) });
      seconds.observe({ method, route }, took);
      serviceCalls.observe({ method, route }, count.calls);
      if (isProbe(locals.path)) return;
      logger.info(
        {
          method,
          // Queries can contain search terms and are not logged.
          path: locals.path.slice(0, LOGGED_PATH),
          route,
          status,
          ms: Math.round(took * 1000),
          calls: count.calls,
          user: locals.username,
          address: request.ip ?? '',
        },
        'request',
      );
    });
    callCount.run(count, next);
  };
}
