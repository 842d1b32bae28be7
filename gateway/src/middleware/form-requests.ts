import { ServiceError } from '@parlance/errors';
import type { Request } from 'express';
import type { BodyBudgets } from '../bodies/body-reader';
import { readBody } from '../bodies/body';
import { readBrowserForm } from '../bodies/browser-form';
import { countedAddress } from '../limits/counted-address';
import { areaOf, type Throttle } from '../limits/throttle';
import { prefersPage } from '../responses/negotiation';
import { CSRF_FIELD, CSRF_HEADER } from '../sessions/csrf';
import type { Middleware } from './request-state';
import { throwIfThrottled } from './throttling';

const formTypes = /^\s*(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/i;

/**
 * Forms of browsers can only send POST. A form of a page of this site names the method that it stands for and may contain a token; this
 * middleware turns it into that request. It reads the body before the caller is known, within the share of an anonymous address and
 * the rate limit of pages.
 */
export function makeFormRequests(budgets: BodyBudgets, throttle: Throttle): Middleware {
  return async function formRequests(request, response, next) {
    const { locals } = response;
    const isForm = request.method === 'POST' && formTypes.test(request.headers['content-type'] ?? '');
    if (!isForm || areaOf(locals.path) !== 'api' || !prefersPage(request.headers.accept, locals.query)) return next();
    const counted = `pages:${countedAddress(request.ip ?? '')}`;
    throwIfThrottled(await throttle.admit(request, response, null, { area: 'pages' }), response, counted);
    const body = await readBody(budgets.reader(request, response, counted, true));
    const form = readBrowserForm(body);
    locals.sentBody = body;
    if (!form) return next();
    throwIfForeign(request, locals.site.base);
    request.method = form.method;
    locals.form = form;
    if (form.token !== '' && request.headers.authorization === undefined)
      request.headers.authorization = `Token ${form.token}`;
    const csrf = form.values[CSRF_FIELD]?.[0];
    if (csrf !== undefined) request.headers[CSRF_HEADER] = csrf;
    next();
  };
}

/** Only pages of this site may send forms: a form of another site would act with the cookies of the browser. @throws PERMISSION_DENIED */
function throwIfForeign({ headers }: Request, base: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers.origin, headers.host, base) : site === 'same-origin';
  if (!isOwn)
    throw new ServiceError('PERMISSION_DENIED', { message: 'Forms are accepted from pages of this site only.' });
}

/** Whether the origin is this site. Its scheme is known only behind a proxy with PARLANCE_PUBLIC_URL. */
function isOwnOrigin(origin: string | undefined, host: string | undefined, base: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === new URL(base).origin || new URL(origin).host === host;
}
