import { ServiceError } from '@parlance/errors';
import type { Request } from 'express';
import { isReadMethod } from '../limits/maintenance';
import type { Call } from '../routing/call';
import { csrfTokensOf, sessionOf } from './browser';
import { CSRF_FIELD, CSRF_HEADER } from './csrf';
import { isSameOrigin } from './same-origin';

const isForm = (contentType = ''): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType);

/** Takes the token out of a form, so that endpoints do not see it. */
export async function takeFormToken(call: Call): Promise<unknown> {
  const { values } = await call.body();
  const token = values[CSRF_FIELD];
  delete values[CSRF_FIELD];
  return token;
}

/**
 * Browsers send the cookie of a session with requests that other sites cause. An unsafe method with a session therefore needs proof that a
 * page of this site sent it. A token in the Authorization header is no cookie: such requests have no session here.
 * @throws PERMISSION_DENIED
 */
export async function requireProofOfOrigin(request: Request, call: Call): Promise<void> {
  const session = sessionOf(request);
  if (!session || isReadMethod(request.method)) return;
  if (!isSameOrigin(request, call.site)) {
    throw new ServiceError('PERMISSION_DENIED', {
      message: 'CSRF check failed: the request comes from another origin.',
    });
  }
  const header = request.headers[CSRF_HEADER];
  const token = header ?? (isForm(request.headers['content-type']) ? await takeFormToken(call) : undefined);
  if (csrfTokensOf(request).matches(session.secret, token)) return;
  const message = `CSRF check failed: send the token of the page in the header X-CSRF-Token or the form field ${CSRF_FIELD}.`;
  throw new ServiceError('PERMISSION_DENIED', { message });
}
