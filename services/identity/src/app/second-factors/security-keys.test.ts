import { hasSecondFactor } from '@parlance/access';
import { SoftwareSecurityKey } from '@parlance/testing';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { FACTORS_MAX, WRONG_CODES_MAX, WRONG_CODES_WINDOW_MS } from '../../domain/sign-in/second-factor';
import { SECOND_FACTOR_MS } from '../../domain/sign-in/web-credential';
import { confirmSignIn, describePendingSignIn, signIn } from '../sessions/sign-in';
import { confirmSecondFactor, deleteSecondFactor, listSecondFactors } from './second-factors';
import { finishSecurityKey, startSecurityKey } from './security-keys';

const password = 'correct horse battery staple';
const origin = 'https://parlance.example';
const all = { skip: 0, limit: 100 };

async function makeWorld() {
  const world = await World.create();
  const ana = await world.user('ana', { password });
  const userId = ana.id;
  const start = async (name = 'key') =>
    JSON.parse(await startSecurityKey(world.deps, await world.as(ana), { userId, name, password, origin })) as {
      rp: { id: string };
      challenge: string;
      excludeCredentials: { id: string }[];
    };
  const finish = async (response: string, name = 'key') =>
    finishSecurityKey(world.deps, await world.as(ana), { userId, name, response, origin });
  const register = async (key = new SoftwareSecurityKey(origin)) => {
    const factor = await finish(key.create(await start()));
    return { key, factor };
  };
  const { caller: anonymous } = world.caller({ ...(await world.as(ana)).caller, anonymous: true, userId: 0 });
  const context = world.caller(anonymous);
  /** A sign-in that waits for the second factor. */
  const pending = async () => {
    const network = '203.0.113.9';
    const { secret } = await signIn(world.deps, context, { username: 'ana', password, network, userAgent: '' });
    const { keyOptions, hasCodes } = await describePendingSignIn(world.deps, { secret, origin });
    const options = JSON.parse(keyOptions) as { rpId: string; challenge: string; allowCredentials: unknown[] };
    const confirm = (response: string, at = origin) =>
      confirmSignIn(world.deps, context, { secret, code: '', response, origin: at, userAgent: '' });
    return { options, hasCodes, confirm };
  };
  const factors = async () => (await listSecondFactors(world.deps, await world.as(ana), userId, all)).items;
  return { world, ana, start, finish, register, pending, factors };
}

