import { TOTP } from 'otpauth';
import { withFactor, withPassword, wrongCode, password } from '../../../test/support/session-world';
import { fieldsOf, problemsOf, reasonOf, World } from '../../../test/support/world';
import { freeAttempts } from '../../domain/sign-in/attempts';
import { WRONG_CODES_MAX, WRONG_CODES_WINDOW_MS } from '../../domain/sign-in/second-factor';
import { createSecondFactor } from '../second-factors/second-factors';
import { requirePresence, type Presence } from './require-presence';

async function withUser() {
  const parts = await withPassword();
  const { world, ana } = parts;
  const as = await world.as(ana);
  const prove = (given: Presence) => requirePresence(world.deps, as, given);
  const wrongCodes = async () => (await world.deps.users.get(ana.id))!.wrongCodes?.count ?? 0;
  return { ...parts, as, prove, wrongCodes };
}

describe('requirePresence', () => {
  it('the password of the caller is a proof, that of another user is not', async () => {
    const { world, as, prove } = await withUser();
    await world.user('bob', { password: "bob's password" });
    await prove({ password });
    expect(await fieldsOf(prove({ password: "bob's password" }))).toEqual(['password:invalid']);
    expect(await fieldsOf(prove({ password: 'x'.repeat(100_000) }))).toEqual(['password:invalid']);
    expect(await fieldsOf(prove({}))).toEqual(['password:required']);
    const unknown = { ...as, caller: { ...as.caller, userId: 999 } };
    expect(await reasonOf(requirePresence(world.deps, unknown, { password }))).toBe('PERMISSION_DENIED');
    const anonymous = requirePresence(
      world.deps,
      { ...unknown, caller: { ...as.caller, userId: 0, anonymous: true } },
      {},
    );
    expect(await reasonOf(anonymous)).toBe('NOT_AUTHENTICATED');
  });

  it('services need no proof, superusers do', async () => {
    const { world } = await withUser();
    await requirePresence(world.deps, world.operator, {});
    const root = await world.as(await world.user('root', { isSuperuser: true, password }));
    expect(await fieldsOf(requirePresence(world.deps, root, {}))).toEqual(['password:required']);
  });

  it('a code is accepted once, also with spaces', async () => {
    const { world, ana, prove } = await withUser();
    const code = await withFactor(world, ana);
    const text = code();
    await prove({ code: ` ${text.slice(0, 3)} ${text.slice(3)}` });
    expect(await fieldsOf(prove({ code: text }))).toEqual(['code:invalid']);
    const factor = (await world.deps.users.get(ana.id))!.secondFactors![0]!;
    expect(factor).toMatchObject({ lastUsedMs: world.nowMs, lastStep: Math.floor(world.nowMs / 30_000) });
    world.nowMs += 30_000;
    await prove({ code: code() });
  });

  it('one of several concurrent requests with the same code is accepted', async () => {
    const { world, ana, prove } = await withUser();
    const code = (await withFactor(world, ana))();
    const reasons = await Promise.all([code, code, code].map((text) => reasonOf(prove({ code: text }))));
    expect(reasons).toEqual(['OK', 'INVALID', 'INVALID']);
  });

  it('a code of any confirmed factor is accepted, one of an unconfirmed factor is not', async () => {
    const { world, ana, as, prove } = await withUser();
    const { secret } = await createSecondFactor(world.deps, as, { userId: ana.id, name: 'unconfirmed', password });
    const [phone, tablet] = [await withFactor(world, ana), await withFactor(world, ana)];
    await prove({ code: tablet() });
    await prove({ code: phone() });
    const unconfirmed = new TOTP({ secret }).generate({ timestamp: world.nowMs });
    expect(await fieldsOf(prove({ code: unconfirmed }))).toEqual(['code:invalid']);
  });

  it('a malformed code is reported without an attempt, even if the password is right', async () => {
    const { world, ana, prove, wrongCodes } = await withUser();
    await withFactor(world, ana);
    for (const code of ['nonsense', '12345', '1234567', ''])
      expect(await fieldsOf(prove({ code }))).toEqual(['code:invalid']);
    expect(await fieldsOf(prove({ code: 'nonsense', password }))).toEqual(['code:invalid']);
    expect(await wrongCodes()).toBe(0);
  });

  it('the password decides and the code is not used up if both are given', async () => {
    const { world, ana, prove, wrongCodes } = await withUser();
    const code = await withFactor(world, ana);
    expect(await fieldsOf(prove({ password: 'wrong', code: code() }))).toEqual(['password:invalid']);
    await prove({ password, code: wrongCode(code()) });
    expect(await wrongCodes()).toBe(0);
    await prove({ code: code() });
  });

  it('a right code resets the count of wrong ones, and so does the end of the window', async () => {
    const { world, ana, prove, wrongCodes } = await withUser();
    const code = await withFactor(world, ana);
    await reasonOf(prove({ code: wrongCode(code()) }));
    expect(await wrongCodes()).toBe(1);
    await prove({ code: code() });
    expect(await wrongCodes()).toBe(0);
    for (let i = 0; i < WRONG_CODES_MAX; i++) await reasonOf(prove({ code: wrongCode(code()) }));
    world.nowMs += WRONG_CODES_WINDOW_MS - 1;
    expect(await reasonOf(prove({ code: code() }))).toBe('THROTTLED');
    world.nowMs += 1;
    await prove({ code: code() });
  });

  it('wrong codes do not lock the password, and wrong passwords not the codes', async () => {
    const { world, ana, prove } = await withUser();
    const code = await withFactor(world, ana);
    for (let i = 0; i < freeAttempts.account; i++)
      expect(await fieldsOf(prove({ password: 'no' }))).toEqual(['password:invalid']);
    expect(await reasonOf(prove({ password }))).toBe('THROTTLED');
    await prove({ code: code() });
    for (let i = 0; i < WRONG_CODES_MAX; i++)
      expect(await fieldsOf(prove({ code: wrongCode(code()) }))).toEqual(['code:invalid']);
    expect(await reasonOf(prove({ code: wrongCode(code()) }))).toBe('THROTTLED');
    world.nowMs += 60_000;
    await prove({ password });
  });

  it('wrong passwords also lock signing in', async () => {
    const { prove, enter } = await withUser();
    for (let i = 0; i < freeAttempts.account; i++) await reasonOf(prove({ password: 'no' }));
    expect(await reasonOf(enter('ana', password))).toBe('THROTTLED');
  });

  it('at most ten of many concurrent passwords are compared', async () => {
    const { prove } = await withUser();
    const guesses = Array.from({ length: freeAttempts.account + 20 }, () => reasonOf(prove({ password: 'no' })));
    const answers = await Promise.all(guesses);
    expect(answers.filter((reason) => reason === 'INVALID')).toHaveLength(freeAttempts.account);
    expect(answers.filter((reason) => reason === 'THROTTLED')).toHaveLength(20);
  });

  it('an account without a password gets instructions for setting one', async () => {
    const world = await World.create();
    const bob = await world.as(await world.user('bob'));
    const [problem] = await problemsOf(requirePresence(world.deps, bob, { password }));
    expect(problem).toMatchObject({ attr: 'password', detail: expect.stringContaining('reset-password') });
  });
});
