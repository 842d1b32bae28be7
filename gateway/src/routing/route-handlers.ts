import { ServiceError } from '@parlance/errors';
import type { MaintenanceCache } from '@parlance/grpc-kit';
import { nameRequestSpan } from '@parlance/telemetry';
import type { Request } from 'express';
import type { Clients } from '../clients';
import type { Config } from '../config';
import type { AuthenticatedCaller, Directory } from '../directory/directory';
import type { ExpectedContents } from '../directory/known-contents';
import { throwIfUnconfirmed } from '../bodies/browser-form';
import { mayStartEarly, type Endpoint, type ResourceRoute } from './endpoint';
import { describe } from './describe-route';
import { commonRenderers, negotiate } from '../responses/negotiation';
import { isReadMethod, isWrite, throwIfInMaintenance } from '../limits/maintenance';
import { areaOf, objectOf, type Throttle } from '../limits/throttle';
import { throwIfThrottled } from '../middleware/throttling';
import type { ApiResponse, Middleware } from '../middleware/request-state';
import type { Reply } from './call';
import { makeCall, type RoutedCall } from './make-call';
import { run } from './run';
import { send, sendReply } from '../responses/send-reply';
import { requireProofOfOrigin } from '../sessions/forgery-protection';
import type { RouteHandlers } from './resource-routers';

export interface RouteDeps {
  config: Config;
  clients: Clients;
  directory: Directory;
  throttle: Throttle;
  maintenance: MaintenanceCache;
}

/** The handlers of a resource's routes. */
export function makeRouteHandlers(deps: RouteDeps): RouteHandlers {
  const callOf = (
    request: Request,
    response: ApiResponse,
    route: ResourceRoute,
    caller: AuthenticatedCaller,
    contents?: ExpectedContents,
  ) => makeCall(deps, request, response, route, caller, contents);
  return {
    enter: (route) => enterRoute(deps, route),
    serve: (route, endpoint) => {
      const startsEarly = mayStartEarly(endpoint);
      return async function serve(request, response) {
        const { locals } = response;
        const early =
          startsEarly && locals.mayStartEarly
            ? begin(callOf(request, response, route, ownerOf(response), locals.contents), endpoint)
            : undefined;
        // The result is awaited below, or discarded when the request is rejected.
        early?.reply.catch(() => undefined);
        const { caller, unchanged, contents } = await locals.admission;
        if (locals.form) throwIfUnconfirmed(locals.form);
        const shown = isPageOfFile(endpoint, locals) ? withoutFile(endpoint) : endpoint;
        if (shown !== endpoint) locals.negotiated = { renderer: 'api', indent: 0 };
        else if (!endpoint.ownFormat)
          locals.negotiated = negotiate(request.headers.accept, locals.query.get('format'), [
            ...commonRenderers,
            ...(endpoint.renderers ?? []),
          ]);
        const call = callOf(request, response, route, caller, contents);
        if (!endpoint.signInForm) await requireProofOfOrigin(request, call);
        let begun = unchanged ? early : undefined;
        await begun?.reply;
        if (!begun?.call.contents.isValid(contents.generation)) begun = begin(call, shown);
        await sendReply(request, response, await finish(deps, response, begun, contents));
      };
    },
    describe: (route) =>
      async function describeRoute(request, response) {
        const { caller } = await response.locals.admission;
        const description = await describe(route, callOf(request, response, route, caller));
        await send(response, 200, description);
      },
    methodNotAllowed: (route) =>
      function methodNotAllowed(request) {
        throw new ServiceError('METHOD_NOT_ALLOWED', {
          message: `${request.method} is not allowed; allowed methods: ${route.allow}.`,
        });
      },
  };
}

/** A reply that is being made. */
interface Begun {
  call: RoutedCall;
  reply: Promise<Reply>;
}

const begin = (call: RoutedCall, endpoint: Endpoint): Begun => ({ call, reply: run(call, endpoint) });

/** Completes a reply and keeps it for later requests if that is possible. */
async function finish(
  { directory }: RouteDeps,
  { locals }: ApiResponse,
  { call, reply }: Begun,
  { generation }: ExpectedContents,
): Promise<Reply> {
  const made = await reply;
  const scope = call.contents.finish(generation);
  if (scope) directory.contents.record(locals.path, scope);
  return made;
}

/** Whether a browser wants the page of an endpoint that answers with files. */
const isPageOfFile = ({ ownFormat }: Endpoint, { path, query }: ApiResponse['locals']): boolean =>
  ownFormat === true && query.get('format') === 'api' && areaOf(path) === 'api';

/** The endpoint with its access rule and without its file. */
const withoutFile = (endpoint: Endpoint): Endpoint => ({ ...endpoint, handle: () => Promise.resolve({ data: null }) });

function ownerOf({ locals: { identity } }: ApiResponse): AuthenticatedCaller {
  if (!identity || 'refused' in identity) throw new Error('only requests with a valid token start early');
  return identity;
}

/** Sets Allow, rejects writes in maintenance mode and anonymous ones, and counts the request in the window of the path's object. */
function enterRoute({ throttle, maintenance }: RouteDeps, route: ResourceRoute): Middleware {
  return async function enter(request, response, next) {
    const { locals } = response;
    response.setHeader('Allow', route.allow);
    const isFirstReading = locals.route === undefined;
    locals.route ??= route;
    if (isFirstReading) nameRequestSpan(request.method, route.pattern);
    if (isWrite(request.method, locals.path, route)) {
      const { caller } = await locals.admission;
      if (caller.caller.readOnly) throw new ServiceError('PERMISSION_DENIED', { message: 'This token only reads.' });
      throwIfInMaintenance(await maintenance.current(), response);
    }
    // Callers that may start early are authenticated, and windows of objects are outside of /api/.
    if (locals.mayStartEarly && areaOf(locals.path) === 'api') return next();
    const { caller } = await locals.admission;
    const area = areaOf(locals.path);
    if (area === 'api') {
      // Anonymous callers cannot write: that is reported before any look-up.
      if (!isReadMethod(request.method) && caller.caller.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
    } else if (area !== undefined && isFirstReading) {
      const admission = await throttle.admitObject(response, area, objectOf(request.params as Record<string, string>));
      if (admission) throwIfThrottled(admission, response, 'object');
    }
    next();
  };
}
