import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import type { ExternalClaims } from '../../domain/sign-in/external-identity';
import type { User } from '../../domain/user';
import { SECOND_FACTOR_MS } from '../../domain/sign-in/web-credential';
import { securityMails } from '../notifications/security-mails';
import { finishExternalLink, getExternalLink, removeExternalLink, startExternalLink } from './external-link';

const ana: ExternalClaims = {
  issuer: 'https://id.example.org',
  subject: 'a1',
  email: '',
  emailVerified: false,
  fullName: 'Ana',
  username: 'ana',
  teams: [],
};
const state = { callback: '', next: 'link' };

async function start(claims = ana) {
  const world = await World.create();
  const externalProvider = {
    authorizationAddress: () => Promise.resolve('https://id.example.org/auth'),
    claims: () => Promise.resolve(claims),
  };
  const deps = { ...world.deps, externalProvider };
  const member = async (name: string, passwordHash = 'hashed:x') => {
    const { id } = await world.user(name);
    return (await deps.users.update(id, (user) => ({ next: { ...user, passwordHash }, announce: { audit: [] } })))!;
  };
  const begin = async ({ id: userId }: User, password = 'x') => {
    const context = await world.as((await deps.users.get(userId))!);
    return startExternalLink(deps, context, { userId, redirectUri: '', next: 'link', password });
  };
  const finish = async (user: User, secret: string) =>
    finishExternalLink(deps, await world.as(user), { userId: user.id, secret, ...state });
  const link = async (user: User) => finish(user, (await begin(user)).secret);
  const linkOf = async (user: User) => getExternalLink(deps, await world.as(user), user.id);
  const unlink = async (user: User, password = 'x') =>
    removeExternalLink(deps, await world.as(user), { userId: user.id, password });
  return { world, deps, member, begin, finish, link, linkOf, unlink };
}

describe('linking an account of the provider', () => {
  it('linking an account of the provider needs the password, is audited and mailed, and is undone the same way', async () => {
    const { world, member, begin, finish, link, linkOf, unlink } = await start();
    const user = await member('ana');
    expect(await fieldsOf(begin(user, 'wrong'))).toEqual(['password:invalid']);
    const { secret, address } = await begin(user);
    expect(address).toBe('https://id.example.org/auth');
    await finish(user, secret);
    expect(await linkOf(user)).toBe(ana.issuer);
    expect(await fieldsOf(begin(user))).toEqual(['null:invalid']);
    expect(await fieldsOf(unlink(user, 'wrong'))).toEqual(['password:invalid']);
    await unlink(user);
    expect(await linkOf(user)).toBe('');
    const entries = world.announced.audit.filter(({ action }) => /^user\.(un)?link$/.test(action));
    expect(entries).toMatchObject([
      { action: 'user.link', actorId: user.id, targetId: user.id, details: { issuer: ana.issuer } },
      { action: 'user.unlink', actorId: user.id, targetId: user.id, details: { issuer: ana.issuer } },
    ]);
    expect(securityMails(entries).map(({ part }) => part.lines[0])).toEqual([
      'Your account was linked with the sign-in of https://id.example.org.',
      'Your account was separated from the sign-in of https://id.example.org.',
    ]);
    await link(user);
    expect(await linkOf(user)).toBe(ana.issuer);
  });

  it('a secret links once, within five minutes, and only its own user', async () => {
    const { world, member, begin, finish, unlink } = await start();
    const [user, other] = [await member('ana'), await member('eve')];
    const { secret } = await begin(user);
    expect(await reasonOf(finish(other, secret))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(finish(user, secret))).toBe('AUTHENTICATION_FAILED');
    const late = await begin(user);
    world.nowMs += SECOND_FACTOR_MS;
    expect(await reasonOf(finish(user, late.secret))).toBe('AUTHENTICATION_FAILED');
    const again = await begin(user);
    await finish(user, again.secret);
    await unlink(user);
    expect(await reasonOf(finish(user, again.secret))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(finish(user, ''))).toBe('AUTHENTICATION_FAILED');
  });

  it('an account that another user has linked is refused', async () => {
    const { member, link, linkOf } = await start();
    const [user, other] = [await member('ana'), await member('eve')];
    await link(user);
    expect(await reasonOf(link(other))).toBe('AUTHENTICATION_FAILED');
    expect(await linkOf(other)).toBe('');
  });

  it('the last way to sign in is not removed', async () => {
    const { deps, member, link, linkOf, unlink } = await start();
    const user = await member('ana');
    await link(user);
    await deps.users.update(user.id, (current) => ({
      next: { ...current, passwordHash: '' },
      announce: { audit: [] },
    }));
    expect(await fieldsOf(unlink(user))).toEqual(['null:invalid']);
    expect(await linkOf(user)).toBe(ana.issuer);
  });

  it('only the user links an account of the provider, and a provider must be configured', async () => {
    const { world, deps, member } = await start();
    const user = await member('ana');
    const eve = await world.as(await member('eve'));
    const input = { userId: user.id, redirectUri: '', next: 'link', password: 'x' };
    expect(await reasonOf(startExternalLink(deps, eve, input))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(removeExternalLink(deps, eve, input))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(getExternalLink(deps, eve, user.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(startExternalLink(world.deps, await world.as(user), input))).toBe('NOT_FOUND');
  });
});
