import { can } from '@parlance/access';
import { reasonOf, withToken, World } from '../../../test/support/world';
import { revokePersonalToken } from '../tokens/personal-tokens';
import { deleteUser } from '../users/delete-user';
import { updateUser } from '../users/update-user';
import { authenticate, CACHE_MS } from './authenticate';

describe('authenticate', () => {
  it('a request without a token is anonymous', async () => {
    const world = await World.create();
    const caller = await world.enter('');
    expect(caller).toMatchObject({ anonymous: true, userId: 0, isSuperuser: false });
    expect(can(caller, 'suggestion.add', { projectId: 1, accessControl: 0 })).toBe(true);
    expect(can(caller, 'unit.edit', { projectId: 1, accessControl: 0 })).toBe(false);
  });

  it('a valid token authenticates its owner and records its use at most once a minute', async () => {
    const { world, ana, value, token } = await withToken();
    const entry = await authenticate(world.deps, value);
    expect(entry).toMatchObject({ tokenId: token.id, cacheMs: CACHE_MS, user: { id: ana.id } });
    const used = async () => (await world.deps.users.get(ana.id))!.tokens[0]!.lastUsedMs;
    const first = await used();
    expect(first).toBe(world.nowMs);
    world.nowMs += 59_000;
    await authenticate(world.deps, value);
    expect(await used()).toBe(first);
    world.nowMs += 1_000;
    await authenticate(world.deps, value);
    expect(await used()).toBe(world.nowMs);
  });

  it('invalid, revoked and expired tokens and those of inactive users are rejected', async () => {
    const { world, ana, value, token } = await withToken(30_000);
    const refused = async () => (await reasonOf(authenticate(world.deps, value))) === 'AUTHENTICATION_FAILED';
    expect(await reasonOf(authenticate(world.deps, `plu_${'x'.repeat(36)}`))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(authenticate(world.deps, 'nonsense'))).toBe('AUTHENTICATION_FAILED');
    expect((await authenticate(world.deps, value)).cacheMs).toBe(30_000);
    await updateUser(world.deps, world.operator, ana.id, { isActive: false, replace: false });
    expect(await refused()).toBe(true);
    await updateUser(world.deps, world.operator, ana.id, { isActive: true, replace: false });
    world.nowMs += 30_000;
    expect(await refused()).toBe(true);
    world.nowMs -= 30_000;
    await revokePersonalToken(world.deps, await world.as(ana), ana.id, token.id);
    expect(await refused()).toBe(true);
  });

  it('every refused token gets the same answer, so it reveals nothing about the token', async () => {
    const { world, ana, value } = await withToken(30_000);
    const answerTo = async (token: string) => {
      const error: unknown = await authenticate(world.deps, token).catch((e: unknown) => e);
      const { reason, message } = error as { reason: string; message: string };
      return `${reason} ${message}`;
    };
    const answers = [await answerTo('nonsense'), await answerTo(`plp_${'x'.repeat(36)}`)];
    world.nowMs += 30_000;
    answers.push(await answerTo(value));
    world.nowMs -= 30_000;
    await deleteUser(world.deps, world.operator, ana.id);
    answers.push(await answerTo(value));
    expect(answers).toEqual(Array(4).fill(answers[0]));
    expect(answers[0]).toMatch(/^AUTHENTICATION_FAILED /);
  });

  it('a cached caller expires with the token or the user, whichever ends first', async () => {
    const { world, ana, value } = await withToken(40_000);
    const cachedFor = async () => (await authenticate(world.deps, value)).cacheMs;
    const until = (inMs: number) =>
      updateUser(world.deps, world.operator, ana.id, { dateExpiresMs: world.nowMs + inMs, replace: false });
    await until(90_000);
    expect(await cachedFor()).toBe(40_000);
    await until(30_000);
    expect(await cachedFor()).toBe(30_000);
    world.nowMs += 29_999;
    expect(await cachedFor()).toBe(1);
    world.nowMs += 1;
    expect(await reasonOf(authenticate(world.deps, value))).toBe('AUTHENTICATION_FAILED');
  });

  it('a refused token is not recorded as used', async () => {
    const { world, ana, value } = await withToken(30_000);
    world.nowMs += 30_000;
    await reasonOf(authenticate(world.deps, value));
    expect((await world.deps.users.get(ana.id))!.tokens[0]!.lastUsedMs).toBe(0);
  });

  it('before the defaults are stored, anonymous requests get a retryable error', async () => {
    const { deps } = new World();
    expect(await reasonOf(authenticate(deps, ''))).toBe('UNAVAILABLE');
  });
});
