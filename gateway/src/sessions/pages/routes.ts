import type { Call, Reply } from '../../routing/call';
import type { Endpoint } from '../../routing/endpoint';
import { finishExternal, startExternal } from './external-sign-in';
import { requestReset, setPassword, showReset, showSet } from './password-reset';
import { changeProfile, showProfile } from './profile/profile';
import { confirmCode, login, logout, showCode, showLogin } from './sign-in';

type Handler = (call: Call) => Promise<Reply>;

const endpoint = (method: Endpoint['method'], path: string, doc: string, handle: Handler): Endpoint => ({
  method,
  path,
  access: 'anyone',
  doc,
  ownFormat: true,
  handle,
});

/** A form for callers without a session and its page. */
const signInForm = (path: string, doc: string, show: Handler, submit: Handler): Endpoint[] => [
  endpoint('GET', path, doc, show),
  { ...endpoint('POST', path, doc, submit), signInForm: true },
];

/** The pages of accounts: sign-in, profile and password reset. They are no part of the API's description. */
export const accountEndpoints: readonly Endpoint[] = [
  ...signInForm('/accounts/login/', 'Signs in with a password.', showLogin, login),
  ...signInForm('/accounts/login/code/', 'Completes a sign-in with a second factor.', showCode, confirmCode),
  endpoint('GET', '/accounts/external/', 'Sends the browser to the OpenID Connect provider.', startExternal),
  {
    ...endpoint('GET', '/accounts/external/callback/', 'Completes a sign-in by the provider.', finishExternal),
    writes: true,
  },
  endpoint('POST', '/accounts/logout/', 'Ends the session.', logout),
  endpoint('GET', '/accounts/profile/', 'Sessions, tokens and password of the user.', showProfile),
  endpoint('POST', '/accounts/profile/', 'Changes sessions, tokens or the password of the user.', changeProfile),
  ...signInForm('/accounts/password/reset/', 'Mails a link to set a new password.', showReset, requestReset),
  ...signInForm('/accounts/password/set/', 'Sets a password by a mailed link.', showSet, setPassword),
];
