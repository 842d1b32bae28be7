import { reasonOf, UseCaseWorld } from '../../test/support/memory/world';
import { findCategory, findComponent, findProject, readCategory, readComponent, readProject } from './find-objects';

async function start() {
  const world = new UseCaseWorld();
  const open = await world.project('open');
  const closed = await world.project('closed', { accessControl: 100 });
  const docs = await world.category(open.id, 'docs');
  const inner = await world.category(open.id, 'inner', { categoryId: docs.id });
  const app = await world.component(open.id, 'app', {}, { categoryId: inner.id });
  const secret = await world.component(closed.id, 'secret');
  return { world, open, closed, docs, inner, app, secret };
}

describe.each([
  ['for changes', findProject, findComponent],
  ['for responses', readProject, readComponent],
] as const)('objects %s', (_, getProject, getComponent) => {
  it('projects and components are found by id and by path', async () => {
    const { world, open, app } = await start();
    const { deps, anonymous } = world;
    expect((await getProject(deps, anonymous, { id: open.id })).id).toBe(open.id);
    expect((await getProject(deps, anonymous, { slug: 'open' })).id).toBe(open.id);
    expect((await getComponent(deps, anonymous, { id: app.id })).component.id).toBe(app.id);
    const byPath = await getComponent(deps, anonymous, { projectSlug: 'open', path: 'docs/inner/app' });
    expect({ component: byPath.component.id, project: byPath.project.id }).toEqual({
      component: app.id,
      project: open.id,
    });
  });

  it('hidden and missing objects get the same error', async () => {
    const { world, closed, secret } = await start();
    const { deps, anonymous } = world;
    for (const by of [{ id: closed.id }, { slug: 'closed' }, { id: 99 }, { slug: 'missing' }, {}])
      expect(await reasonOf(getProject(deps, anonymous, by))).toBe('NOT_FOUND');
    for (const by of [
      { id: secret.id },
      { projectSlug: 'closed', path: 'secret' },
      { projectSlug: 'open', path: 'app' },
      { projectSlug: 'open', path: 'missing/app' },
      { projectSlug: 'open' },
      {},
    ])
      expect(await reasonOf(getComponent(deps, anonymous, by))).toBe('NOT_FOUND');
  });

  it('a component whose category was deleted is found at the top of its project', async () => {
    const { world, docs, inner, app } = await start();
    await world.categories.remove(inner.id, []);
    await world.categories.remove(docs.id, []);
    expect((await getComponent(world.deps, world.admin, { projectSlug: 'open', path: 'app' })).component.id).toBe(
      app.id,
    );
  });
});

describe('categories', () => {
  it.each([
    ['for changes', async (...args: Parameters<typeof findCategory>) => (await findCategory(...args)).category],
    ['for responses', readCategory],
  ] as const)('categories %s are found by id and path in visible projects', async (_, getCategory) => {
    const { world, closed, inner } = await start();
    const hidden = await world.category(closed.id, 'docs');
    const find = (by: object) => getCategory(world.deps, world.anonymous, by);
    expect((await find({ id: inner.id })).id).toBe(inner.id);
    expect((await find({ projectSlug: 'open', path: 'docs/inner' })).id).toBe(inner.id);
    expect(await reasonOf(find({ projectSlug: 'open', path: 'inner' }))).toBe('NOT_FOUND');
    expect(await reasonOf(find({ id: hidden.id }))).toBe('NOT_FOUND');
    expect(await reasonOf(find({ projectSlug: 'open', path: 'docs/inner/app' }))).toBe('NOT_FOUND');
  });
});
