import { logger, metrics } from '@parlance/telemetry';
import { Histogram } from 'prom-client';
import { callCount } from '../clients';
import { isProbe } from './probes';
import type { Middleware } from './request-state';

const serviceCalls = new Histogram({
  name: 'parlance_http_service_calls',
  help: 'Calls to services made by one request of the public API.',
  labelNames: ['method', 'route'],
  buckets: [0, 1, 2, 3, 4, 6, 8, 12, 20, 50],
  registers: [metrics],
});

const seconds = new Histogram({
  name: 'parlance_http_seconds',
  help: 'Duration of requests of the public API.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
  registers: [metrics],
});

/** Status in log and metrics of a request whose client disconnected before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;

/** Longest path in the log, in characters. */
const LOGGED_PATH = 1000;

/** Initializes the request's state; measures and logs the request when its response closes. */
export function makeRequestMetrics(): Middleware {
  return function requestMetrics(request, response, next) {
    const stop = seconds.startTimer({ method: request.method });
    const disconnected = new AbortController();
    const count = { calls: 0 };
    const { locals } = response;
    // The first question mark ends the path; later ones belong to the query.
    const mark = request.url.indexOf('?');
    locals.path = mark < 0 ? request.url : request.url.slice(0, mark);
    locals.query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
    locals.disconnected = disconnected.signal;
    locals.route = undefined;
    locals.doc = '';
    locals.username = '';
    locals.negotiated = { renderer: 'json', indent: 0 };
    response.once('close', () => {
      if (!response.writableFinished) disconnected.abort();
      const status = disconnected.signal.aborted ? CLIENT_CLOSED_REQUEST : response.statusCode;
      const route = locals.route?.pattern ?? 'none';
      const took = stop({ route, status: String(status) });
      serviceCalls.observe({ method: request.method, route }, count.calls);
      if (isProbe(locals.path)) return;
      logger.info(
        {
          method: request.method,
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
