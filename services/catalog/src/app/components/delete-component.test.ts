import { ChangeAction } from '@parlance/contracts';
import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { deleteComponent, removeReferences } from './delete-component';

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app');
  return { world, project, component };
}

describe('deleteComponent', () => {
  it('a component is deleted with its events, which are announced after its references are removed', async () => {
    const { world, component } = await start();
    const list = { id: 1, version: 1, name: 'L', slug: 'l', showDashboard: true, componentIds: [component.id, 99] };
    await world.lists.insert({ ...list, autoAssign: [] });
    await world.deps.agreements.put(component.id, 7, 'digest', 1);
    world.effects.clear();
    await deleteComponent(world.deps, world.admin, component.id);
    expect(world.effects.list).toEqual([
      `store component ${component.id} removed (componentDeleted, changeMade)`,
      'store list 1',
      `announce nodes ${component.id} (componentDeleted, changeMade)`,
    ]);
    expect((await world.lists.get(1))!.componentIds).toEqual([99]);
    expect(await world.deps.agreements.get(component.id, 7)).toBeNull();
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { action: ChangeAction.componentRemoved, target: 'APP', componentId: 0 },
    ]);
  });

  it('components that share the repository are deleted with its owner', async () => {
    const { world, project, component } = await start();
    const guest = await world.component(project.id, 'guest', {}, { linkedId: component.id });
    await deleteComponent(world.deps, world.admin, component.id);
    expect(await world.components.byIds([component.id, guest.id])).toEqual([]);
  });

  it('deleting a component that shares a repository keeps the owner', async () => {
    const { world, project, component } = await start();
    const guest = await world.component(project.id, 'guest', {}, { linkedId: component.id });
    await deleteComponent(world.deps, world.admin, guest.id);
    expect(await world.components.get(component.id)).not.toBeNull();
  });

  it('deleteComponent refuses while components that the caller may not delete use the repository, and names them', async () => {
    const { world, project, component } = await start();
    const other = await world.project('other');
    for (let i = 10; i < 21; i++) await world.component(other.id, `guest${i}`, {}, { linkedId: component.id });
    const remove = deleteComponent(world.deps, world.member(['component.edit'], [project.id]), component.id);
    expect(await fieldsOf(remove)).toEqual(['null:linked']);
    await expect(remove).rejects.toMatchObject({
      problems: [{ detail: expect.stringMatching(/: other\/guest10, .*other\/guest19, \.\.\.\. Revoke their links/) }],
    });
    expect(world.effects.list).toEqual([]);
  });

  it('deleting requires component.edit, and a deleted component does not exist', async () => {
    const { world, component } = await start();
    const remove = (context = world.admin) => deleteComponent(world.deps, context, component.id);
    expect(await reasonOf(remove(world.member(['project.edit'])))).toBe('PERMISSION_DENIED');
    await remove();
    expect(await reasonOf(remove())).toBe('NOT_FOUND');
  });

  it('removing references twice has no further effect', async () => {
    const { world, component } = await start();
    await removeReferences(world.deps, [component.id]);
    await removeReferences(world.deps, [component.id]);
    expect(world.effects.list).toEqual([]);
  });
});
