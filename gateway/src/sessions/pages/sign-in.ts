import { isServiceError } from '@parlance/errors';
import { countedAddress } from '../../limits/counted-address';
import { privatePage, seeOther } from '../../pages/rendering/reply';
import { originOf } from '../../responses/site';
import type { Call, Reply } from '../../routing/call';
import { sessionOf } from '../browser';
import { cookieOf, deletedCookie, type SetCookie } from '../cookies';
import { localPath, refererPath } from '../local-path';
import { readForm, type PageForm, type SecurityKeyForm } from './form-values';
import { retryAfter } from './retry-after';
import { EXPIRED_FORM, hasFormToken, signInProtection } from './sign-in-form';

const LOGIN = '/accounts/login/';
const CODE = '/accounts/login/code/';
export const PROFILE = '/accounts/profile/';

/** Messages of a sign-in page besides its form. */
interface Notes {
  status?: number;
  headers?: Record<string, string>;
  problem?: string;
  notice?: string;
  username?: string;
}

/** Messages by the value of the query parameter `done`. */
const notices: Readonly<Record<string, string>> = {
  password: 'Your password was set. Sign in with it.',
  expired: 'The sign-in took too long. Start again.',
};

const destination = (call: Call, next: string | undefined): string => next ?? `${call.site.root}${PROFILE}`;

/** The address of the sign-in that leads back to a page. */
export function loginAddress({ site }: Call, next?: string): string {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  return `${site.root}${LOGIN}${query}`;
}

export function loginPage(call: Call, next: string | undefined, notes: Notes = {}): Reply {
  const { hidden, cookie } = signInProtection(call);
  const form: PageForm = {
    id: 'login',
    action: `${call.site.root}${LOGIN}`,
    hidden: { ...hidden, ...(next === undefined ? {} : { next }) },
    fields: [
      {
        name: 'username',
        label: 'User name or mail address',
        type: 'text',
        autocomplete: 'username',
        value: notes.username ?? '',
        required: true,
        focus: !notes.username,
        maxlength: 200,
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        focus: !!notes.username,
      },
    ],
    button: 'Sign in',
  };
  const { providerName, root } = call.site;
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  const external = { text: `Sign in with ${providerName}`, href: `${root}/accounts/external/${query}` };
  const links = [
    ...(providerName === undefined ? [] : [external]),
    { text: 'Forgot your password?', href: `${root}/accounts/password/reset/` },
  ];
  const { status = 200, headers = {}, problem, notice } = notes;
  return privatePage(
    call,
    'form',
    { title: 'Sign in', form, links, problem, notice },
    { status, headers, cookies: [cookie] },
  );
}

/** Shows the form, or leads callers who are signed in to their destination. */
export function showLogin(call: Call): Promise<Reply> {
  const next = localPath(call.query.get('next'), call.site) ?? refererPath(call.request.headers.referer, call.site);
  if (sessionOf(call.request)) return Promise.resolve(seeOther(destination(call, next)));
  const notice = notices[call.query.get('done') ?? ''];
  return Promise.resolve(loginPage(call, next, notice === undefined ? {} : { notice }));
}

/** The cookie of a session that lasts until a time. */
export const sessionCookie = (value: string, expiresMs: number): SetCookie => ({
  name: 'session',
  value,
  maxAge: Math.max(0, expiresMs - Date.now()),
});

/** The response for attempts that come too early. */
function throttledNotes(error: unknown): Notes | undefined {
  if (!isServiceError(error, 'THROTTLED')) return undefined;
  return { status: 429, headers: retryAfter(error), problem: error.message };
}

export async function login(call: Call): Promise<Reply> {
  const isOwnForm = await hasFormToken(call);
  const form = await readForm(call);
  const next = localPath(form.text('next'), call.site);
  const username = form.text('username').slice(0, 200);
  if (!isOwnForm) return loginPage(call, next, { status: 403, problem: EXPIRED_FORM, username });
  const request = {
    username: form.text('username'),
    password: form.text('password'),
    network: countedAddress(call.address),
    userAgent: call.userAgent,
  };
  try {
    const answer = await call.clients.identity.signIn(request, call.options);
    return enterOrAskCode(call, next, answer);
  } catch (error) {
    const notes = isServiceError(error, 'AUTHENTICATION_FAILED')
      ? { status: 401, headers: { 'WWW-Authenticate': 'Token' }, problem: error.message }
      : throttledNotes(error);
    if (!notes) throw error;
    return loginPage(call, next, { ...notes, username });
  }
}

