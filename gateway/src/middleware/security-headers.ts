import helmet from 'helmet';
import type { Middleware } from './request-state';

/** Security headers; the browsable page has inline styles and no scripts. */
export function makeSecurityHeaders(): Middleware {
  const setHeaders = helmet({
    contentSecurityPolicy: { directives: { 'script-src': ["'none'"], 'style-src': ["'unsafe-inline'"] } },
    crossOriginResourcePolicy: false,
  });
  return function securityHeaders(request, response, next) {
    setHeaders(request, response, next);
  };
}
