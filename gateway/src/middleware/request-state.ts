import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AuthenticatedCaller, RejectedToken } from '../directory/directory';
import type { ExpectedContents } from '../directory/known-contents';
import type { Body } from '../bodies/body';
import type { BodyReader } from '../bodies/body-reader';
import type { BrowserForm } from '../bodies/browser-form';
import type { Negotiated } from '../responses/negotiation';
import type { Site } from '../responses/site';
import type { ResourceRoute } from '../routing/endpoint';

/** A caller whose request was counted and accepted. */
export interface Admitted {
  caller: AuthenticatedCaller;
  /** Caller and cached data are still those from before the request was counted. */
  unchanged: boolean;
  /** What the path shows, with the generation that this request saw. */
  contents: ExpectedContents;
}

/** State of a request that middleware and routes share, in `response.locals`. */
export type RequestState = {
  requestId: string;
  /** Path as the client sent it, without the query. */
  path: string;
  query: URLSearchParams;
  /** Aborted when the client disconnects before the response is complete. */
  disconnected: AbortSignal;
  /** The token of the Authorization header: '' without one, undefined when malformed. */
  token: string | undefined;
  /** The secret in the cookie of a session; '' without one or if a token takes precedence. */
  session: string;
  site: Site;
  /** The cached owner of the token or session; null when the token is malformed. */
  identity: AuthenticatedCaller | RejectedToken | null;
  /** Settles when the request is counted. Rejects with AUTHENTICATION_FAILED or THROTTLED. */
  admission: Promise<Admitted>;
  /** Eager reads may start before `admission` settles. */
  mayStartEarly: boolean;
  /** What the path shows, with the generation that earlier requests saw. */
  contents: ExpectedContents;
  /** Reader of the request's body; its bytes count against the caller's share of the body budget. */
  bodyReader: () => BodyReader;
  /** The body, if it had to be read before the caller was known. */
  sentBody: Body | undefined;
  /** The form of a page that this request stands for. */
  form: BrowserForm | undefined;
  /** The route that matched first. */
  route: ResourceRoute | undefined;
  negotiated: Negotiated;
  /** Name of the admitted caller, for the log and the browsable page. */
  username: string;
};

/** Name that a page shows: '' for callers without a token. */
export function nameOnPages({ identity, username }: Pick<RequestState, 'identity' | 'username'>): string {
  return !identity || 'refused' in identity || identity.caller.anonymous ? '' : username;
}

export type ApiResponse = Response<unknown, RequestState>;
export type Middleware = (request: Request, response: ApiResponse, next: NextFunction) => void | Promise<void>;

/** Express's types do not declare the values of earlier middleware in `response.locals`. */
export const asHandler = (middleware: Middleware): RequestHandler => middleware as unknown as RequestHandler;
