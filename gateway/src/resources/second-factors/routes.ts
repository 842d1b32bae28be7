import { canOnSite } from '@parlance/access';
import { field } from '@parlance/contracts';
import { denied } from '../../access/access';
import type { Call } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound } from '../../responses/errors';
import { idParam, readFields } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentSecondFactor } from './present';
import { pages } from '../shared';
import { ownerOf } from '../users/routes';
import { pageSchema } from '../../responses/schema';
import { newSecondFactorSchema, secondFactorSchema } from './schema';
import { z } from 'zod';

/** Proof of presence: a token alone must not change the protection of the account. */
const presenceFields = z.object({
  password: field
    .text('Password of the caller; this or code is required.', { maxLength: 1_000, access: 'write-only' })
    .optional(),
  code: field
    .line('Current code of a confirmed second factor of the caller, instead of the password.', {
      maxLength: 20,
      access: 'write-only',
    })
    .optional(),
});

const factorFields = z.object({
  name: field.line('Name of the device or app that generates the codes.'),
  ...presenceFields.shape,
});

const codeFields = z.object({
  code: field.line('Current six-digit code of the factor.'),
});

const owner = {
  ways: ['self'],
  async decide(call: Call): Promise<void> {
    if ((await ownerOf(call)).id !== call.caller.userId) throw denied(call);
  },
} as const;

const managers = {
  ways: ['self', { permission: 'user.edit', on: 'site' }],
  async decide(call: Call): Promise<void> {
    const { id } = await ownerOf(call);
    if (id !== call.caller.userId && !canOnSite(call.caller, 'user.edit')) throw denied(call);
  },
} as const;

const listOf = async (call: Call) => `${call.links.user((await ownerOf(call)).username)}second-factors/`;

/** The factor named by the path. @throws NOT_FOUND */
async function factorOf(call: Call) {
  const request = { userId: (await ownerOf(call)).id, id: idParam(call, 'factor') };
  const { factor } = await call.clients.identity.getSecondFactor(request, call.options);
  if (!factor) throw notFound();
  return factor;
}

const SECOND_FACTORS_PATH = '/api/users/:username/second-factors/';

export const secondFactorEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: SECOND_FACTORS_PATH,
    response: pageSchema(secondFactorSchema),
    access: managers,
    doc: 'Lists the second factors of a user, without their secrets.',
    cached: true,
    async handle(call) {
      const { id: userId } = await ownerOf(call);
      const address = await listOf(call);
      return list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.identity.listSecondFactors({ userId, page }, call.options);
          return { items: answer.factors, total: answer.total };
        },
        (items) => items.map((factor) => presentSecondFactor(factor, address, call.links)),
      );
    },
  },
  {
    method: 'POST',
    path: SECOND_FACTORS_PATH,
    success: [201],
    response: newSecondFactorSchema,
    access: owner,
    doc: 'Creates a second factor (TOTP), active once it is confirmed; only this response contains its secret. Security keys are added on the profile page.',
    body: { fields: factorFields },
    async handle(call) {
      const fields = await readFields(call, factorFields, 'create');
      const request = { ...fields, userId: (await ownerOf(call)).id };
      const { factor, secret, otpauthUri } = await call.clients.identity.createSecondFactor(request, call.options);
      const shownOnce = { secret, otpauth_uri: otpauthUri };
      const data = presentSecondFactor(factor!, await listOf(call), call.links, shownOnce);
      return created(data, String(data['url']));
    },
  },
  {
    method: 'GET',
    path: `${SECOND_FACTORS_PATH}:factor/`,
    response: secondFactorSchema,
    access: managers,
    doc: 'Shows a second factor, without its secret.',
    cached: true,
    handle: async (call) => ok(presentSecondFactor(await factorOf(call), await listOf(call), call.links)),
  },
  {
    method: 'POST',
    path: `${SECOND_FACTORS_PATH}:factor/confirm/`,
    response: secondFactorSchema,
    access: owner,
    doc: 'Confirms a second factor with a current code; each code is accepted once.',
    body: { fields: codeFields },
    async handle(call) {
      // A missing factor takes precedence over problems of the body.
      const { id, userId } = await factorOf(call);
      const fields = await readFields(call, codeFields, 'create');
      const answer = await call.clients.identity.confirmSecondFactor({ ...fields, userId, id }, call.options);
      return ok(presentSecondFactor(answer.factor!, await listOf(call), call.links));
    },
  },
  {
    method: 'DELETE',
    path: `${SECOND_FACTORS_PATH}:factor/`,
    access: managers,
    doc: 'Removes a second factor and immediately revokes the access that it granted.',
    body: { fields: presenceFields },
    async handle(call) {
      const { id, userId } = await factorOf(call);
      const request = { ...(await readFields(call, presenceFields, 'update')), userId, id };
      await call.clients.identity.deleteSecondFactor(request, call.options);
      return noContent;
    },
  },
];