/** Continues after the first step of a sign-in. */
export function enterOrAskCode(
  call: Call,
  next: string | undefined,
  answer: { secret: string; expiresMs: number; needsCode: boolean },
): Reply {
  if (!answer.needsCode) return enter(call, next, answer);
  const { cookie } = signInProtection(call, answer.secret);
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  return seeOther(`${call.site.root}${CODE}${query}`, [cookie]);
}

/** Starts the session in the browser, with a secret that it did not have before. */
function enter(
  call: Call,
  next: string | undefined,
  { secret, expiresMs }: { secret: string; expiresMs: number },
): Reply {
  return seeOther(destination(call, next), [sessionCookie(secret, expiresMs), deletedCookie('sign-in')]);
}

/** Means of completing the pending sign-in of the browser. */
interface Pending {
  hasCodes: boolean;
  keyOptions: string;
}

/** @throws AUTHENTICATION_FAILED if there is none */
function pendingSignIn(call: Call): Promise<Pending> {
  const secret = cookieOf(call.request, call.site, 'sign-in');
  return call.clients.identity.describePendingSignIn({ secret, origin: originOf(call.site) }, call.options);
}

function codePage(
  call: Call,
  next: string | undefined,
  { hasCodes, keyOptions }: Pending,
  notes: Notes & { codeProblem?: string } = {},
): Reply {
  const { hidden, cookie } = signInProtection(call);
  const { status = 200, headers = {}, problem, codeProblem } = notes;
  const shared = {
    action: `${call.site.root}${CODE}`,
    hidden: { ...hidden, ...(next === undefined ? {} : { next }) },
  };
  const form: PageForm = {
    ...shared,
    id: 'code',
    fields: [
      {
        name: 'code',
        label: 'Code of your authenticator app',
        type: 'text',
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        required: true,
        focus: true,
        maxlength: 20,
        ...(codeProblem === undefined ? {} : { problem: codeProblem }),
      },
    ],
    button: 'Continue',
  };
  const key: SecurityKeyForm | undefined =
    keyOptions === ''
      ? undefined
      : { ...shared, id: 'security-key', button: 'Use a security key', use: 'get', options: keyOptions };
  const links = [{ text: 'Sign in as another user', href: loginAddress(call, next) }];
  return privatePage(
    call,
    'form',
    { title: 'Second factor', form: hasCodes ? form : undefined, key, links, problem },
    { status, headers, cookies: [cookie], hasScript: key !== undefined },
  );
}

/** Leads back to the sign-in if the pending one has expired. */
async function whilePending(call: Call, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (!isServiceError(error, 'AUTHENTICATION_FAILED')) throw error;
    return seeOther(`${call.site.root}${LOGIN}?done=expired`, [deletedCookie('sign-in')]);
  }
}

/** Without the cookie of a pending sign-in, no code can be entered. */
export async function showCode(call: Call): Promise<Reply> {
  const next = localPath(call.query.get('next'), call.site);
  if (cookieOf(call.request, call.site, 'sign-in') === '') return seeOther(loginAddress(call, next));
  return whilePending(call, async () => codePage(call, next, await pendingSignIn(call)));
}

export async function confirmCode(call: Call): Promise<Reply> {
  const isOwnForm = await hasFormToken(call);
  const form = await readForm(call);
  const next = localPath(form.text('next'), call.site);
  return whilePending(call, async () => {
    if (!isOwnForm) return codePage(call, next, await pendingSignIn(call), { status: 403, problem: EXPIRED_FORM });
    const secret = cookieOf(call.request, call.site, 'sign-in');
    const given = { code: form.text('code'), response: form.text('response'), origin: originOf(call.site) };
    const request = { secret, ...given, userAgent: call.userAgent };
    try {
      return enter(call, next, await call.clients.identity.confirmSignIn(request, call.options));
    } catch (error) {
      const notes = isServiceError(error, 'INVALID')
        ? { status: 400, ...(given.response === '' ? { codeProblem: error.message } : { problem: error.message }) }
        : throttledNotes(error);
      if (!notes) throw error;
      return codePage(call, next, await pendingSignIn(call), notes);
    }
  });
}

/** Ends the session of the browser. */
export async function logout(call: Call): Promise<Reply> {
  const session = sessionOf(call.request);
  if (session) await call.clients.identity.signOut({ secret: session.secret }, call.options);
  return seeOther(`${call.site.root}/`, [deletedCookie('session')]);
}
