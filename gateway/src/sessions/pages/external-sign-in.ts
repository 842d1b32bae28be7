import { isServiceError } from '@parlance/errors';
import { randomBytes } from 'node:crypto';
import { seeOther } from '../../pages/rendering/reply';
import { notFound } from '../../responses/errors';
import type { Call, Reply } from '../../routing/call';
import { cookieOf } from '../cookies';
import { localPath } from '../local-path';
import { enterOrAskCode, loginPage } from './sign-in';
import { signInProtection } from './sign-in-form';

const CALLBACK = '/accounts/external/callback/';

const redirectUri = ({ site }: Call): string => `${site.base}${CALLBACK}`;

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
  const request = {
    secret: cookieOf(call.request, call.site, 'sign-in'),
    callback: `${redirectUri(call)}?${call.query.toString()}`,
    next,
    userAgent: call.userAgent,
  };
  try {
    const answer = await call.clients.identity.finishExternalSignIn(request, call.options);
    return enterOrAskCode(call, localPath(next, call.site), answer);
  } catch (error) {
    const status = isServiceError(error, 'AUTHENTICATION_FAILED')
      ? 403
      : isServiceError(error, 'UNAVAILABLE')
        ? 503
        : 0;
    if (status === 0) throw error;
    return loginPage(call, localPath(next, call.site), { status, problem: (error as Error).message });
  }
}
