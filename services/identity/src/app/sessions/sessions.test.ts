import { TOTP } from 'otpauth';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { freeAttempts } from '../../domain/sign-in/attempts';
import type { MailTransport } from '../../domain/ports';
import type { User } from '../../domain/user';
import { PASSWORD_RESET_MS, SECOND_FACTOR_MS } from '../../domain/sign-in/web-credential';
import { sendMails } from '../notifications/send-mails';
import { confirmSecondFactor, createSecondFactor } from '../second-factors/second-factors';
import { deleteUser } from '../users/delete-user';
import { setPassword } from '../users/set-password';
import { updateUser } from '../users/update-user';
import { changePassword, mailPasswordReset, resetPassword } from './passwords';
import { authenticateSession, endSessions, listSessions, signOut } from './sessions';
import { confirmSignIn, signIn } from './sign-in';

const password = 'correct horse battery staple';

async function makeWorld() {
  const world = await World.create();
  const anonymous = await world.anonymous();
  const ana = await world.user('ana', { password, email: 'ana@example.org' });
  const enter = (username: string, given: string, network = '203.0.113.9') =>
    signIn(world.deps, anonymous, { username, password: given, network, userAgent: 'Firefox' });
  const start = async () => (await enter('ana', password)).secret;
  /** The name of the user of a session, or why there is none. */
  const whose = async (secret: string) => {
    const session = authenticateSession(world.deps, secret);
    const reason = await reasonOf(session);
    return reason === 'OK' ? (await session).user.username : reason;
  };
  const actions = () => world.announced.audit.map(({ action }) => action);
  return { world, anonymous, ana, enter, start, whose, actions };
}

/** Adds a confirmed second factor; returns its code at the current time. */
async function withFactor(world: World, user: User): Promise<() => string> {
  const as = await world.as(user);
  const made = await createSecondFactor(world.deps, as, { userId: user.id, name: 'phone', password });
  const code = () => new TOTP({ secret: made.secret }).generate({ timestamp: world.nowMs });
  await confirmSecondFactor(world.deps, as, { userId: user.id, id: made.factor.id, code: code() });
  world.nowMs += 60_000;
  return code;
}

