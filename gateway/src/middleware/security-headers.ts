import helmet from 'helmet';
import { scriptDigest } from '../pages/rendering/assets';
import type { Middleware } from './request-state';

/** Pages load their own stylesheet, images and one script, which the digest of its content names, and nothing else. */
const directives = {
  'default-src': ["'none'"],
  'script-src': [`'${scriptDigest}'`],
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
    // With a stricter value, browsers send `Origin: null` with forms, and a sign-in does not lead back to the page it came from.
    referrerPolicy: { policy: 'same-origin' },
  });
  return function securityHeaders(request, response, next) {
    setHeaders(request, response, next);
  };
}
