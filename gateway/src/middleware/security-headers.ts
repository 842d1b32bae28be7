import helmet from 'helmet';
import type { Middleware } from './request-state';

/** Pages load their own stylesheet and images, and nothing else. */
const directives = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/** Security headers of every response. */
export function makeSecurityHeaders(): Middleware {
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: 'deny' },
    crossOriginResourcePolicy: false,
    // With no-referrer, browsers would send `Origin: null` with the forms of pages.
    referrerPolicy: { policy: 'same-origin' },
  });
  return function securityHeaders(request, response, next) {
    setHeaders(request, response, next);
  };
}
