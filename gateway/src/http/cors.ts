import type { Request, Response } from 'express';
import type { Config } from '../config';

/** Adds the headers that browsers of allowed origins need; true when a preflight request was answered. */
export function cors(config: Config, request: Request, response: Response): boolean {
  const { origin } = request.headers;
  const allowed =
    origin !== undefined &&
    (config.PARLANCE_CORS_ORIGINS.includes('*') || config.PARLANCE_CORS_ORIGINS.includes(origin));
  if (allowed) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader(
      'Access-Control-Expose-Headers',
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Location, X-Request-Id',
    );
  }
  if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
  if (allowed) {
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, Accept');
    response.setHeader('Access-Control-Max-Age', '86400');
  }
  response.status(200).end();
  return true;
}