describe('signing in', () => {
  it('a user name or mail address with its password starts a session of that user', async () => {
    const { world, enter, whose, actions } = await makeWorld();
    const first = await enter('ANA', password);
    const second = await enter('Ana@example.org', password);
    expect(first.needsCode).toBe(false);
    expect(first.secret).not.toBe(second.secret);
    expect([await whose(first.secret), await whose(second.secret)]).toEqual(['ana', 'ana']);
    expect(JSON.stringify([...world.webCredentials.stored])).not.toContain(first.secret);
    expect(actions()).toEqual(expect.arrayContaining(['session.start', 'session.start']));
    expect((await world.deps.users.byName('ana'))!.lastLoginMs).toBe(world.nowMs);
  });

  it('unknown names and wrong passwords are refused alike, counted alike and recorded without the name', async () => {
    const { world, enter } = await makeWorld();
    const fates = async (name: string) => {
      const found: string[] = [];
      for (let i = 0; i <= freeAttempts.account; i++)
        found.push(await enter(name, 'wrong', `${name}-${i}`).then(String, (error: Error) => error.message));
      return found;
    };
    const known = await fates('ana');
    expect(await fates('nobody')).toEqual(known);
    expect(new Set(known.slice(0, -1))).toEqual(new Set(['The user name or the password is wrong.']));
    expect(known.at(-1)).toBe('Too many wrong passwords. Retry in 60 seconds.');
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
    const entries = world.announced.audit.filter(({ action }) => action.startsWith('session.'));
    expect(entries.map(({ action }) => action)).toEqual([
      ...Array<string>(freeAttempts.account).fill('session.refuse'),
      'session.lock',
      ...Array<string>(freeAttempts.account).fill('session.refuse'),
      'session.lock',
    ]);
    expect(JSON.stringify(entries)).not.toContain('nobody');
    world.nowMs += 60_000;
    await enter('ana', password);
  });

  it('wrong passwords for many accounts lock their network, which a right one does not reset', async () => {
    const { world, enter } = await makeWorld();
    for (let i = 0; i < freeAttempts.network - 1; i++) {
      await reasonOf(enter(`user${i}`, 'wrong'));
      await enter('ana', password);
    }
    expect(await reasonOf(enter('last', 'wrong'))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
    expect(await reasonOf(enter('ana', password, '198.51.100.1'))).toBe('OK');
    world.nowMs += 60_000;
    await enter('ana', password);
  });

  it('users without a password, expired and inactive users are refused', async () => {
    const { world, enter, ana } = await makeWorld();
    await world.user('tokens-only');
    expect(await reasonOf(enter('tokens-only', ''))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(enter('tokens-only', 'decoy password'))).toBe('AUTHENTICATION_FAILED');
    await updateUser(world.deps, world.operator, ana.id, { isActive: false, replace: false });
    expect(await reasonOf(enter('ana', password))).toBe('AUTHENTICATION_FAILED');
  });

  it('a second factor is required, and its code completes a sign-in once', async () => {
    const { world, anonymous, ana, enter, whose, actions } = await makeWorld();
    const code = await withFactor(world, ana);
    const pending = await enter('ana', password);
    expect(pending.needsCode).toBe(true);
    expect(await whose(pending.secret)).toBe('AUTHENTICATION_FAILED');
    const confirm = (given: string, secret = pending.secret) =>
      confirmSignIn(world.deps, anonymous, { secret, code: given, response: '', origin, userAgent: '' });
    const wrong = String((Number(code()) + 1) % 1_000_000).padStart(6, '0');
    expect(await fieldsOf(confirm(wrong))).toEqual(['code:invalid']);
    expect(await fieldsOf(confirm(''))).toEqual(['code:required']);
    expect(actions().at(-1)).toBe('session.refuse');
    const { secret } = await confirm(code());
    expect(secret).not.toBe(pending.secret);
    expect(await whose(secret)).toBe('ana');
    world.nowMs += 60_000;
    expect(await reasonOf(confirm(code()))).toBe('AUTHENTICATION_FAILED');
    const late = await enter('ana', password);
    world.nowMs += SECOND_FACTOR_MS;
    expect(await reasonOf(confirm(code(), late.secret))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(confirm(code(), secret))).toBe('AUTHENTICATION_FAILED');
  });
});

const origin = 'https://parlance.example';

describe('a session', () => {
  it('a session ends without use, and at its latest end however often it is used', async () => {
    const { world, start, whose } = await makeWorld();
    const { idleMs, absoluteMs } = world.deps.sessionTimes;
    const [unused, used] = [await start(), await start()];
    world.nowMs += idleMs - 1;
    expect(await whose(used)).toBe('ana');
    world.nowMs += 1;
    expect([await whose(unused), await whose(used)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    const begun = world.nowMs - idleMs;
    for (; world.nowMs < begun + absoluteMs; world.nowMs += idleMs / 2) expect(await whose(used)).toBe('ana');
    expect(await whose(used)).toBe('AUTHENTICATION_FAILED');
  });

  it('a cached caller of a session expires with it', async () => {
    const { world, start } = await makeWorld();
    const secret = await start();
    const { absoluteMs } = world.deps.sessionTimes;
    for (let left = absoluteMs; left > 30_000; left = Math.max(30_000, left - 1800_000)) {
      await authenticateSession(world.deps, secret);
      world.nowMs += Math.min(1800_000, left - 30_000);
    }
    expect((await authenticateSession(world.deps, secret)).cacheMs).toBe(30_000);
  });

  it.each<[string, (world: World, user: User) => Promise<unknown>]>([
    [
      'a new password by the operator',
      ({ deps, operator }, { id }) => setPassword(deps, operator, id, 'another password'),
    ],
    [
      'deactivation, also after a later activation',
      async ({ deps, operator }, { id }) => {
        await updateUser(deps, operator, id, { isActive: false, replace: false });
        await updateUser(deps, operator, id, { isActive: true, replace: false });
      },
    ],
    ['deletion', ({ deps, operator }, { id }) => deleteUser(deps, operator, id)],
    [
      'signing out everywhere',
      async (world, { id }) => endSessions(world.deps, await world.as(id), { userId: id, id: 0, exceptId: 0 }),
    ],
  ])('all sessions of a user end with %s', async (_, act) => {
    const { world, ana, start, whose } = await makeWorld();
    const secrets = [await start(), await start()];
    await act(world, ana);
    expect([await whose(secrets[0]!), await whose(secrets[1]!)]).toEqual(Array(2).fill('AUTHENTICATION_FAILED'));
    expect([...world.webCredentials.stored.values()]).toEqual([]);
  });

  it.each<[string, (world: World, user: User) => Promise<unknown>]>([
    ['the password changes', ({ deps, operator }, { id }) => setPassword(deps, operator, id, 'another password')],
    [
      'the user is deactivated and activated',
      async ({ deps, operator }, { id }) => {
        await updateUser(deps, operator, id, { isActive: false, replace: false });
        await updateUser(deps, operator, id, { isActive: true, replace: false });
      },
    ],
  ])('a session that starts while %s ends with that', async (_, act) => {
    const { world, ana, enter, whose } = await makeWorld();
    const { passwords } = world.deps;
    const verify = async (digest: string, given: string) => {
      const isRight = await passwords.verify(digest, given);
      await act(world, ana);
      return isRight;
    };
    Object.assign(world.deps, { passwords: { ...passwords, verify } });
    const { secret } = await enter('ana', password);
    Object.assign(world.deps, { passwords });
    expect(await whose(secret)).toBe('AUTHENTICATION_FAILED');
  });

  it('sessions are listed and ended by their user, not by others', async () => {
    const { world, anonymous, ana, start, whose, actions } = await makeWorld();
    const [first, second, third] = [await start(), await start(), await start()];
    const as = await world.as(ana);
    const list = () => listSessions(world.deps, as, ana.id);
    const [newest, middle, oldest] = await list();
    expect(newest).toMatchObject({ userAgent: 'Firefox', clientAddress: '203.0.113.9', createdMs: world.nowMs });
    const bob = await world.as(await world.user('bob'));
    const end = (who: typeof as, id: number, exceptId = 0) =>
      endSessions(world.deps, who, { userId: ana.id, id, exceptId });
    expect(await reasonOf(listSessions(world.deps, bob, ana.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listSessions(world.deps, anonymous, ana.id))).toBe('NOT_AUTHENTICATED');
    expect(await reasonOf(end(bob, oldest!.id))).toBe('PERMISSION_DENIED');
    await end(as, oldest!.id);
    expect([await whose(first), await whose(second)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    await end(as, 0, newest!.id);
    expect([await whose(second), await whose(third)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    expect((await list()).map(({ id }) => id)).toEqual([newest!.id]);
    expect(middle!.id).not.toBe(newest!.id);
    await signOut(world.deps, anonymous, third);
    await signOut(world.deps, anonymous, third);
    expect(await list()).toEqual([]);
    expect(actions().filter((action) => action === 'session.end')).toHaveLength(3);
  });
});

describe('passwords', () => {
  it('a user changes the password with the current one; other sessions end', async () => {
    const { world, ana, start, whose, enter, actions } = await makeWorld();
    const before = await start();
    const as = await world.as(ana);
    const change = (currentPassword: string | undefined, next: string) =>
      changePassword(world.deps, as, {
        ...(currentPassword === undefined ? {} : { currentPassword }),
        password: next,
        userAgent: '',
      });
    expect(await fieldsOf(change(undefined, 'a new password'))).toEqual(['current_password:required']);
    expect(await fieldsOf(change('wrong', 'a new password'))).toEqual(['current_password:invalid']);
    expect(await fieldsOf(change(password, 'short'))).toEqual(['password:min_length']);
    expect(await whose(before)).toBe('ana');
    const { secret } = await change(password, 'a new password');
    expect([await whose(before), await whose(secret)]).toEqual(['AUTHENTICATION_FAILED', 'ana']);
    expect(await reasonOf(enter('ana', password))).toBe('AUTHENTICATION_FAILED');
    await enter('ana', 'a new password');
    expect(actions()).toContain('user.password.change');
    expect(await reasonOf(changePassword(world.deps, await world.anonymous(), { password: 'x', userAgent: '' }))).toBe(
      'NOT_AUTHENTICATED',
    );
  });

  /** Requests a reset and returns the secrets of the mailed links so far. */
  async function request(world: World, email: string): Promise<string[]> {
    await mailPasswordReset(world.deps, await world.anonymous(), email);
    const sent: string[] = [];
    const transport: MailTransport = {
      send: ({ text }) => Promise.resolve(void sent.push(...[...text.matchAll(/\?secret=(\S+)/g)].map(([, s]) => s!))),
    };
    await sendMails(world.deps, transport);
    return sent;
  }

  it('a mailed link sets a password once, within an hour, and ends all sessions', async () => {
    const { world, anonymous, start, whose, enter, actions } = await makeWorld();
    const session = await start();
    const [secret] = await request(world, 'ANA@example.org');
    expect(JSON.stringify([world.mails.mails, [...world.webCredentials.stored]])).not.toContain(secret);
    const reset = (given: string, next = 'a new password') =>
      resetPassword(world.deps, anonymous, { secret: given, password: next });
    expect(await fieldsOf(reset(secret!, 'short'))).toEqual(['password:min_length']);
    expect(await fieldsOf(reset(session))).toEqual(['secret:invalid']);
    expect(await whose(secret!)).toBe('AUTHENTICATION_FAILED');
    await reset(secret!);
    expect(await whose(session)).toBe('AUTHENTICATION_FAILED');
    await enter('ana', 'a new password');
    expect(await fieldsOf(reset(secret!))).toEqual(['secret:invalid']);
    expect(actions()).toEqual(expect.arrayContaining(['user.password.request', 'user.password.reset']));
    const [late] = await request(world, 'ana@example.org');
    world.nowMs += PASSWORD_RESET_MS;
    expect(await fieldsOf(reset(late!))).toEqual(['secret:invalid']);
  });

  it('a reset lifts the lock of the account', async () => {
    const { world, anonymous, enter } = await makeWorld();
    for (let i = 0; i < freeAttempts.account; i++) await reasonOf(enter('ana', 'wrong'));
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
    const [secret] = await request(world, 'ana@example.org');
    await resetPassword(world.deps, anonymous, { secret: secret!, password: 'a new password' });
    await enter('ana', 'a new password');
  });

  it('a link is void after another password change', async () => {
    const { world, anonymous, ana } = await makeWorld();
    const [secret] = await request(world, 'ana@example.org');
    await setPassword(world.deps, world.operator, ana.id, 'set by the operator');
    const late = resetPassword(world.deps, anonymous, { secret: secret!, password: 'a new password' });
    expect(await fieldsOf(late)).toEqual(['secret:invalid']);
  });

  it('unknown addresses, inactive users and accounts that got several mails get none', async () => {
    const { world, ana } = await makeWorld();
    expect(await request(world, 'nobody@example.org')).toEqual([]);
    expect(await request(world, '')).toEqual([]);
    for (let i = 0; i < freeAttempts.resetOfAccount; i++)
      expect(await request(world, 'ana@example.org')).toHaveLength(1);
    expect(await request(world, 'ana@example.org')).toEqual([]);
    world.nowMs += 60_000;
    expect(await request(world, 'ana@example.org')).toHaveLength(1);
    world.nowMs += 3600_000;
    await updateUser(world.deps, world.operator, ana.id, { isActive: false, replace: false });
    expect(await request(world, 'ana@example.org')).toEqual([]);
  });
});
