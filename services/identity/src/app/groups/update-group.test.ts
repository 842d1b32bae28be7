import { fieldsOf, reasonOf, withProject, World } from '../../../test/support/world';
import { createGroup } from './create-group';
import { updateGroup } from './update-group';

describe('updateGroup', () => {
  it('PATCH keeps other fields, PUT requires the name, and every field is validated', async () => {
    const world = await World.create();
    const doctors = { name: 'Doctors', definingProject: 0, projectSelection: 1 };
    const { id } = await createGroup(world.deps, world.operator, doctors);
    const update = (changes: object) => updateGroup(world.deps, world.operator, id, { replace: false, ...changes });
    expect(await update({ name: 'Nurses' })).toMatchObject({ name: 'Nurses', projectSelection: 1 });
    expect(await fieldsOf(update({ replace: true, projectSelection: 9 }))).toEqual([
      'name:required',
      'project_selection:invalid_choice',
    ]);
  });

  it('an update that changes nothing is not stored', async () => {
    const world = await World.create();
    const { id, version } = await createGroup(world.deps, world.operator, { name: 'x', definingProject: 0 });
    world.announced.all.length = 0;
    const update = (name: string) => updateGroup(world.deps, world.operator, id, { name, replace: false });
    expect((await update('x')).version).toBe(version);
    expect(world.announced.audit).toEqual([]);
    await update('y');
    expect(world.announced.audit).toMatchObject([{ action: 'group.update', details: { changed: ['name'] } }]);
  });

  it('a manager of a project cannot extend or move its teams beyond the project', async () => {
    const { world, as, teams } = await withProject();
    const update = (changes: object) => updateGroup(world.deps, as, teams[0]!.id, { replace: false, ...changes });
    expect(await fieldsOf(update({ projectSelection: 3 }))).toEqual(['project_selection:invalid']);
    expect(await reasonOf(update({ definingProject: 8 }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(update({ definingProject: 7, name: 'Managers' }))).toBe('OK');
  });

  it('a manager loses a team that moved to another project meanwhile', async () => {
    const { world, as, teams } = await withProject();
    const { id } = teams[1]!;
    const { update } = world.deps.groups;
    world.deps.groups.update = async (...args) => {
      world.deps.groups.update = update;
      await updateGroup(world.deps, world.operator, id, { definingProject: 8, replace: false });
      return update.apply(world.deps.groups, args);
    };
    expect(await reasonOf(updateGroup(world.deps, as, id, { name: 'Mine', replace: false }))).toBe('PERMISSION_DENIED');
    expect((await world.deps.groups.get(id))!.name).toBe('Review');
  });

  it('only callers with a second factor remove the requirement of one', async () => {
    const { world, as, teams } = await withProject();
    const { id } = teams[1]!;
    const update = (context: typeof as, enforced2fa: boolean) =>
      updateGroup(world.deps, context, id, { enforced2fa, replace: false });
    await update(world.operator, true);
    expect(await reasonOf(update(as, false))).toBe('PERMISSION_DENIED');
    expect((await world.deps.groups.get(id))!.enforced2fa).toBe(true);
  });
});
