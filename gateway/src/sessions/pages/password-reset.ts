import { isServiceError, type FieldProblem } from '@parlance/errors';
import { countedAddress } from '../../limits/counted-address';
import { privatePage, seeOther } from '../../pages/rendering/reply';
import type { Call, Reply } from '../../routing/call';
import { mismatch, readForm, withProblems, type FormField, type PageForm } from './form-values';
import { retryAfter } from './retry-after';
import { EXPIRED_FORM, hasFormToken, signInProtection } from './sign-in-form';

const RESET = '/accounts/password/reset/';
const SET = '/accounts/password/set/';

interface Notes {
  status?: number;
  headers?: Record<string, string>;
  problem?: string;
}

function resetPage(call: Call, { status = 200, headers = {}, problem }: Notes = {}): Reply {
  const { hidden, cookie } = signInProtection(call);
  const form: PageForm = {
    id: 'reset',
    action: `${call.site.root}${RESET}`,
    hidden,
    fields: [
      {
        name: 'email',
        label: 'Mail address',
        type: 'email',
        autocomplete: 'email',
        required: true,
        focus: true,
        maxlength: 200,
      },
    ],
    button: 'Send a link',
  };
  const lead = 'Enter the mail address of your account. You get a link to set a new password.';
  const model = { title: 'Reset your password', lead, form, links: [], problem };
  return privatePage(call, 'form', model, { status, headers, cookies: [cookie] });
}

export const showReset = (call: Call): Promise<Reply> => Promise.resolve(resetPage(call));

/** Queues the mail. The response is the same for known and unknown addresses. */
export async function requestReset(call: Call): Promise<Reply> {
  const isOwnForm = await hasFormToken(call);
  const form = await readForm(call);
  if (!isOwnForm) return resetPage(call, { status: 403, problem: EXPIRED_FORM });
  const request = { email: form.text('email').trim().slice(0, 200), network: countedAddress(call.address) };
  try {
    await call.clients.identity.requestPasswordReset(request, call.options);
  } catch (error) {
    if (!isServiceError(error, 'THROTTLED')) throw error;
    return resetPage(call, { status: 429, headers: retryAfter(error), problem: error.message });
  }
  const lead =
    'If an account has this mail address, a mail with a link is on its way. The link is valid for an hour. If no mail arrives, ask an administrator.';
  return privatePage(call, 'form', { title: 'Check your mail', lead, links: [] });
}

/** Fields for a new password. */
export const newPasswordFields: readonly FormField[] = [
  {
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    hint: 'At least 8 characters.',
  },
  { name: 'repeated', label: 'New password again', type: 'password', autocomplete: 'new-password', required: true },
];

function setPage(call: Call, secret: string, problems: readonly FieldProblem[] = [], status = 200): Reply {
  const { hidden, cookie } = signInProtection(call);
  const { fields, others } = withProblems(newPasswordFields, problems);
  const form: PageForm = {
    id: 'set',
    action: `${call.site.root}${SET}`,
    hidden: { ...hidden, secret },
    fields,
    button: 'Set the password',
  };
  const links = [{ text: 'Request another link', href: `${call.site.root}${RESET}` }];
  const model = { title: 'Set a new password', form, links, problem: others[0] };
  return privatePage(call, 'form', model, { status, cookies: [cookie] });
}

/** Only the form uses up the link, so that programs which follow links in mails do not. */
export const showSet = (call: Call): Promise<Reply> =>
  Promise.resolve(setPage(call, (call.query.get('secret') ?? '').slice(0, 100)));

export async function setPassword(call: Call): Promise<Reply> {
  const isOwnForm = await hasFormToken(call);
  const form = await readForm(call);
  const secret = form.text('secret').slice(0, 100);
  const password = form.text('password');
  if (!isOwnForm) return setPage(call, secret, [{ attr: null, code: 'invalid', detail: EXPIRED_FORM }], 403);
  if (password !== form.text('repeated')) return setPage(call, secret, [mismatch], 400);
  try {
    await call.clients.identity.resetPassword({ secret, password }, call.options);
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    return setPage(call, secret, error.problems, 400);
  }
  return seeOther(`${call.site.root}/accounts/login/?done=password`);
}
