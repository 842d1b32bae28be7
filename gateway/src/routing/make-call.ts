import type { FieldProblem } from '@parlance/errors';
import type { Request } from 'express';
import type { Clients } from '../clients';
import type { AuthenticatedCaller, Directory } from '../directory/directory';
import type { ExpectedContents } from '../directory/known-contents';
import { readBody, type Body } from '../bodies/body';
import { bodyOfForm } from '../bodies/browser-form';
import type { Call } from './call';
import type { PathObjects } from './path-objects';
import type { ApiResponse, RequestState } from '../middleware/request-state';
import { Links } from '../responses/links';
import type { Endpoint, ResourceRoute } from './endpoint';
import { ShownContents } from './shown-contents';

export interface CallDeps {
  clients: Clients;
  directory: Directory;
}

/** A call and the objects of its path loaded so far. */
export type RoutedCall = Call & { pathObjects: PathObjects };

function named<K extends keyof PathObjects>(objects: PathObjects, key: K): NonNullable<PathObjects[K]> {
  const value = objects[key];
  if (value === undefined) throw new Error(`the path has no parameter ${key}`);
  return value as NonNullable<PathObjects[K]>;
}

function readCallBody(locals: RequestState, endpoint: Endpoint | undefined): Promise<Body> {
  const { form, sentBody } = locals;
  if (form && endpoint) return bodyOfForm(form, endpoint);
  return sentBody ? Promise.resolve(sentBody) : readBody(locals.bodyReader(), endpoint?.body?.raw);
}

/**
 * Creates the context of an endpoint's handler.
 * @param contents what the path is known to show
 */
export function makeCall(
  { clients, directory }: CallDeps,
  request: Request,
  response: ApiResponse,
  route: ResourceRoute,
  caller: AuthenticatedCaller,
  contents: ExpectedContents = {},
): RoutedCall {
  const { locals } = response;
  const { base } = locals.site;
  const problems: FieldProblem[] = [];
  const endpoint = route.methods.get(request.method);
  const isRead = request.method === 'GET' || request.method === 'HEAD' || endpoint?.reads === true;
  let body: Promise<Body> | undefined;
  return {
    request,
    params: request.params as Record<string, string>,
    query: locals.query,
    problems,
    caller: caller.caller,
    options: {
      as: caller.signed,
      requestId: locals.requestId,
      catalogGeneration: directory.catalogGeneration,
      stringsGeneration: directory.stringsGeneration,
      clientAddress: request.ip ?? '',
      problems,
      // A write that has begun is completed even if the client disconnects.
      ...(isRead ? { signal: locals.disconnected } : {}),
    },
    links: new Links(base),
    clients,
    directory,
    address: request.ip ?? '',
    url: `${base}${locals.path.endsWith('/') ? locals.path : `${locals.path}/`}`,
    site: locals.site,
    userAgent: request.headers['user-agent'] ?? '',
    contents: new ShownContents(contents),
    get bodyReader() {
      return locals.bodyReader();
    },
    body() {
      return (body ??= readCallBody(locals, endpoint));
    },
    pathObjects: {},
    get project() {
      return named(this.pathObjects, 'project');
    },
    get component() {
      return named(this.pathObjects, 'component');
    },
    get translation() {
      return named(this.pathObjects, 'translation');
    },
    get translationKey() {
      return named(this.pathObjects, 'translationKey');
    },
  };
}
