import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import {
  addToComponentList,
  createComponentList,
  deleteComponentList,
  getComponentList,
  listComponentLists,
  removeFromComponentList,
  updateComponentList,
  type ComponentListInput,
} from './component-lists';

const page = { page: 1, size: 10 };
const input = { name: 'Apps', slug: 'apps', autoAssign: [], hasAutoAssign: false } satisfies ComponentListInput;

async function start() {
  const world = new UseCaseWorld();
  const open = await world.project('open');
  const closed = await world.project('closed', { accessControl: 100 });
  const docs = await world.category(open.id, 'docs');
  const app = await world.component(open.id, 'app', {}, { categoryId: docs.id });
  const secret = await world.component(closed.id, 'app');
  const { list } = await createComponentList(world.deps, world.admin, input);
  world.effects.clear();
  return { world, app, secret, list };
}

describe('component lists', () => {
  it('a new list is shown on dashboards unless asked otherwise', async () => {
    const { world, list } = await start();
    expect(list).toMatchObject({ version: 1, showDashboard: true, componentIds: [] });
    const hidden = { ...input, name: 'B', slug: 'b', showDashboard: false };
    expect((await createComponentList(world.deps, world.admin, hidden)).list.showDashboard).toBe(false);
    expect(world.effects.list.at(-1)).toBe('announce a new generation');
  });

  it('names and slugs are unique, and patterns of rules must be valid', async () => {
    const { world } = await start();
    const autoAssign = [
      { projectMatch: '(', componentMatch: 'a' },
      { projectMatch: 'a', componentMatch: 'x'.repeat(201) },
    ];
    expect(await fieldsOf(createComponentList(world.deps, world.admin, { ...input, autoAssign }))).toEqual([
      'auto_assign.0.project_match:invalid',
      'auto_assign.1.component_match:invalid',
      'name:unique',
      'slug:unique',
    ]);
    const rules = Array.from({ length: 101 }, () => ({ projectMatch: 'a', componentMatch: 'a' }));
    const many = createComponentList(world.deps, world.admin, { ...input, name: 'B', slug: 'b', autoAssign: rules });
    expect(await fieldsOf(many)).toEqual(['auto_assign:max_length']);
  });

  it('a missing pattern matches nothing', async () => {
    const { world, list } = await start();
    const autoAssign = [{ projectMatch: '^open$', componentMatch: '' }];
    const given = { autoAssign, hasAutoAssign: true };
    const updated = await updateComponentList(world.deps, world.admin, list.id, given, false);
    expect(updated.list.autoAssign).toEqual([{ projectMatch: '^open$', componentMatch: '^$' }]);
  });

  it('an update without rules keeps them, and a replacement requires name and slug', async () => {
    const { world, list } = await start();
    const rules = [{ projectMatch: 'a', componentMatch: 'b' }];
    const update = (given: Partial<ComponentListInput>, replace = false) =>
      updateComponentList(
        world.deps,
        world.admin,
        list.id,
        { autoAssign: [], hasAutoAssign: false, ...given },
        replace,
      );
    await update({ autoAssign: rules, hasAutoAssign: true });
    expect((await update({ name: 'Renamed' })).list).toMatchObject({
      name: 'Renamed',
      slug: 'apps',
      autoAssign: rules,
    });
    expect(await fieldsOf(update({}, true))).toEqual(['name:required', 'slug:required']);
  });

  it('changing lists requires componentlist.edit', async () => {
    const { world, list, app } = await start();
    const reader = world.member(['component.edit']);
    const calls = [
      createComponentList(world.deps, reader, { ...input, name: 'B', slug: 'b' }),
      updateComponentList(world.deps, reader, list.id, input, false),
      addToComponentList(world.deps, reader, list.id, app.id),
      removeFromComponentList(world.deps, reader, list.id, 'app'),
      deleteComponentList(world.deps, reader, list.id),
    ];
    for (const call of calls) expect(await reasonOf(call)).toBe('PERMISSION_DENIED');
  });

  it('components are added once and shown to those who see them', async () => {
    const { world, list, app, secret } = await start();
    await addToComponentList(world.deps, world.admin, list.id, app.id);
    await addToComponentList(world.deps, world.admin, list.id, secret.id);
    await addToComponentList(world.deps, world.admin, list.id, app.id);
    const shown = async (context = world.admin) =>
      (await getComponentList(world.deps, context, { slug: 'apps' })).components.map(
        (c) => `${c.projectSlug}/${c.path}`,
      );
    expect(await shown()).toEqual(['open/docs/app', 'closed/app']);
    expect(await shown(world.anonymous)).toEqual(['open/docs/app']);
  });

  it('component lists refuse to add missing and hidden components', async () => {
    const { world, list, secret } = await start();
    const editor = world.member(['componentlist.edit'], 'all', {
      grants: [
        { permissions: ['componentlist.edit'], projects: 'all' as const, components: [] },
        { permissions: [], projects: 'public' as const },
      ],
    });
    expect(await fieldsOf(addToComponentList(world.deps, world.admin, list.id, 0))).toEqual(['component_id:required']);
    expect(await fieldsOf(addToComponentList(world.deps, world.admin, list.id, 99))).toEqual([
      'component_id:does_not_exist',
    ]);
    expect(await reasonOf(addToComponentList(world.deps, editor, list.id, secret.id))).not.toBe('OK');
  });

  it('a list whose components are all hidden does not exist, an empty one does', async () => {
    const { world, list, secret } = await start();
    const total = async () => (await listComponentLists(world.deps, world.anonymous, page)).total;
    expect(await total()).toBe(1);
    await addToComponentList(world.deps, world.admin, list.id, secret.id);
    expect(await total()).toBe(0);
    expect(await reasonOf(getComponentList(world.deps, world.anonymous, { id: list.id }))).toBe('NOT_FOUND');
  });

  it('a component is removed by its path or, if that names none, by its slug', async () => {
    const { world, list, app, secret } = await start();
    await addToComponentList(world.deps, world.admin, list.id, app.id);
    await addToComponentList(world.deps, world.admin, list.id, secret.id);
    const remove = (slug: string) => removeFromComponentList(world.deps, world.admin, list.id, slug);
    await remove('closed/app');
    expect((await world.lists.get(list.id))!.componentIds).toEqual([app.id]);
    await remove('app');
    expect((await world.lists.get(list.id))!.componentIds).toEqual([]);
    expect(await reasonOf(remove('app'))).toBe('NOT_FOUND');
  });

  it('a deleted list does not exist', async () => {
    const { world, list } = await start();
    await deleteComponentList(world.deps, world.admin, list.id);
    expect(await reasonOf(deleteComponentList(world.deps, world.admin, list.id))).toBe('NOT_FOUND');
  });
});
