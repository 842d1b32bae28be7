import type { BodyBudgets, BodyReader } from '../bodies/body-reader';
import { countedAs } from '../limits/throttle';
import type { Middleware } from './request-state';

/**
 * Provides the reader of the request's body. Endpoints read a body only after their access rule has passed, so that callers
 * without the permission get 403 and occupy no memory.
 */
export function makeBody(budgets: BodyBudgets): Middleware {
  return function body(request, response, next) {
    let reader: BodyReader | undefined;
    response.locals.bodyReader = () => {
      if (reader) return reader;
      const { identity } = response.locals;
      const anonymous = !identity || 'refused' in identity || identity.caller.anonymous;
      return (reader = budgets.reader(request, response, countedAs(request, identity), anonymous));
    };
    next();
  };
}
