import { fieldsOf, reasonOf, withProject, withToken } from '../../../test/support/world';
import { ANONYMOUS_ID } from '../../domain/user';
import { deleteUser } from '../users/delete-user';
import {
  createPersonalToken,
  dropToken,
  getPersonalToken,
  listPersonalTokens,
  revokePersonalToken,
} from './personal-tokens';
import { createProjectToken } from './project-tokens';

const all = { skip: 0, limit: 100 };

describe('personal tokens', () => {
  it('a token may be limited to reading and to projects', async () => {
    const { world, ana } = await withToken();
    const input = { userId: ana.id, name: 'reader', expiresMs: 0, readOnly: true, projectIds: [7, 8, 7] };
    const { value, token } = await createPersonalToken(world.deps, await world.as(ana), input);
    expect(token).toMatchObject({ readOnly: true, limitedTo: [7, 8] });
    expect(await world.enter(value)).toMatchObject({ userId: ana.id, readOnly: true, onlyProjects: [7, 8] });
    const many = { ...input, projectIds: Array.from({ length: 101 }, (_, i) => i + 1) };
    expect(await fieldsOf(createPersonalToken(world.deps, await world.as(ana), many))).toEqual(['projects:max_length']);
  });

  it('personal tokens are validated by field and limited in number', async () => {
    const { world, ana } = await withToken();
    const as = await world.as(ana);
    const make = (input: object) => createPersonalToken(world.deps, as, { userId: ana.id, expiresMs: 0, ...input });
    expect(await fieldsOf(make({ expiresMs: world.nowMs - 1 }))).toEqual(['name:required', 'expires:min_value']);
    expect(await fieldsOf(make({ name: 'x'.repeat(101) }))).toEqual(['name:max_length']);
    for (let i = 1; i < 100; i++) await make({ name: `t${i}` });
    expect(await fieldsOf(make({ name: 'one more' }))).toEqual(['null:invalid']);
  });

  it('personal tokens are visible to their owner and superusers', async () => {
    const { world, ana, token } = await withToken();
    const bob = await world.as(await world.user('bob'));
    expect(await reasonOf(listPersonalTokens(world.deps, bob, ana.id, all))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(revokePersonalToken(world.deps, bob, ana.id, token.id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listPersonalTokens(world.deps, await world.anonymous(), ana.id, all))).toBe(
      'NOT_AUTHENTICATED',
    );
    const page = await listPersonalTokens(world.deps, world.operator, ana.id, all);
    expect(page.items).toMatchObject([{ name: 'laptop', username: 'ana', projectId: 0 }]);
    expect(JSON.stringify(page)).not.toContain('hash');
  });

  it('a token has a name of up to 100 characters, an expiry in the future and up to 100 different projects', async () => {
    const { world, ana } = await withToken();
    const as = await world.as(ana);
    const projectIds = Array.from({ length: 100 }, (_, i) => i + 1);
    const limits = { name: 'x'.repeat(100), expiresMs: world.nowMs + 1, projectIds: [...projectIds, 1, 100] };
    const { token, value } = await createPersonalToken(world.deps, as, { userId: ana.id, ...limits });
    expect(token).toMatchObject({ name: limits.name, expiresMs: limits.expiresMs, limitedTo: projectIds });
    expect(token).toMatchObject({ kind: 'personal', hint: value.slice(-4), createdMs: world.nowMs, lastUsedMs: 0 });
    expect(value).toMatch(/^plu_/);
    const now = createPersonalToken(world.deps, as, { userId: ana.id, name: 'now', expiresMs: world.nowMs });
    expect(await fieldsOf(now)).toEqual(['expires:min_value']);
  });

  it('problems are added to those found by the caller', async () => {
    const { world, ana } = await withToken();
    const context = { ...(await world.as(ana)), problems: [{ attr: 'projects', code: 'does_not_exist', detail: '' }] };
    const make = (name?: string) =>
      createPersonalToken(world.deps, context, {
        userId: ana.id,
        expiresMs: 0,
        ...(name === undefined ? {} : { name }),
      });
    expect(await fieldsOf(make())).toEqual(['projects:does_not_exist', 'name:required']);
    expect(await fieldsOf(make('valid'))).toEqual(['projects:does_not_exist']);
    expect((await world.deps.users.get(ana.id))!.tokens).toHaveLength(1);
  });

  it('users who cannot sign in, and the bots of projects, get no tokens', async () => {
    const { world, as, ana } = await withProject();
    const make = (userId: number) =>
      createPersonalToken(world.deps, world.operator, { userId, name: 'further', expiresMs: 0 });
    const request = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, as, request);
    expect(await reasonOf(make(token.userId))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(make(ANONYMOUS_ID))).toBe('NOT_FOUND');
    expect(await reasonOf(make(999))).toBe('NOT_FOUND');
    await deleteUser(world.deps, world.operator, ana.id);
    expect(await reasonOf(make(ana.id))).toBe('NOT_FOUND');
  });

  it('a token that is limited to projects manages no tokens, also not those of its owner', async () => {
    const { world, ana, token } = await withToken();
    const limited = world.caller({ ...(await world.as(ana)).caller, onlyProjects: [7] });
    expect(await reasonOf(listPersonalTokens(world.deps, limited, ana.id, all))).toBe('PERMISSION_DENIED');
    const further = { userId: ana.id, name: 'further', expiresMs: 0 };
    expect(await reasonOf(createPersonalToken(world.deps, limited, further))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(revokePersonalToken(world.deps, limited, ana.id, token.id))).toBe('PERMISSION_DENIED');
  });

  it('personal tokens are listed in pages, and tokens of projects are not among them', async () => {
    const { world, ana } = await withToken();
    const as = await world.as(ana);
    for (const name of ['second', 'third'])
      await createPersonalToken(world.deps, as, { userId: ana.id, name, expiresMs: 0 });
    await world.deps.users.update(ana.id, (u) => ({
      next: { ...u, tokens: u.tokens.map((t) => (t.name === 'second' ? { ...t, kind: 'project' as const } : t)) },
      announce: { audit: [] },
    }));
    const { items, total } = await listPersonalTokens(world.deps, as, ana.id, { skip: 1, limit: 1 });
    expect([items.map(({ name }) => name), total]).toEqual([['third'], 2]);
    const [, hidden] = (await world.deps.users.get(ana.id))!.tokens;
    expect(await reasonOf(getPersonalToken(world.deps, as, ana.id, hidden!.id))).toBe('NOT_FOUND');
    expect(await reasonOf(revokePersonalToken(world.deps, as, ana.id, hidden!.id))).toBe('NOT_FOUND');
  });

  it('concurrent requests do not exceed the limit', async () => {
    const { world, ana } = await withToken();
    Object.assign(world.deps, { maxTokens: 3 });
    const as = await world.as(ana);
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        reasonOf(createPersonalToken(world.deps, as, { userId: ana.id, name, expiresMs: 0 })),
      ),
    );
    expect(made).toEqual(['OK', 'OK', 'INVALID', 'INVALID']);
    expect((await world.deps.users.get(ana.id))!.tokens).toHaveLength(3);
  });

  it('a user who is deleted in the meantime gets no token', async () => {
    const { world, ana } = await withToken();
    const { users } = world.deps;
    const nextTokenId = async () => {
      await deleteUser(world.deps, world.operator, ana.id);
      return 99;
    };
    const racing = Object.assign(Object.create(users) as typeof users, { nextTokenId });
    const input = { userId: ana.id, name: 'late', expiresMs: 0 };
    expect(await reasonOf(createPersonalToken({ ...world.deps, users: racing }, world.operator, input))).toBe(
      'NOT_FOUND',
    );
    expect((await users.get(ana.id))!.tokens).toEqual([]);
  });

  it('creating and revoking are audited, and revoking ends cached access once', async () => {
    const { world, ana, token, value } = await withToken();
    const as = await world.as(ana);
    expect(world.announced.all.at(-1)).toMatchObject({
      audit: [
        {
          action: 'token.create',
          actorId: ana.id,
          targetId: token.id,
          targetName: 'laptop',
          details: { user_id: ana.id, expires_ms: 0, read_only: false, projects: [] },
        },
      ],
    });
    await revokePersonalToken(world.deps, as, ana.id, token.id);
    expect(world.announced.all.at(-1)).toMatchObject({
      audit: [{ action: 'token.revoke', targetId: token.id, targetName: 'laptop', details: { user_id: ana.id } }],
      accessChanged: [ana.id],
    });
    expect(await reasonOf(revokePersonalToken(world.deps, as, ana.id, token.id))).toBe('NOT_FOUND');
    expect(JSON.stringify(world.announced.all)).not.toContain(value);
    const writes = world.announced.all.length;
    await dropToken(world.deps, as, ana.id, token.id);
    expect(world.announced.all).toHaveLength(writes);
  });
});
