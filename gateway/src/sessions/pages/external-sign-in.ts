import { isServiceError } from '@parlance/errors';
import { randomBytes } from 'node:crypto';
import { seeOther } from '../../pages/rendering/reply';
import { notFound } from '../../responses/errors';
import type { Call, Reply } from '../../routing/call';
import { cookieOf, deletedCookie } from '../cookies';
import { sessionOf } from '../browser';
import { localPath } from '../local-path';
import { LINKING, redirectUri } from './external-addresses';
import { done } from './profile/action';
import { profilePage } from './profile/page';
import { enterOrAskCode, loginAddress, loginPage, PROFILE } from './sign-in';
import { signInProtection } from './sign-in-form';

/** Sends the browser to the OpenID Connect provider. The cookie binds the response of the provider to this browser. */
export async function startExternal(call: Call): Promise<Reply> {
  if (call.site.providerName === undefined) throw notFound();
  const next = localPath(call.query.get('next'), call.site) ?? '';
  const secret = randomBytes(32).toString('base64url');
  const request = { secret, redirectUri: redirectUri(call), next };
  try {
    const { address } = await call.clients.identity.startExternalSignIn(request, call.options);
    return seeOther(address, [signInProtection(call, secret).cookie]);
  } catch (error) {
    if (!isServiceError(error, 'UNAVAILABLE')) throw error;
    return loginPage(call, next || undefined, { status: 503, problem: error.message });
  }
}

/** The path in the state that the provider sent back; identity verifies the state as a whole. */
function nextOf(state: string | null): string {
  const [, encoded = ''] = /^[^.]+\.([A-Za-z0-9_-]*)$/.exec(state ?? '') ?? [];
  return Buffer.from(encoded, 'base64url').toString('utf8');
}

/** Receives the browser from the provider. */
export async function finishExternal(call: Call): Promise<Reply> {
  if (call.site.providerName === undefined) throw notFound();
  const next = nextOf(call.query.get('state'));
  const proof = {
    secret: cookieOf(call.request, call.site, 'sign-in'),
    callback: `${redirectUri(call)}?${call.query.toString()}`,
    next,
  };
  if (next === LINKING) return finishLink(call, proof);
  try {
    const request = { ...proof, userAgent: call.userAgent };
    const answer = await call.clients.identity.finishExternalSignIn(request, call.options);
    return enterOrAskCode(call, localPath(next, call.site), answer);
  } catch (error) {
    const { status, message } = refusalOf(error);
    return loginPage(call, localPath(next, call.site), { status, problem: message });
  }
}

/** Links the account at the provider with the user of the session. */
async function finishLink(call: Call, proof: { secret: string; callback: string; next: string }): Promise<Reply> {
  const session = sessionOf(call.request);
  if (!session) return seeOther(loginAddress(call, `${call.site.root}${PROFILE}`));
  try {
    await call.clients.identity.finishExternalLink({ userId: session.userId, ...proof }, call.options);
    return { ...done(call, 'linked', 'provider'), cookies: [deletedCookie('sign-in')] };
  } catch (error) {
    const { status, message } = refusalOf(error);
    return profilePage(call, session, { status, problem: message });
  }
}

/** Status and message of a refusal by the provider or identity. @throws other errors */
function refusalOf(error: unknown): { status: number; message: string } {
  if (isServiceError(error, 'AUTHENTICATION_FAILED')) return { status: 403, message: error.message };
  if (isServiceError(error, 'UNAVAILABLE')) return { status: 503, message: error.message };
  throw error;
}
