import { acceptingTransport } from '../../../test/support/notification-world';
import { password, withFactor, withPassword } from '../../../test/support/session-world';
import { fieldsOf, reasonOf, withProject, type World } from '../../../test/support/world';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { PASSWORD_RESET_MS } from '../../domain/sign-in/web-credential';
import { sendMails } from '../notifications/send-mails';
import { createProjectToken } from '../tokens/project-tokens';
import { setPassword } from '../users/set-password';
import { updateUser } from '../users/update-user';
import { changePassword, countResetRequest, mailPasswordReset, resetPassword } from './passwords';

describe('passwords', () => {
  it('a user changes the password with the current one; other sessions end', async () => {
    const { world, ana, start, whose, enter, actions } = await withPassword();
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
    const { sent, transport } = acceptingTransport();
    await sendMails(world.deps, transport);
    return sent.flatMap(({ text }) => [...text.matchAll(/\?secret=(\S+)/g)].map(([, secret]) => secret!));
  }

  it('a mailed link sets a password once, within an hour, and ends all sessions', async () => {
    const { world, anonymous, start, whose, enter, actions } = await withPassword();
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
    const { world, anonymous, enter } = await withPassword();
    for (let i = 0; i < freeAttempts.account; i++) await reasonOf(enter('ana', 'wrong'));
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
    const [secret] = await request(world, 'ana@example.org');
    await resetPassword(world.deps, anonymous, { secret: secret!, password: 'a new password' });
    await enter('ana', 'a new password');
  });

  it('a link is void after another password change', async () => {
    const { world, anonymous, ana } = await withPassword();
    const [secret] = await request(world, 'ana@example.org');
    await setPassword(world.deps, world.operator, ana.id, 'set by the operator');
    const late = resetPassword(world.deps, anonymous, { secret: secret!, password: 'a new password' });
    expect(await fieldsOf(late)).toEqual(['secret:invalid']);
  });

  it('unknown addresses, inactive users and accounts that got several mails get none', async () => {
    const { world, ana } = await withPassword();
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

  it('a password has 8 to 1024 characters, and a weak one is no attempt at the current one', async () => {
    const { world, ana } = await withPassword();
    const as = await world.as(ana);
    const change = (currentPassword: string, next: string) =>
      changePassword(world.deps, as, { currentPassword, password: next, userAgent: '' });
    for (let i = 0; i < freeAttempts.account; i++)
      expect(await fieldsOf(change('wrong', 'seven 7'))).toEqual(['password:min_length']);
    expect(await fieldsOf(change(password, 'x'.repeat(1025)))).toEqual(['password:max_length']);
    await change(password, 'x'.repeat(1024));
    await change('x'.repeat(1024), '8 chars.');
  });

  it('too many wrong current passwords lock the account, also for signing in', async () => {
    const { world, ana, enter } = await withPassword();
    const as = await world.as(ana);
    const change = (currentPassword: string) =>
      changePassword(world.deps, as, { currentPassword, password: 'a new password', userAgent: '' });
    for (let i = 0; i < freeAttempts.account; i++)
      expect(await fieldsOf(change('wrong'))).toEqual(['current_password:invalid']);
    expect(await reasonOf(change(password))).toBe('THROTTLED');
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
  });

  it('users without a password and tokens that are limited to projects change none', async () => {
    const { world, ana } = await withPassword();
    const input = { currentPassword: password, password: 'a new password', userAgent: '' };
    const limited = world.caller({ ...(await world.as(ana)).caller, onlyProjects: [7] });
    expect(await reasonOf(changePassword(world.deps, limited, input))).toBe('PERMISSION_DENIED');
    const bob = await world.as(await world.user('bob'));
    expect(await fieldsOf(changePassword(world.deps, bob, input))).toEqual(['current_password:invalid']);
  });

  it('one of several concurrent password changes is made, and its session stays', async () => {
    const { world, ana, whose, enter } = await withPassword();
    const as = await world.as(ana);
    const change = (next: string) =>
      changePassword(world.deps, as, { currentPassword: password, password: next, userAgent: '' });
    const [{ secret }, refused] = await Promise.all([change('the first one'), fieldsOf(change('the second one'))]);
    expect(refused).toEqual(['current_password:invalid']);
    expect(await whose(secret)).toBe('ana');
    await enter('ana', 'the first one');
    expect(await reasonOf(enter('ana', 'the second one'))).toBe('AUTHENTICATION_FAILED');
  });

  it('a change is announced for the user and audited without passwords', async () => {
    const { world, ana } = await withPassword();
    const input = { currentPassword: password, password: 'a new password', userAgent: '' };
    await changePassword(world.deps, await world.as(ana), input);
    expect(world.announced.all).toContainEqual(
      expect.objectContaining({
        accessChanged: [ana.id],
        audit: [
          expect.objectContaining({
            action: 'user.password.change',
            actorId: ana.id,
            targetId: ana.id,
            details: { user_id: ana.id },
          }),
        ],
      }),
    );
    expect(JSON.stringify(world.announced.all)).not.toMatch(/horse|a new password/);
  });

  it('the mail of a reset names the address of the client, if it is known', async () => {
    const { world, anonymous, ana } = await withPassword();
    await mailPasswordReset(world.deps, anonymous, 'ana@example.org');
    await mailPasswordReset(world.deps, { ...anonymous, clientAddress: '' }, 'ana@example.org');
    const [known, unknown] = world.mails.mails;
    expect(known).toMatchObject({ userId: ana.id, notification: 'PasswordReset', dueMs: world.nowMs });
    expect(known!.lines).toEqual(['The request came from 203.0.113.9.']);
    expect(unknown!.lines).toEqual([]);
  });

  it('one of several links, and one of several concurrent uses of a link, sets a password', async () => {
    const { world, anonymous, enter } = await withPassword();
    const [older] = await request(world, 'ana@example.org');
    const [newer] = await request(world, 'ana@example.org');
    const reset = (secret: string, next: string) => resetPassword(world.deps, anonymous, { secret, password: next });
    const [, refused] = await Promise.all([reset(newer!, 'the first one'), fieldsOf(reset(newer!, 'the second one'))]);
    expect(refused).toEqual(['secret:invalid']);
    expect(await fieldsOf(reset(older!, 'the third one'))).toEqual(['secret:invalid']);
    await enter('ana', 'the first one');
  });

  it('a reset is no sign-in: a second factor is still required', async () => {
    const { world, anonymous, ana, enter } = await withPassword();
    await withFactor(world, ana);
    const [secret] = await request(world, 'ana@example.org');
    await resetPassword(world.deps, anonymous, { secret: secret!, password: 'a new password' });
    expect(world.webCredentials.stored.size).toBe(0);
    expect((await enter('ana', 'a new password')).needsCode).toBe(true);
  });

  it('the bot of a project, and texts that are no secret, get no new password', async () => {
    const { world, as } = await withProject();
    const input = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, as, input);
    const bot = (await world.deps.users.get(token.userId))!;
    expect(await request(world, bot.email!)).toEqual([]);
    expect(world.webCredentials.stored.size).toBe(0);
    const reset = resetPassword(world.deps, await world.anonymous(), { secret: 'none', password: 'a new password' });
    expect(await fieldsOf(reset)).toEqual(['secret:invalid']);
  });

  it('requests for resets are limited by network', async () => {
    const { world } = await withPassword();
    for (let i = 0; i < freeAttempts.resetFromNetwork; i++) await countResetRequest(world.deps, '203.0.113.0/24');
    expect(await reasonOf(countResetRequest(world.deps, '203.0.113.0/24'))).toBe('THROTTLED');
    await countResetRequest(world.deps, '198.51.100.0/24');
    world.nowMs += 60_000;
    await countResetRequest(world.deps, '203.0.113.0/24');
  });
});
