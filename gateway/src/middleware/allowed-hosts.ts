import type { AllowedHosts } from './hosts';
import type { Middleware } from './request-state';

/** Rejects requests whose Host header does not name this site. */
export function makeAllowedHosts(hosts: AllowedHosts): Middleware {
  return function allowedHosts(request, _response, next) {
    hosts.check(request.headers.host);
    next();
  };
}
