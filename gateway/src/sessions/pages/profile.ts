import type { identity } from '@parlance/contracts';
import { isServiceError, type FieldProblem } from '@parlance/errors';
import { privatePage, seeOther } from '../../pages/rendering/reply';
import type { Call, Reply } from '../../routing/call';
import { idOf } from '../../bodies/input';
import { csrfToken, sessionOf, type Session } from '../browser';
import { CSRF_FIELD } from '../csrf';
import { mismatch, readForm, withProblems, type FormField, type FormValues, type PageForm } from './form-values';
import { newPasswordFields } from './password-reset';
import { retryAfter } from './retry-after';
import { loginAddress, PROFILE, sessionCookie } from './sign-in';

/** Tokens and sessions of a page. */
const ROWS = 100;

/** Messages by the value of the query parameter `done`. */
const notices: Readonly<Record<string, string>> = {
  session: 'The session ended.',
  sessions: 'All other sessions ended.',
  token: 'The token was revoked.',
  password: 'The password was changed. All other sessions ended.',
};

/** What the page says after a form. */
interface Outcome {
  status?: number;
  headers?: Record<string, string>;
  /** Action of the form whose problems are shown. */
  action?: string;
  problems?: readonly FieldProblem[];
  values?: FormValues;
  newToken?: string;
}

const timeOf = (ms: number, otherwise = ''): { iso: string; text: string } => {
  if (ms === 0) return { iso: '', text: otherwise };
  const iso = new Date(ms).toISOString();
  return { iso, text: `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` };
};

/** Name of a browser in its User-Agent; the later ones name the earlier ones, too. */
function browserOf(userAgent: string): string {
  const [name] = /Firefox|Edg|OPR|Chrome|Safari/.exec(userAgent.replace(/Chrome(?=.*(?:Edg|OPR)\/)/, '')) ?? [];
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' };
  const [system] = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(userAgent) ?? [];
  if (name === undefined) return userAgent.slice(0, 60) || 'Unknown browser';
  return `${names[name] ?? name}${system ? ` on ${system}` : ''}`;
}

const rowOf = (session: identity.Session__Output, currentId: number) => ({
  id: session.id,
  browser: browserOf(session.userAgent),
  address: session.clientAddress,
  created: timeOf(session.createdMs),
  seen: timeOf(session.lastSeenMs),
  current: session.id === currentId,
});

const tokenRowOf = ({ id, name, hint, createdMs, lastUsedMs, expiresMs }: identity.Token__Output) => ({
  id,
  name,
  hint: `…${hint}`,
  created: timeOf(createdMs),
  used: timeOf(lastUsedMs, 'never'),
  expires: timeOf(expiresMs, 'never'),
});

const tokenFields: readonly FormField[] = [
  { name: 'name', label: 'Name', type: 'text', required: true, autocomplete: 'off', maxlength: 100 },
  {
    name: 'expires',
    label: 'Expires after (optional)',
    type: 'date',
    hint: 'Without a date, it is valid until you revoke it.',
  },
];

const passwordFields: readonly FormField[] = [
  {
    name: 'current_password',
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  },
  ...newPasswordFields,
];

async function profilePage(call: Call, session: Session, outcome: Outcome = {}): Promise<Reply> {
  const { action, problems = [], values, newToken, status = 200, headers = {} } = outcome;
  const { userId } = session;
  const { identity } = call.clients;
  const page = { page: 1, pageSize: ROWS };
  const [{ sessions }, { tokens }, { factors }] = await Promise.all([
    identity.listSessions({ userId }, call.options),
    identity.listPersonalTokens({ userId, page }, call.options),
    identity.listSecondFactors({ userId, page }, call.options),
  ]);
  const form = (id: string, fields: readonly FormField[], button: string): { form: PageForm; others: string[] } => {
    const isSent = action === id;
    const shown = withProblems(fields, isSent ? problems : []);
    // Passwords are not sent back.
    const kept = shown.fields.map((field) =>
      isSent && values && field.type !== 'password' && newToken === undefined
        ? { ...field, value: values.text(field.name) }
        : field,
    );
    const hidden = { [CSRF_FIELD]: csrfToken(call.request) ?? '', action: id };
    return { form: { id, hidden, fields: kept, button }, others: shown.others };
  };
  const token = form('create-token', tokenFields, 'Create a token');
  const password = form('change-password', passwordFields, 'Change the password');
  const { username, fullName, email } = call.caller;
  const confirmed = factors.filter(({ confirmedMs }) => confirmedMs !== 0).length;
  const model = {
    title: 'Your profile',
    action: `${call.site.root}${PROFILE}`,
    user: { username, fullName, email, factors: confirmed === 0 ? 'none' : `${confirmed} confirmed` },
    sessions: sessions.slice(0, ROWS).map((each) => rowOf(each, session.id)),
    tokens: tokens.map(tokenRowOf),
    newToken,
    tokenForm: token.form,
    passwordForm: password.form,
    notice: notices[call.query.get('done') ?? ''],
    problem: [...token.others, ...password.others][0],
  };
  return privatePage(call, 'profile', model, { status, headers });
}

export async function showProfile(call: Call): Promise<Reply> {
  const session = sessionOf(call.request);
  return session ? profilePage(call, session) : seeOther(loginAddress(call, `${call.site.root}${PROFILE}`));
}

const done = (call: Call, what: string, section: string): Reply =>
  seeOther(`${call.site.root}${PROFILE}?done=${what}#${section}`);

/** Forms of the page, by the value of their field `action`. */
const actions: Readonly<Record<string, (call: Call, session: Session, form: FormValues) => Promise<Reply>>> = {
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
    const request = { userId: session.userId, name: values.text('name').trim(), expiresMs };
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
