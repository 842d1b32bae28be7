import { reasonOf, withProject } from '../../../test/support/world';
import { listTokens, revokeToken } from './all-tokens';
import { createPersonalToken } from './personal-tokens';
import { createProjectToken } from './project-tokens';

const all = { skip: 0, limit: 100 };

/** Two personal tokens of ana, and the token of a project. */
async function withTokens() {
  const parts = await withProject();
  const { world, ana, as } = parts;
  const personal = (name: string) => createPersonalToken(world.deps, as, { userId: ana.id, name, expiresMs: 0 });
  const [laptop, second] = [await personal('laptop'), await personal('second')];
  const request = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
  const ci = await createProjectToken(world.deps, as, request);
  const names = async (page = all) =>
    (await listTokens(world.deps, world.operator, page)).items.map(({ name }) => name);
  return { ...parts, laptop, second, ci, names };
}

describe('listTokens', () => {
  it('all tokens are listed with their owners, and pages count owners', async () => {
    const { world, ana, ci } = await withTokens();
    const { items, total } = await listTokens(world.deps, world.operator, { skip: 0, limit: 1 });
    expect(items).toMatchObject([
      { name: 'laptop', userId: ana.id, username: 'ana', projectId: 0 },
      { name: 'second', userId: ana.id, username: 'ana', projectId: 0 },
    ]);
    expect(total).toBe(2);
    const next = await listTokens(world.deps, world.operator, { skip: 1, limit: 1 });
    expect(next).toEqual({ items: [ci.token], total: 2 });
    expect(JSON.stringify([items, next])).not.toContain('hash');
  });

  it('only superusers list and revoke the tokens of all users', async () => {
    const { world, as, laptop } = await withTokens();
    const wanted = { id: laptop.token.id, value: '' };
    for (const [context, reason] of [
      [as, 'PERMISSION_DENIED'],
      [await world.anonymous(), 'NOT_AUTHENTICATED'],
    ] as const) {
      expect(await reasonOf(listTokens(world.deps, context, all))).toBe(reason);
      expect(await reasonOf(revokeToken(world.deps, context, wanted))).toBe(reason);
    }
    const root = await world.as(await world.user('root', { isSuperuser: true }));
    expect((await listTokens(world.deps, root, all)).total).toBe(2);
  });
});

describe('revokeToken', () => {
  it('a personal token is revoked by value or id, and others of its owner stay', async () => {
    const { world, laptop, second, names } = await withTokens();
    const revoke = (id: number, value: string) => revokeToken(world.deps, world.operator, { id, value });
    expect((await revoke(0, laptop.value)).name).toBe('laptop');
    expect(await names()).toEqual(['second', 'CI']);
    expect(await reasonOf(world.enter(laptop.value))).toBe('AUTHENTICATION_FAILED');
    await world.enter(second.value);
    expect((await revoke(second.token.id, '')).name).toBe('second');
    expect(await names()).toEqual(['CI']);
  });

  it('the id takes precedence over the value', async () => {
    const { world, laptop, second, names } = await withTokens();
    await revokeToken(world.deps, world.operator, { id: second.token.id, value: laptop.value });
    expect(await names()).toEqual(['laptop', 'CI']);
  });

  it('an unknown token and a text that is no token are not found', async () => {
    const { world, laptop, names } = await withTokens();
    await revokeToken(world.deps, world.operator, { id: 0, value: laptop.value });
    for (const wanted of [
      { id: 0, value: laptop.value },
      { id: laptop.token.id, value: '' },
      { id: 0, value: '' },
      { id: 0, value: 'laptop' },
    ])
      expect(await reasonOf(revokeToken(world.deps, world.operator, wanted))).toBe('NOT_FOUND');
    expect(await names()).toEqual(['second', 'CI']);
  });

  it('the token of a project is revoked with its bot', async () => {
    const { world, ci, names } = await withTokens();
    const { userId, id } = ci.token;
    expect(await revokeToken(world.deps, world.operator, { id: 0, value: ci.value })).toEqual(ci.token);
    expect(await world.deps.users.get(userId)).toMatchObject({ deleted: true, tokens: [] });
    expect(await names()).toEqual(['laptop', 'second']);
    expect(await reasonOf(world.enter(ci.value))).toBe('AUTHENTICATION_FAILED');
    expect(world.announced.all.at(-1)).toMatchObject({
      audit: [{ action: 'token.revoke', actorName: 'operator' }],
      accessChanged: [userId],
      userDeleted: { userId },
    });
    expect(await reasonOf(revokeToken(world.deps, world.operator, { id, value: '' }))).toBe('NOT_FOUND');
  });
});
