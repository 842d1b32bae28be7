import { hasSecondFactor } from '@parlance/access';
import { isServiceError } from '@parlance/errors';
import { connectRedis, generationKey } from '@parlance/redis';
import { TOTP } from 'otpauth';
import { principalOf, start, type Running } from './support/running';

let running: Running;
/** Codes do not expire during a test: the clock stands still. It is in the future, so that the store does not expire what it counts. */
let nowMs = Date.parse('2099-11-21T12:00:00Z');
beforeAll(async () => {
  running = await start({}, () => nowMs);
});
afterAll(async () => running.stop());

const password = 'correct horse battery staple';
const named = (username: string) => ({ username, fullName: username, email: `${username}@example.org` });

async function owner(username: string) {
  const { identity, operator } = running;
  const { user, token } = await identity.createUser({ ...named(username), password, withToken: true }, operator);
  const { signedPrincipal: as } = await identity.authenticate({ token }, operator);
  const userId = user!.id;
  const made = await identity.createSecondFactor({ userId, name: 'phone', password }, { as });
  const code = () => new TOTP({ secret: made.secret }).generate({ timestamp: nowMs });
  return { userId, token, as, made, id: made.factor!.id, code };
}

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: unknown) => {
      if (isServiceError(error, 'INVALID')) return error.problems.map((p) => `${p.attr}:${p.code}`).join();
      return isServiceError(error) ? error.reason : String(error);
    },
  );

describe('second factors', () => {
  it('a second factor takes effect with the next request and advances the generation for gateways', async () => {
    const { identity, operator } = running;
    const { userId, token, as, id, code } = await owner('enrols');
    const redis = connectRedis(running.redisUrl, () => undefined);
    const has = async () => [
      hasSecondFactor(await principalOf(running, token)),
      await redis.get(generationKey('access')),
    ];
    const [before, first] = await has();
    await identity.confirmSecondFactor({ userId, id, code: code() }, { as });
    const [confirmed, second] = await has();
    await identity.deleteSecondFactor({ userId, id }, operator);
    const [removed, third] = await has();
    redis.disconnect();
    expect([before, confirmed, removed]).toEqual([false, true, false]);
    expect(new Set([first, second, third]).size).toBe(3);
    const { entries } = await identity.listAuditEntries({ action: 'second-factor.', targetKind: '' }, operator);
    expect(entries.filter((e) => e.targetId === id).map((e) => e.action)).toEqual([
      'second-factor.delete',
      'second-factor.confirm',
      'second-factor.create',
    ]);
    const { mails } = await identity.listMails({ userId }, operator);
    expect(mails.map((m) => [m.notification, /^- The second.*$/m.exec(m.body)?.[0]])).toEqual([
      ['AccountSecurity', '- The second factor "phone" was removed.'],
      ['AccountSecurity', '- The second factor "phone" was added.'],
    ]);
  });

  it('second factors are encrypted in the store and deleted with their user', async () => {
    const { identity, operator, store } = running;
    const { userId, as, made, id, code } = await owner('sealed');
    await identity.confirmSecondFactor({ userId, id, code: code() }, { as });
    for (const { name } of await store.listCollections())
      expect(JSON.stringify(await store.collection(name).find({}).toArray())).not.toContain(made.secret);
    const stored = () => store.collection<{ _id: number }>('users').findOne({ _id: userId });
    expect(await stored()).toMatchObject({ secondFactors: [{ sealedSecret: expect.stringMatching(/^v1\./) }] });
    await identity.deleteUser({ id: userId }, operator);
    expect(await stored()).toMatchObject({ secondFactors: [] });
  });

  it('at most ten of many concurrent passwords are compared before a factor is created', async () => {
    const { identity } = running;
    const { userId, as } = await owner('guessed');
    const guess = () => problemOf(identity.createSecondFactor({ userId, name: 'x', password: 'no' }, { as }));
    const answers = await Promise.all(Array.from({ length: 30 }, guess));
    expect(answers.filter((answer) => answer === 'password:invalid').length).toBeLessThanOrEqual(10);
    expect(answers.filter((answer) => answer === 'THROTTLED').length).toBeGreaterThanOrEqual(20);
    const right = { userId, name: 'x', password };
    expect(await problemOf(identity.createSecondFactor(right, { as }))).toBe('THROTTLED');
    nowMs += 15 * 60_000;
    expect(await problemOf(identity.createSecondFactor(right, { as }))).toBe('nothing');
  });

  it('one of several concurrent equal codes is accepted, and every wrong one is counted', async () => {
    const { identity } = running;
    const { userId, as, id, code } = await owner('hurried');
    const confirm = (text: string) => problemOf(identity.confirmSecondFactor({ userId, id, code: text }, { as }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(code())));
    expect(answers.sort()).toEqual(['code:invalid', 'code:invalid', 'code:invalid', 'code:invalid', 'nothing']);
    const used = code();
    for (let i = 4; i < 10; i++) expect(await confirm(used)).toBe('code:invalid');
    nowMs += 30_000;
    expect(await confirm(code())).toBe('THROTTLED');
    nowMs += 15 * 60_000;
    expect(await confirm(code())).toBe('nothing');
  });
});
