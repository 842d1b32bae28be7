import cors, { type CorsOptions } from 'cors';
import type { Request } from 'express';
import type { Middleware } from './request-state';

const exposedHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Location', 'X-Request-Id'];

const preflight: CorsOptions = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Accept'],
  maxAge: 86_400,
  optionsSuccessStatus: 200,
};

/** Neither methods nor headers: browsers refuse the request. */
const refusal: CorsOptions = { methods: [], allowedHeaders: [] };

/** @param origins that may call the API from a browser; `*` allows every origin */
export function makeCors(origins: readonly string[]): Middleware {
  const isAllowed = (origin: string | undefined): boolean =>
    origin !== undefined && (origins.includes('*') || origins.includes(origin));
  const optionsFor = (request: Request): CorsOptions => {
    const allowed = isAllowed(request.headers.origin);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight)
      return { ...preflight, ...(allowed ? { origin: true, exposedHeaders } : { origin: [], ...refusal }) };
    // Other OPTIONS requests describe a resource.
    return allowed ? { origin: true, exposedHeaders, ...refusal, preflightContinue: true } : { origin: false };
  };
  const handle = cors<Request>((request, done) => done(null, optionsFor(request)));
  return function corsHeaders(request, response, next) {
    response.setHeader('Vary', 'Accept, Cookie, origin');
    handle(request, response, next);
  };
}
