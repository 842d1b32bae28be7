import { isServiceError } from '@parlance/errors';
import { idOf } from '../../../bodies/input';
import { originOf } from '../../../responses/site';
import { done, proofOf, type ProfileAction } from './action';
import { profilePage } from './page';

/** Forms of the second factors, by the value of their field `action`. */
export const factorActions: Readonly<Record<string, ProfileAction>> = {
  async 'add-factor'(call, session, form) {
    const { userId } = session;
    const name = form.text('name').trim();
    const wanted = { userId, name, ...proofOf(form) };
    const { identity } = call.clients;
    if (form.text('kind') === 'totp') {
      const { factor, secret, otpauthUri: uri } = await identity.createSecondFactor(wanted, call.options);
      return profilePage(call, session, { newFactor: { kind: 'totp', id: factor!.id, secret, uri } });
    }
    const { options } = await identity.startSecurityKey({ ...wanted, origin: originOf(call.site) }, call.options);
    return profilePage(call, session, { newFactor: { kind: 'webauthn', name, options } });
  },

  async 'confirm-factor'(call, session, form) {
    const id = idOf(form.text('factor')) ?? 0;
    try {
      const request = { userId: session.userId, id, code: form.text('code') };
      await call.clients.identity.confirmSecondFactor(request, call.options);
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      const { problems } = error;
      const shown = { status: 400, action: 'confirm-factor', problems, newFactor: { kind: 'totp', id } as const };
      return profilePage(call, session, shown);
    }
    return done(call, 'factor', 'factors');
  },

  async 'finish-key'(call, session, form) {
    const given = { name: form.text('name'), response: form.text('response'), origin: originOf(call.site) };
    try {
      await call.clients.identity.finishSecurityKey({ userId: session.userId, ...given }, call.options);
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      return profilePage(call, session, { status: 400, action: 'add-factor', problems: error.problems });
    }
    return done(call, 'factor', 'factors');
  },

  async 'remove-factor'(call, { userId }, form) {
    const request = { userId, id: idOf(form.text('factor')) ?? 0, ...proofOf(form) };
    await call.clients.identity.deleteSecondFactor(request, call.options);
    return done(call, 'factor-removed', 'factors');
  },
};
