import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { matchRepositories } from './match-repositories';

const repo = 'https://git.example.com/acme/app.git';
const hook = { candidateUrls: [repo], fullName: '', branch: '', projectSlug: '', componentPath: '' };

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme', { enableHooks: true }, 'sealed:shared');
  const app = await world.component(project.id, 'app', { repo });
  const match = async (request: object, context = world.service) =>
    (await matchRepositories(world.deps, context, { ...hook, ...request })).map((m) => ({
      id: m.component.id,
      branchMatches: m.branchMatches,
      enabled: m.enabled,
      hookSecret: m.hookSecret,
    }));
  return { world, project, app, match };
}

describe('matchRepositories', () => {
  it('a hook matches the components of its repository and brings the secret of their project', async () => {
    const { world, project, app, match } = await start();
    await world.component(project.id, 'other');
    const found = [{ id: app.id, branchMatches: true, enabled: true, hookSecret: 'shared' }];
    expect(await match({})).toEqual(found);
    expect(await match({ candidateUrls: ['git@git.example.com:acme/app.git'] })).toEqual(found);
    expect(await match({ candidateUrls: [], fullName: 'acme/app' })).toEqual(found);
    expect(await match({ candidateUrls: ['https://git.example.com/acme/none.git'] })).toEqual([]);
  });

  it('a hook of another branch matches, but is not enabled', async () => {
    const { match } = await start();
    expect(await match({ branch: 'next' })).toMatchObject([{ branchMatches: false, enabled: false }]);
    expect(await match({ branch: 'main' })).toMatchObject([{ branchMatches: true, enabled: true }]);
  });

  it('a project that accepts no hooks is not enabled', async () => {
    const { world, match } = await start();
    const closed = await world.project('closed', { enableHooks: false });
    const { id } = await world.component(closed.id, 'app', { repo: `${repo}2` });
    expect(await match({ candidateUrls: [`${repo}2`] })).toEqual([
      { id, branchMatches: true, enabled: false, hookSecret: '' },
    ]);
  });

  it('a hook that names a project and a component matches only these', async () => {
    const { world, app, match } = await start();
    const other = await world.project('other');
    await world.component(other.id, 'app', { repo });
    expect(await match({ projectSlug: 'acme' })).toMatchObject([{ id: app.id }]);
    expect(await match({ projectSlug: 'acme', componentPath: 'app', candidateUrls: [] })).toMatchObject([
      { id: app.id },
    ]);
    expect(await match({ projectSlug: 'acme', componentPath: 'none' })).toEqual([]);
    expect(await match({ projectSlug: 'missing' })).toEqual([]);
  });

  it('a hook for a linked component matches the owner of its repository', async () => {
    const { world, project, app, match } = await start();
    await world.component(project.id, 'guest', {}, { linkedId: app.id });
    expect(await match({ projectSlug: 'acme', componentPath: 'guest' })).toMatchObject([{ id: app.id }]);
  });

  it('a hook without an address or a project matches no component', async () => {
    const { match } = await start();
    expect(await match({ candidateUrls: [] })).toEqual([]);
  });

  it('only services ask, for at most 100 addresses', async () => {
    const { world, match } = await start();
    expect(await reasonOf(match({}, world.admin))).toBe('PERMISSION_DENIED');
    const candidateUrls = Array.from({ length: 101 }, (_, i) => `${repo}${i}`);
    expect(await fieldsOf(match({ candidateUrls }))).toEqual(['candidate_urls:max_length']);
  });
});
