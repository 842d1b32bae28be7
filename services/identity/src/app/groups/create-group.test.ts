import { fieldsOf, reasonOf, withProject, World } from '../../../test/support/world';
import { createGroup } from './create-group';

describe('createGroup', () => {
  it('a new group lists projects and languages, and every field is validated', async () => {
    const world = await World.create();
    const make = (input: object) => createGroup(world.deps, world.operator, { definingProject: 0, ...input });
    expect(await fieldsOf(make({ projectSelection: 5, languageSelection: -1 }))).toEqual([
      'name:required',
      'project_selection:invalid_choice',
      'language_selection:invalid_choice',
    ]);
    expect(await make({ name: 'Doctors', projectSelection: 1 })).toMatchObject({
      id: 7,
      projectSelection: 1,
      languageSelection: 0,
      projects: [],
    });
    expect(world.announced.audit).toMatchObject([{ action: 'group.create', targetId: 7, targetName: 'Doctors' }]);
  });

  it('a manager of a project creates teams of that project only, which reach that project only', async () => {
    const { world, as } = await withProject();
    const make = (input: object) => createGroup(world.deps, as, { name: 'x', definingProject: 7, ...input });
    expect(await reasonOf(make({ definingProject: 0 }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(make({ definingProject: 8 }))).toBe('PERMISSION_DENIED');
    expect(await fieldsOf(make({ projectSelection: 1 }))).toEqual(['project_selection:invalid']);
    expect(await make({})).toMatchObject({ definingProject: 7, projects: [7] });
  });
});
