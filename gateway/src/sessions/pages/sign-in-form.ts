import { ServiceError } from '@parlance/errors';
import { randomBytes } from 'node:crypto';
import type { Call } from '../../routing/call';
import { csrfTokensOf } from '../browser';
import { cookieOf, type SetCookie } from '../cookies';
import { CSRF_FIELD } from '../csrf';
import { takeFormToken } from '../forgery-protection';
import { isSameOrigin } from '../same-origin';

/** How long a form of a caller without a session may stay open, in milliseconds. */
const FORM_MS = 3600_000;

/**
 * Protection of forms without a session, such as the sign-in: another site must not sign a browser in to an account of the attacker.
 * The token belongs to a cookie with a random value or, between password and code, with the secret of the pending sign-in.
 * @param secret of a pending sign-in; default: that of the browser, or a new one
 */
export function signInProtection(
  call: Call,
  secret = cookieOf(call.request, call.site, 'sign-in') || randomBytes(32).toString('base64url'),
): { hidden: Record<string, string>; cookie: SetCookie } {
  return {
    hidden: { [CSRF_FIELD]: csrfTokensOf(call.request).issue(secret) },
    cookie: { name: 'sign-in', value: secret, maxAge: FORM_MS },
  };
}

/**
 * Whether the form has the token of the browser. A form that was open for too long has none.
 * @throws PERMISSION_DENIED for a form of another site
 */
export async function hasFormToken(call: Call): Promise<boolean> {
  if (!isSameOrigin(call.request, call.site))
    throw new ServiceError('PERMISSION_DENIED', { message: 'CSRF check failed: the form is of another site.' });
  const token = await takeFormToken(call);
  const secret = cookieOf(call.request, call.site, 'sign-in');
  return secret !== '' && csrfTokensOf(call.request).matches(secret, token);
}

export const EXPIRED_FORM = 'The form has expired, or the browser accepts no cookies. Try again.';
