import { serviceCaller } from '@parlance/access';
import { reasonOf, withProject, World } from '../../../test/support/world';
import { ensureProjectTeams, projectUpdated } from '../groups/project-teams';
import { createProjectToken } from '../tokens/project-tokens';
import { batchGetUsers, getUser } from './get-user';

const wanted = (more: object) => ({ id: 0, username: '', ...more });

describe('getUser', () => {
  it('users see other users by name or id, anonymous callers see none', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    const as = await world.as(ana);
    expect((await getUser(world.deps, as, wanted({ username: 'BOB' }))).id).toBe(bob.id);
    expect((await getUser(world.deps, as, wanted({ id: bob.id }))).username).toBe('bob');
    expect(await reasonOf(getUser(world.deps, as, wanted({ username: 'bo' })))).toBe('NOT_FOUND');
    expect(await reasonOf(getUser(world.deps, as, wanted({ id: 999 })))).toBe('NOT_FOUND');
    for (const query of [{ username: 'bob' }, { id: bob.id }])
      expect(await reasonOf(getUser(world.deps, await world.anonymous(), wanted(query)))).toBe('NOT_FOUND');
  });

  it('the id takes precedence over the address, and the address over the name', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.org' });
    await world.user('bob', { email: 'bob@example.org' });
    const named = async (query: object) => (await getUser(world.deps, world.operator, wanted(query))).username;
    expect(await named({ id: ana.id, email: 'bob@example.org', username: 'bob' })).toBe('ana');
    expect(await named({ email: 'bob@example.org', username: 'ana' })).toBe('bob');
  });

  it('callers who see a project see its bots, which are named after it', async () => {
    const world = await World.create();
    const [ana, eve] = [await world.user('ana'), await world.user('eve')];
    const project = { projectId: 7, slug: 'app', accessControl: 100, review: false };
    await ensureProjectTeams(world.deps, world.operator, project, ana.id);
    const inside = await world.as(ana);
    const request = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, inside, request);
    const bot = { id: 0, username: token.username };
    expect((await getUser(world.deps, inside, bot)).username).toBe('bot-app-ci');
    expect((await getUser(world.deps, world.operator, bot)).username).toBe('bot-app-ci');
    const stranger = await world.as(eve);
    const reasons = [bot, { id: 0, username: 'bot-none-ci' }, { id: token.userId, username: '' }].map((wanted) =>
      reasonOf(getUser(world.deps, stranger, wanted)),
    );
    expect(await Promise.all(reasons)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    await projectUpdated(world.deps, world.operator, { ...project, accessControl: 0 });
    expect((await getUser(world.deps, stranger, bot)).username).toBe('bot-app-ci');
  });

  it('only services look up users by mail address', async () => {
    const world = await World.create();
    const ana = await world.user('ana', { email: 'ana@example.com' });
    const request = { id: 0, username: '', email: 'ANA@example.com' };
    expect((await getUser(world.deps, world.operator, request)).id).toBe(ana.id);
    expect(await reasonOf(getUser(world.deps, world.operator, { ...request, email: 'nobody@x' }))).toBe('NOT_FOUND');
    expect(await reasonOf(getUser(world.deps, await world.as(ana), request))).toBe('PERMISSION_DENIED');
  });

  it('superusers are no services: they look up no user by mail address', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true, email: 'root@example.org' });
    const query = wanted({ email: 'root@example.org' });
    expect(await reasonOf(getUser(world.deps, await world.as(root), query))).toBe('PERMISSION_DENIED');
    const service = world.caller(serviceCaller('vcs-worker'));
    expect((await getUser(world.deps, service, query)).id).toBe(root.id);
  });

  it('the token of a project sees its own bot and no other user', async () => {
    const { world, ana, as } = await withProject();
    const request = { projectId: 7, projectSlug: '', expiresMs: 0, groupIds: [] };
    const { token, value } = await createProjectToken(world.deps, as, { ...request, name: 'CI' });
    const other = await createProjectToken(world.deps, as, { ...request, name: 'other' });
    const bot = world.caller(await world.enter(value));
    expect((await getUser(world.deps, bot, wanted({ id: token.userId }))).username).toBe('bot-app-ci');
    for (const id of [ana.id, other.token.userId])
      expect(await reasonOf(getUser(world.deps, bot, wanted({ id })))).toBe('NOT_FOUND');
  });

  it('until the event of a project arrives, its bots are hidden from users without a team in it', async () => {
    const { world, as } = await withProject();
    const request = { projectId: 7, projectSlug: '', name: 'CI', expiresMs: 0, groupIds: [] };
    const { token } = await createProjectToken(world.deps, as, request);
    await world.deps.projects.forget(7);
    const eve = await world.as(await world.user('eve'));
    expect(await reasonOf(getUser(world.deps, eve, wanted({ id: token.userId })))).toBe('NOT_FOUND');
    expect((await getUser(world.deps, as, wanted({ id: token.userId }))).id).toBe(token.userId);
  });
});

describe('batchGetUsers', () => {
  it('existing users are returned once, ordered by id', async () => {
    const world = await World.create();
    const [ana, bob] = [await world.user('ana'), await world.user('bob')];
    const found = await batchGetUsers(world.deps, [bob.id, 999, ana.id, bob.id]);
    expect(found.map((u) => u.username)).toEqual(['ana', 'bob']);
    expect(await batchGetUsers(world.deps, [])).toEqual([]);
  });

  it('at most 10 000 users can be requested', async () => {
    const { deps } = await World.create();
    const ids = Array.from({ length: 10_001 }, (_, i) => i + 1000);
    expect(await batchGetUsers(deps, ids.slice(1))).toEqual([]);
    expect(await reasonOf(batchGetUsers(deps, ids))).toBe('INVALID');
  });
});
