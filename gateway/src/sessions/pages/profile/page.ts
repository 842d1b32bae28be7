import type { identity } from '@parlance/contracts';
import type { FieldProblem } from '@parlance/errors';
import { privatePage } from '../../../pages/rendering/reply';
import type { Call, Reply } from '../../../routing/call';
import { csrfToken, type Session } from '../../browser';
import { CSRF_FIELD } from '../../csrf';
import { withProblems, type FormField, type FormMaker, type FormValues } from '../form-values';
import { newPasswordFields } from '../password-reset';
import { projectsOfTokens } from '../../../resources/tokens/token-projects';
import { factorForms, type NewFactor } from './factor-forms';
import { providerSection } from './provider';
import { timeOf } from '../time-text';
import { PROFILE } from '../sign-in';

/** Tokens and sessions of a page. */
const ROWS = 100;

/** Messages by the value of the query parameter `done`. */
const notices: Readonly<Record<string, string>> = {
  session: 'The session ended.',
  sessions: 'All other sessions ended.',
  token: 'The token was revoked.',
  password: 'The password was changed. All other sessions ended.',
  factor: 'The second factor was added.',
  'factor-removed': 'The second factor was removed.',
  linked: 'The sign-in of the provider was linked with your account.',
  unlinked: 'The link was removed.',
};

/** Messages of the page after a form. */
export interface Outcome {
  status?: number;
  headers?: Record<string, string>;
  /** Action of the form whose problems are shown. */
  action?: string;
  problems?: readonly FieldProblem[];
  values?: FormValues;
  newToken?: string;
  newFactor?: NewFactor;
  /** Of no form of the page. */
  problem?: string;
}

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

const tokenRowOf = (token: identity.Token__Output, projects: readonly string[]) => {
  const { id, name, hint, createdMs, lastUsedMs, expiresMs, readOnly, limitedToProjectIds } = token;
  const isLimited = limitedToProjectIds.length > 0;
  return {
    limits: [
      ...(readOnly ? ['reads only'] : []),
      ...(isLimited ? [projects.join(', ') || 'deleted projects'] : []),
    ].join('; '),
    id,
    name,
    hint: `…${hint}`,
    created: timeOf(createdMs),
    used: timeOf(lastUsedMs, 'never'),
    expires: timeOf(expiresMs, 'never'),
  };
};

const tokenFields: readonly FormField[] = [
  { name: 'name', label: 'Name', type: 'text', required: true, autocomplete: 'off', maxlength: 100 },
  {
    name: 'expires',
    label: 'Expires after (optional)',
    type: 'date',
    hint: 'Without a date, it is valid until you revoke it.',
  },
  {
    name: 'access',
    label: 'Access',
    type: 'select',
    choices: [
      { value: 'full', text: 'Everything that you may do' },
      { value: 'read', text: 'Reading only' },
    ],
  },
  {
    name: 'projects',
    label: 'Projects (optional)',
    type: 'text',
    autocomplete: 'off',
    hint: 'Short names as in addresses, separated by spaces. Without them, the token reaches all projects that you may see.',
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

/** A code that is entered instead of the password has its problem beside that field. */
const besideProof = (fields: readonly FormField[], problems: readonly FieldProblem[]): FieldProblem[] =>
  fields.some(({ name }) => name === 'code')
    ? [...problems]
    : problems.map((problem) => (problem.attr === 'code' ? { ...problem, attr: 'password' } : problem));

/** The page, after a form with its message. */
export async function profilePage(call: Call, session: Session, outcome: Outcome = {}): Promise<Reply> {
  const { action, problems = [], values, newToken, newFactor, status = 200, headers = {} } = outcome;
  const { userId } = session;
  const { identity } = call.clients;
  const page = { page: 1, pageSize: ROWS };
  const [{ sessions }, { tokens }, { factors }] = await Promise.all([
    identity.listSessions({ userId }, call.options),
    identity.listPersonalTokens({ userId, page }, call.options),
    identity.listSecondFactors({ userId, page }, call.options),
  ]);
  const form: FormMaker = (id, fields, button, more = {}) => {
    const isSent = action === id;
    const shown = withProblems(fields, isSent ? besideProof(fields, problems) : []);
    // Passwords are not sent back.
    const kept = shown.fields.map((field) =>
      isSent && values && field.type !== 'password' && problems.length > 0
        ? { ...field, value: values.text(field.name) }
        : field,
    );
    const hidden = { [CSRF_FIELD]: csrfToken(call.request) ?? '', action: id, ...more };
    return { form: { id, hidden, fields: kept, button }, others: shown.others };
  };
  const projects = await projectsOfTokens(call, tokens);
  const formAction = `${call.site.root}${PROFILE}`;
  const hidden = { [CSRF_FIELD]: csrfToken(call.request) ?? '' };
  const factor = factorForms(factors, form, { newFactor, action: formAction, hidden });
  const token = form('create-token', tokenFields, 'Create a token');
  const provider = await providerSection(call, session, form);
  const password = form('change-password', passwordFields, 'Change the password');
  const { username, fullName, email } = call.caller;
  const model = {
    title: 'Your profile',
    action: formAction,
    user: { username, fullName, email },
    ...factor.model,
    provider: provider.section,
    openForms: action === undefined ? {} : { [action]: true },
    sessions: sessions.slice(0, ROWS).map((each) => rowOf(each, session.id)),
    tokens: tokens.map((token) => tokenRowOf(token, projects.get(token.id) ?? [])),
    newToken,
    tokenForm: token.form,
    passwordForm: password.form,
    notice: notices[call.query.get('done') ?? ''],
    problem: [outcome.problem, ...factor.others, ...provider.others, ...token.others, ...password.others].find(Boolean),
  };
  return privatePage(call, 'profile', model, { status, headers, hasScript: factor.model.key !== undefined });
}
