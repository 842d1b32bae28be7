import { password, withFactor, withPassword, wrongCode } from '../../../test/support/session-world';
import { fieldsOf, reasonOf, type World } from '../../../test/support/world';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { WRONG_CODES_MAX } from '../../domain/sign-in/second-factor';
import { SECOND_FACTOR_MS } from '../../domain/sign-in/web-credential';
import type { User } from '../../domain/user';
import { setPassword } from '../users/set-password';
import { updateUser } from '../users/update-user';
import { confirmSignIn, describePendingSignIn } from './sign-in';

const origin = 'https://parlance.example';

describe('signing in', () => {
  it('a user name or mail address with its password starts a session of that user', async () => {
    const { world, enter, whose, actions } = await withPassword();
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
    const { world, enter } = await withPassword();
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
    const { world, enter } = await withPassword();
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
    const { world, enter, ana } = await withPassword();
    await world.user('tokens-only');
    expect(await reasonOf(enter('tokens-only', ''))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(enter('tokens-only', 'decoy password'))).toBe('AUTHENTICATION_FAILED');
    await updateUser(world.deps, world.operator, ana.id, { isActive: false, replace: false });
    expect(await reasonOf(enter('ana', password))).toBe('AUTHENTICATION_FAILED');
  });

  it('a second factor is required, and its code completes a sign-in once', async () => {
    const { world, anonymous, ana, enter, whose, actions } = await withPassword();
    const code = await withFactor(world, ana);
    const pending = await enter('ana', password);
    expect(pending.needsCode).toBe(true);
    expect(await whose(pending.secret)).toBe('AUTHENTICATION_FAILED');
    const confirm = (given: string, secret = pending.secret) =>
      confirmSignIn(world.deps, anonymous, { secret, code: given, response: '', origin, userAgent: '' });
    expect(await fieldsOf(confirm(wrongCode(code())))).toEqual(['code:invalid']);
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

  it('a session records where it was started, and its announcement the user and the address', async () => {
    const { world, ana, enter } = await withPassword();
    const { expiresMs } = await enter('ana', password);
    expect(expiresMs).toBe(world.nowMs + world.deps.sessionTimes.absoluteMs);
    const credentials = [...world.webCredentials.stored.values()];
    expect(credentials).toMatchObject([{ kind: 'session', userAgent: 'Firefox', clientAddress: '203.0.113.9' }]);
    expect(world.announced.audit.at(-1)).toMatchObject({
      action: 'session.start',
      actorId: ana.id,
      targetId: ana.id,
      clientAddress: '203.0.113.9',
    });
  });

  it('a locked network is refused before the account counts the attempt', async () => {
    const { world, ana, enter } = await withPassword();
    for (let i = 0; i < freeAttempts.network; i++) await reasonOf(enter(`user${i}`, 'wrong'));
    const untilMs = world.nowMs + 60_000;
    expect(world.announced.audit.at(-1)).toMatchObject({
      action: 'session.lock',
      targetId: 0,
      details: { until: new Date(untilMs).toISOString() },
    });
    for (let i = 0; i < freeAttempts.account; i++) expect(await reasonOf(enter('ana', 'wrong'))).toBe('THROTTLED');
    expect(await reasonOf(enter('ana', 'wrong', '198.51.100.1'))).toBe('AUTHENTICATION_FAILED');
    expect(world.announced.audit.at(-1)).toMatchObject({
      action: 'session.refuse',
      targetId: ana.id,
      details: { factor: 'password' },
    });
    expect(await reasonOf(enter('ana', password, '198.51.100.1'))).toBe('OK');
  });

  it('a name that is too long for a user is refused like an unknown one', async () => {
    const { enter } = await withPassword();
    expect(await reasonOf(enter('a'.repeat(1001), password))).toBe('AUTHENTICATION_FAILED');
  });
});

describe('a sign-in that waits for a second factor', () => {
  async function withPending() {
    const parts = await withPassword();
    const { world, anonymous, ana, enter } = parts;
    const code = await withFactor(world, ana);
    const { secret, expiresMs } = await enter('ana', password);
    const describe = (given = secret) => describePendingSignIn(world.deps, { secret: given, origin });
    const confirm = (given: string) =>
      confirmSignIn(world.deps, anonymous, { secret, code: given, response: '', origin, userAgent: 'Firefox' });
    return { ...parts, code, secret, expiresMs, describe, confirm };
  }

  it('a sign-in that waits for a second factor ends after five minutes, and a session is no such sign-in', async () => {
    const { world, expiresMs, describe, confirm, code } = await withPending();
    expect(expiresMs).toBe(world.nowMs + SECOND_FACTOR_MS);
    expect(await describe()).toEqual({ hasCodes: true, keyOptions: '' });
    world.nowMs += SECOND_FACTOR_MS - 1;
    expect((await describe()).hasCodes).toBe(true);
    const session = await confirm(code());
    expect(await reasonOf(describe(session.secret))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(describe())).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(describe('no secret'))).toBe('AUTHENTICATION_FAILED');
  });

  it('a sign-in that waits for a second factor does not count as a sign-in of the user until it is completed', async () => {
    const { world, ana, confirm, code, actions } = await withPending();
    expect((await world.deps.users.get(ana.id))!.lastLoginMs).toBe(0);
    expect(actions()).not.toContain('session.start');
    world.nowMs += 1000;
    await confirm(code());
    expect((await world.deps.users.get(ana.id))!.lastLoginMs).toBe(world.nowMs);
    expect(actions().at(-1)).toBe('session.start');
  });

  it('a code may be typed with spaces', async () => {
    const { confirm, code, whose } = await withPending();
    const { secret } = await confirm(` ${code().slice(0, 3)} ${code().slice(3)} `);
    expect(await whose(secret)).toBe('ana');
  });

  it('one of several concurrent requests with valid codes starts a session', async () => {
    const { world, confirm, code, actions } = await withPending();
    const earlier = code(world.nowMs - 30_000);
    const outcomes = await Promise.all([earlier, code()].map((given) => reasonOf(confirm(given))));
    expect(outcomes).toEqual(['OK', 'AUTHENTICATION_FAILED']);
    expect(actions().filter((action) => action === 'session.start')).toHaveLength(1);
  });

  it('wrong codes are recorded with their user, and too many lock further ones without a record', async () => {
    const { world, ana, confirm, code, actions } = await withPending();
    for (let i = 0; i < WRONG_CODES_MAX; i++)
      expect(await fieldsOf(confirm(wrongCode(code())))).toEqual(['code:invalid']);
    expect(world.announced.audit.at(-1)).toMatchObject({
      action: 'session.refuse',
      targetId: ana.id,
      details: { factor: 'code' },
    });
    const recorded = actions().length;
    expect(await reasonOf(confirm(code()))).toBe('THROTTLED');
    expect(actions()).toHaveLength(recorded);
  });

  it.each<[string, (world: World, user: User) => Promise<unknown>]>([
    ['a new password', ({ deps, operator }, { id }) => setPassword(deps, operator, id, 'another password')],
    [
      'deactivation',
      ({ deps, operator }, { id }) => updateUser(deps, operator, id, { isActive: false, replace: false }),
    ],
    [
      'the expiry of the user',
      async (world, { id }) => {
        const dateExpiresMs = world.nowMs + 1;
        await updateUser(world.deps, world.operator, id, { dateExpiresMs, replace: false });
        world.nowMs += 1;
      },
    ],
  ])('a sign-in that waits for a second factor ends with %s', async (_, act) => {
    const { world, ana, code, confirm } = await withPending();
    await act(world, ana);
    expect(await reasonOf(confirm(code()))).toBe('AUTHENTICATION_FAILED');
  });
});
