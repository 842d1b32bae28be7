import { isServiceError, type FieldProblem } from '@parlance/errors';
import { seeOther } from '../../../pages/rendering/reply';
import type { Call, Reply } from '../../../routing/call';
import { idOf } from '../../../bodies/input';
import { projectIdsOf } from '../../../resources/tokens/token-projects';
import { sessionOf } from '../../browser';
import { mismatch, readForm } from '../form-values';
import { done, type ProfileAction } from './action';
import { factorActions } from './factors';
import { profilePage } from './page';
import { providerActions } from './provider';
import { retryAfter } from '../retry-after';
import { loginAddress, PROFILE, sessionCookie } from '../sign-in';

/** One more than a token may have: identity reports longer lists, which are cut here. */
const MAX_PROJECTS = 101;

export async function showProfile(call: Call): Promise<Reply> {
  const session = sessionOf(call.request);
  return session ? profilePage(call, session) : seeOther(loginAddress(call, `${call.site.root}${PROFILE}`));
}

/** Forms of the page, by the value of their field `action`. */
const actions: Readonly<Record<string, ProfileAction>> = {
  ...factorActions,
  ...providerActions,

  async 'end-session'(call, { userId }, form) {
    const id = idOf(form.text('id'));
    if (id !== undefined) await call.clients.identity.endSessions({ userId, id }, call.options);
    return done(call, 'session', 'sessions');
  },

  async 'end-other-sessions'(call, { userId, id }) {
    await call.clients.identity.endSessions({ userId, exceptId: id }, call.options);
    return done(call, 'sessions', 'sessions');
  },

  async 'create-token'(call, session, values) {
    const date = values.text('expires');
    // The end of the day, so that the token is valid on it.
    const expiresMs = date === '' ? 0 : Date.parse(`${date}T23:59:59.999Z`);
    if (Number.isNaN(expiresMs)) {
      const problem = { attr: 'expires', code: 'invalid', detail: 'This is not a date.' };
      return profilePage(call, session, { status: 400, action: 'create-token', problems: [problem], values });
    }
    const problems: FieldProblem[] = [];
    const named = values
      .text('projects')
      .split(/[\s,]+/, MAX_PROJECTS)
      .filter(Boolean);
    const projectIds = await projectIdsOf(call, named, problems);
    if (problems.length > 0) {
      const detail = 'One of these projects does not exist.';
      const shown = [{ attr: 'projects', code: 'does_not_exist', detail }];
      return profilePage(call, session, { status: 400, action: 'create-token', problems: shown, values });
    }
    const readOnly = values.text('access') === 'read';
    const request = { userId: session.userId, name: values.text('name').trim(), expiresMs, readOnly, projectIds };
    const { value } = await call.clients.identity.createPersonalToken(request, call.options);
    return profilePage(call, session, { newToken: value });
  },

  async 'revoke-token'(call, { userId }, form) {
    const id = idOf(form.text('id'));
    if (id !== undefined) await call.clients.identity.revokePersonalToken({ userId, id }, call.options);
    return done(call, 'token', 'tokens');
  },

  async 'change-password'(call, session, values) {
    const password = values.text('password');
    if (password !== values.text('repeated'))
      return profilePage(call, session, { status: 400, action: 'change-password', problems: [mismatch], values });
    const request = { currentPassword: values.text('current_password'), password, userAgent: call.userAgent };
    const { secret, expiresMs } = await call.clients.identity.changePassword(request, call.options);
    const reply = done(call, 'password', 'password');
    return { ...reply, cookies: [sessionCookie(secret, expiresMs)] };
  },
};

/** Handles the forms of the page. Problems are shown beside their fields. */
export async function changeProfile(call: Call): Promise<Reply> {
  const session = sessionOf(call.request);
  if (!session) return seeOther(loginAddress(call, `${call.site.root}${PROFILE}`));
  const values = await readForm(call);
  const action = values.text('action');
  const handle = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!handle) return seeOther(`${call.site.root}${PROFILE}`);
  try {
    return await handle(call, session, values);
  } catch (error) {
    if (isServiceError(error, 'INVALID'))
      return profilePage(call, session, { status: 400, action, problems: error.problems, values });
    if (isServiceError(error, 'NOT_FOUND')) return seeOther(`${call.site.root}${PROFILE}`);
    if (!isServiceError(error, 'THROTTLED') && !isServiceError(error, 'PERMISSION_DENIED')) throw error;
    const problems = [{ attr: null, code: 'invalid', detail: error.message }];
    return profilePage(call, session, {
      status: error.info.http,
      headers: retryAfter(error),
      action,
      problems,
      values,
    });
  }
}