describe('the registration of a security key', () => {
  it('the registration of a security key requires the password, uses its challenge once and makes the key a confirmed second factor', async () => {
    const { world, ana, start, finish, factors } = await makeWorld();
    const as = await world.as(ana);
    const wrong = { userId: ana.id, name: 'key', password: 'wrong', origin };
    expect(await fieldsOf(startSecurityKey(world.deps, as, wrong))).toEqual(['password:invalid']);
    const key = new SoftwareSecurityKey(origin);
    const options = await start();
    expect(options).toMatchObject({ rp: { id: 'parlance.example' }, excludeCredentials: [] });
    const factor = await finish(key.create(options));
    expect(factor).toMatchObject({ name: 'key', isSecurityKey: true, confirmedMs: world.nowMs, username: 'ana' });
    expect(hasSecondFactor((await world.as(ana)).caller)).toBe(true);
    expect(await fieldsOf(finish(key.create(options)))).toEqual(['response:invalid']);
    expect(await factors()).toEqual([factor]);
    expect(world.announced.all.flatMap(({ audit }) => audit).at(-1)).toMatchObject({
      action: 'second-factor.confirm',
      details: { user_id: ana.id, kind: 'webauthn' },
    });
  });

  it('the registration of a security key refuses challenges that are late or of other users, other origins, and the same key again', async () => {
    const { world, ana, start, finish, register } = await makeWorld();
    const late = new SoftwareSecurityKey(origin).create(await start());
    world.nowMs += SECOND_FACTOR_MS;
    expect(await fieldsOf(finish(late))).toEqual(['response:invalid']);
    const bob = await world.user('bob', { password });
    const stolen = new SoftwareSecurityKey(origin).create(await start());
    const ofBob = { userId: bob.id, name: 'key', response: stolen, origin };
    expect(await fieldsOf(finishSecurityKey(world.deps, await world.as(bob), ofBob))).toEqual(['response:invalid']);
    const foreign = new SoftwareSecurityKey('https://phishing.example').create(await start());
    expect(await fieldsOf(finish(foreign))).toEqual(['response:invalid']);
    for (const text of ['', '1', '{', '{}', 'x'.repeat(30_000)])
      expect(await fieldsOf(finish(text))).toEqual(['response:invalid']);
    const { key } = await register();
    expect((await start()).excludeCredentials).toHaveLength(1);
    expect(await fieldsOf(finish(key.create(await start())))).toEqual(['response:unique']);
    const others = { userId: ana.id, name: 'key', password, origin };
    expect(await reasonOf(startSecurityKey(world.deps, await world.as(bob), others))).toBe('PERMISSION_DENIED');
  });

  it('the number of security keys is limited together with other factors, and they are removed with the password', async () => {
    const { world, ana, register, start, factors } = await makeWorld();
    for (let i = 0; i < FACTORS_MAX; i++) await register();
    expect(await fieldsOf(start())).toEqual(['null:invalid']);
    const [first] = await factors();
    const as = await world.as(ana);
    expect(
      await fieldsOf(confirmSecondFactor(world.deps, as, { userId: ana.id, id: first!.id, code: '123456' })),
    ).toEqual(['code:invalid']);
    await deleteSecondFactor(world.deps, as, ana.id, first!.id, { password });
    expect(await factors()).toHaveLength(FACTORS_MAX - 1);
  });
});

describe('the response of a security key', () => {
  it('the response of a security key completes a sign-in once', async () => {
    const { world, register, pending, factors } = await makeWorld();
    const { key } = await register();
    const first = await pending();
    expect(first.hasCodes).toBe(false);
    expect(first.options).toMatchObject({ rpId: 'parlance.example', allowCredentials: [expect.anything()] });
    const response = key.get(first.options);
    world.nowMs += 1000;
    expect((await first.confirm(response)).secret).toMatch(/^[\w-]{43}$/);
    expect(await factors()).toMatchObject([{ lastUsedMs: world.nowMs }]);
    expect(await reasonOf(first.confirm(response))).toBe('AUTHENTICATION_FAILED');
    const second = await pending();
    expect(await fieldsOf(second.confirm(response))).toEqual(['response:invalid']);
  });

  it('the response of a security key of another key, challenge, site or clone is refused; wrong ones are limited', async () => {
    const { world, register, pending } = await makeWorld();
    const { key } = await register();
    const { options, confirm } = await pending();
    const other = await pending();
    const refused = async (response: string, at = origin) => {
      world.nowMs += WRONG_CODES_WINDOW_MS / 100;
      return fieldsOf(confirm(response, at));
    };
    const wrong = ['response:invalid'];
    expect(await refused(new SoftwareSecurityKey(origin).get(options))).toEqual(wrong);
    expect(await refused(key.get(other.options))).toEqual(wrong);
    expect(await refused(key.get({ ...options, rpId: 'phishing.example' }))).toEqual(wrong);
    expect(await refused(key.get(options), 'https://phishing.example')).toEqual(wrong);
    await confirm(key.get(options));
    const third = await pending();
    expect(await fieldsOf(third.confirm(key.get(third.options, { rewind: true })))).toEqual(wrong);
    for (let i = 1; i < WRONG_CODES_MAX; i++) await reasonOf(third.confirm('{}'));
    const stranger = new SoftwareSecurityKey(origin);
    for (let i = 1; i < WRONG_CODES_MAX; i++) await reasonOf(third.confirm(stranger.get(third.options)));
    expect(await reasonOf(third.confirm(key.get(third.options)))).toBe('THROTTLED');
  });
});
