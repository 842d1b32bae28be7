import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { reasonOf, World } from '../../../test/support/world';
import type { ExternalClaims, ExternalPolicy } from '../../domain/sign-in/external-identity';
import type { User } from '../../domain/user';
import { createGroup } from '../groups/create-group';
import { confirmSecondFactor, createSecondFactor } from '../second-factors/second-factors';
import { deleteUser } from '../users/delete-user';
import { updateUser } from '../users/update-user';
import { finishExternalSignIn } from './external-sign-in';
import { authenticateSession } from './sessions';

const ana: ExternalClaims = {
  issuer: 'https://id.example.org',
  subject: 'a1',
  email: 'ana@example.org',
  emailVerified: true,
  fullName: 'Ana Nováková',
  username: 'ana',
  teams: [],
};

async function makeWorld(policy: Partial<ExternalPolicy> = {}) {
  const world = await World.create();
  Object.assign(world.deps.externalPolicy, policy);
  /** Signs in a person who is known to the provider by these claims. */
  const enter = async (claims: ExternalClaims) => {
    const externalProvider = {
      authorizationAddress: () => Promise.resolve(''),
      claims: () => Promise.resolve(claims),
    };
    const input = { secret: randomBytes(32).toString('base64url'), callback: '', next: '', userAgent: '' };
    return finishExternalSignIn({ ...world.deps, externalProvider }, await world.anonymous(), input);
  };
  /** The user of the session that a sign-in starts. */
  const user = async (claims: ExternalClaims): Promise<User> =>
    (await authenticateSession(world.deps, (await enter(claims)).secret)).user;
  const fate = (claims: ExternalClaims) => reasonOf(enter(claims));
  return { world, enter, user, fate };
}

describe('signing in by a provider', () => {
  it('the first sign-in creates a user, later ones find it by issuer and subject', async () => {
    const { world, user } = await makeWorld();
    const made = await user(ana);
    expect(made).toMatchObject({
      username: 'ana',
      fullName: 'Ana Nováková',
      email: 'ana@example.org',
      isSuperuser: false,
    });
    const changed = { ...ana, email: 'other@example.org', username: 'renamed', fullName: 'Renamed' };
    expect((await user(changed)).id).toBe(made.id);
    expect((await user({ ...ana, issuer: 'https://other.example.org', email: '' })).id).not.toBe(made.id);
    expect((await user({ ...ana, subject: 'a2', email: '' })).username).toBe('ana-3');
    expect(world.announced.audit.find(({ action }) => action === 'user.create')).toMatchObject({
      actorName: 'openid-connect',
      targetId: made.id,
    });
  });

  it('concurrent first sign-ins of a person create one user', async () => {
    const { user } = await makeWorld();
    const users = await Promise.all([user(ana), user(ana), user(ana)]);
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  it('unusable names are replaced, and addresses that are not verified are ignored', async () => {
    const { user } = await makeWorld();
    const made = await user({ ...ana, username: 'no spaces', fullName: '', emailVerified: false });
    expect(made).toMatchObject({ username: `user-${made.id}`, fullName: `user-${made.id}`, email: null });
  });

  it('an account with the same address is linked only if the settings allow it and the address is verified', async () => {
    const { world, user, fate } = await makeWorld();
    const local = await world.user('local', { email: 'Ana@example.org' });
    expect(await fate(ana)).toBe('AUTHENTICATION_FAILED');
    Object.assign(world.deps.externalPolicy, { linkByEmail: true });
    expect((await user({ ...ana, emailVerified: false })).id).not.toBe(local.id);
    expect((await user({ ...ana, subject: 'a2' })).id).toBe(local.id);
    expect(world.announced.audit.at(-2)).toMatchObject({ action: 'user.link', targetId: local.id });
    // Another person with the same address does not take the account over.
    expect(await fate({ ...ana, subject: 'a3' })).toBe('AUTHENTICATION_FAILED');
    expect((await world.deps.users.get(local.id))!.externalKey).toBe('https://id.example.org a2');
  });

  it('bots are not linked, and without creation strangers are refused', async () => {
    const { world, fate } = await makeWorld({ createUsers: false, linkByEmail: true });
    await world.user('robot', { email: 'ana@example.org', isBot: true });
    expect(await fate(ana)).toBe('AUTHENTICATION_FAILED');
    expect(await fate({ ...ana, email: 'new@example.org' })).toBe('AUTHENTICATION_FAILED');
  });

  it('inactive users are refused, and deleted ones are forgotten', async () => {
    const { world, user, fate } = await makeWorld();
    const made = await user(ana);
    await updateUser(world.deps, world.operator, made.id, { isActive: false, replace: false });
    expect(await fate(ana)).toBe('AUTHENTICATION_FAILED');
    await deleteUser(world.deps, world.operator, made.id);
    expect((await user(ana)).id).not.toBe(made.id);
  });

  it('a second factor is still required', async () => {
    const { world, user, enter } = await makeWorld();
    const made = await user(ana);
    await world.deps.users.update(made.id, (u) => ({
      next: { ...u, passwordHash: 'hashed:x' },
      announce: { audit: [] },
    }));
    const as = await world.as(made);
    const factor = await createSecondFactor(world.deps, as, { userId: made.id, name: 'phone', password: 'x' });
    const code = new TOTP({ secret: factor.secret }).generate({ timestamp: world.nowMs });
    await confirmSecondFactor(world.deps, as, { userId: made.id, id: factor.factor.id, code });
    const answer = await enter(ana);
    expect(answer.needsCode).toBe(true);
    expect(await reasonOf(authenticateSession(world.deps, answer.secret))).toBe('AUTHENTICATION_FAILED');
  });

  it('the teams of the mapping follow the claim, other teams do not', async () => {
    const { world, user } = await makeWorld();
    const [first, second, other] = await Promise.all(
      ['first', 'second', 'other'].map((name) => createGroup(world.deps, world.operator, { name } as never)),
    );
    Object.assign(world.deps.externalPolicy, {
      teams: new Map([
        ['translators', first!.id],
        ['reviewers', second!.id],
        ['missing', 987_654],
      ]),
    });
    const has = async (teams: string[]) => {
      const { groups } = await user({ ...ana, teams });
      return [first, second, other].map((group) => groups.includes(group!.id));
    };
    expect(await has(['translators', 'unknown', 'missing'])).toEqual([true, false, false]);
    const { id } = await user({ ...ana, teams: ['translators'] });
    await world.deps.users.update(id, (u) => ({
      next: { ...u, groups: [...u.groups, other!.id] },
      announce: { audit: [] },
    }));
    expect(await has(['reviewers'])).toEqual([false, true, true]);
    expect(await has([])).toEqual([false, false, true]);
  });

  it('the sign-in by a provider does not exist without a provider or a cookie', async () => {
    const { world } = await makeWorld();
    const anonymous = await world.anonymous();
    const input = { secret: 'a'.repeat(43), callback: '', next: '', userAgent: '' };
    expect(await reasonOf(finishExternalSignIn(world.deps, anonymous, input))).toBe('NOT_FOUND');
    const externalProvider = { authorizationAddress: () => Promise.resolve(''), claims: () => Promise.resolve(ana) };
    const deps = { ...world.deps, externalProvider };
    expect(await reasonOf(finishExternalSignIn(deps, anonymous, { ...input, secret: '' }))).toBe(
      'AUTHENTICATION_FAILED',
    );
  });
});
