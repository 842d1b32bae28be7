import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import {
  listComponentIds,
  pageOfComponents,
  pageOfProjects,
  visibleByIds,
  type ComponentFilter,
} from './list-components';

const everywhere: ComponentFilter = { projectId: 0, categoryId: 0, componentListId: 0 };

async function start() {
  const world = new UseCaseWorld();
  const open = await world.project('open');
  const closed = await world.project('closed', { accessControl: 100 });
  const docs = await world.category(open.id, 'docs');
  const inner = await world.category(open.id, 'inner', { categoryId: docs.id });
  const top = await world.component(open.id, 'top');
  const nested = await world.component(open.id, 'nested', {}, { categoryId: inner.id });
  const restricted = await world.component(open.id, 'restricted', { restricted: true });
  const secret = await world.component(closed.id, 'secret', {}, { links: [open.id] });
  return {
    world,
    open,
    closed,
    docs,
    ids: { top: top.id, nested: nested.id, restricted: restricted.id, secret: secret.id },
  };
}

describe('lists of components', () => {
  it('a list contains the components that the caller may see, by id', async () => {
    const { world, ids } = await start();
    const list = (context = world.admin) => listComponentIds(world.deps, context, everywhere, 'without');
    expect(await list()).toEqual([ids.top, ids.nested, ids.restricted, ids.secret]);
    expect(await list(world.anonymous)).toEqual([ids.top, ids.nested]);
  });

  it('components of a category include those of nested categories', async () => {
    const { world, docs, ids } = await start();
    const where = { ...everywhere, categoryId: docs.id };
    expect(await listComponentIds(world.deps, world.admin, where, 'without')).toEqual([ids.nested]);
  });

  it('a project lists components that it shows of other projects on request, if the caller sees them', async () => {
    const { world, open, ids } = await start();
    const list = (links: 'without' | 'with' | 'only', context = world.admin) =>
      listComponentIds(world.deps, context, { ...everywhere, projectId: open.id }, links);
    expect(await list('without')).toEqual([ids.top, ids.nested, ids.restricted]);
    expect(await list('with')).toEqual([ids.top, ids.nested, ids.restricted, ids.secret]);
    expect(await list('only')).toEqual([ids.secret]);
    expect(await list('only', world.anonymous)).toEqual([]);
  });

  it('a component list shows its visible components, and a list of hidden ones does not exist', async () => {
    const { world, ids } = await start();
    const list = { version: 1, showDashboard: true, autoAssign: [] };
    await world.lists.insert({ ...list, id: 1, name: 'A', slug: 'a', componentIds: [ids.secret, ids.top] });
    await world.lists.insert({ ...list, id: 2, name: 'B', slug: 'b', componentIds: [ids.secret] });
    const idsOf = (componentListId: number) =>
      listComponentIds(world.deps, world.anonymous, { ...everywhere, componentListId }, 'without');
    expect(await idsOf(1)).toEqual([ids.top]);
    expect(await reasonOf(idsOf(2))).toBe('NOT_FOUND');
  });

  it('lists of hidden projects do not exist', async () => {
    const { world, closed } = await start();
    const list = listComponentIds(world.deps, world.anonymous, { ...everywhere, projectId: closed.id }, 'without');
    expect(await reasonOf(list)).toBe('NOT_FOUND');
  });

  it('pages count visible objects only', async () => {
    const { world, open, ids } = await start();
    const second = { page: 2, size: 1 };
    const components = await pageOfComponents(world.deps, world.anonymous, everywhere, second);
    expect({ ids: components.items.map((c) => c.id), total: components.total }).toEqual({
      ids: [ids.nested],
      total: 2,
    });
    const projects = await pageOfProjects(world.deps, world.anonymous, { page: 1, size: 5 });
    expect({ ids: projects.items.map((p) => p.id), total: projects.total }).toEqual({ ids: [open.id], total: 1 });
  });

  it('reading by ids omits hidden and missing components and projects without a component', async () => {
    const { world, open, ids } = await start();
    const found = await visibleByIds(world.deps, world.anonymous, [ids.secret, ids.nested, ids.restricted, 999]);
    expect(found.components.map((c) => c.id)).toEqual([ids.nested]);
    expect(found.projects.map((p) => p.id)).toEqual([open.id]);
  });
});
