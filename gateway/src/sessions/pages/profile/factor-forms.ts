import type { identity } from '@parlance/contracts';
import type { FormField, FormMaker, SecurityKeyForm } from '../form-values';
import { timeOf } from '../time-text';

/** Data of the page for completing a new second factor. */
export type NewFactor =
  { kind: 'totp'; id: number; secret?: string; uri?: string } | { kind: 'webauthn'; name: string; options: string };

/** Proves that the user is there: the password or a code. */
export const proofField: FormField = {
  name: 'password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
  required: true,
  hint: 'Or a six-digit code of an authenticator app that you confirmed.',
};

const factorFields: readonly FormField[] = [
  {
    name: 'kind',
    label: 'Kind',
    type: 'select',
    choices: [
      { value: 'webauthn', text: 'Security key or passkey (WebAuthn)' },
      { value: 'totp', text: 'Authenticator app with codes (TOTP)' },
    ],
  },
  { name: 'name', label: 'Name', type: 'text', required: true, autocomplete: 'off', maxlength: 100 },
  proofField,
];

const codeField: FormField = {
  name: 'code',
  label: 'Code of the app',
  type: 'text',
  autocomplete: 'one-time-code',
  inputmode: 'numeric',
  required: true,
  focus: true,
  maxlength: 20,
};

const rowOf = ({ id, name, isSecurityKey, createdMs, confirmedMs, lastUsedMs }: identity.SecondFactor__Output) => ({
  id,
  name,
  kind: `${isSecurityKey ? 'Security key' : 'Authenticator app'}${confirmedMs === 0 ? ', not confirmed' : ''}`,
  added: timeOf(createdMs),
  used: timeOf(lastUsedMs, 'never'),
});

/** List and forms of the second factors for the view. */
export function factorForms(
  factors: readonly identity.SecondFactor__Output[],
  form: FormMaker,
  page: { newFactor: NewFactor | undefined; action: string; hidden: Readonly<Record<string, string>> },
) {
  const { newFactor, action, hidden } = page;
  const choices = factors.map(({ id, name }) => ({ value: String(id), text: name }));
  const added = form('add-factor', factorFields, 'Add a second factor');
  const removed = form(
    'remove-factor',
    [{ name: 'factor', label: 'Second factor', type: 'select', choices }, proofField],
    'Remove it',
  );
  const confirmed =
    newFactor?.kind === 'totp'
      ? form('confirm-factor', [codeField], 'Confirm', { factor: String(newFactor.id) })
      : undefined;
  const key: SecurityKeyForm | undefined =
    newFactor?.kind === 'webauthn'
      ? {
          id: 'register-key',
          action,
          hidden: { ...hidden, action: 'finish-key', name: newFactor.name },
          button: 'Use the security key',
          use: 'create',
          options: newFactor.options,
        }
      : undefined;
  const newSecret =
    newFactor?.kind === 'totp' && newFactor.secret !== undefined
      ? { secret: newFactor.secret, uri: newFactor.uri ?? '' }
      : undefined;
  return {
    model: {
      factors: factors.map(rowOf),
      factorForm: added.form,
      removalForm: removed.form,
      confirmForm: confirmed?.form,
      key,
      newSecret,
    },
    others: [...added.others, ...removed.others, ...(confirmed?.others ?? [])],
  };
}
