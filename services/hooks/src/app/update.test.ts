import { HooksWorld, reasonOf } from '../../test/support/memory/world';
import { updateComponent, updateProject } from './update';

describe('update by the deprecated addresses', () => {
  it('all components of a project are pulled; the answer names those that the caller sees', async () => {
    const world = new HooksWorld();
    const open = world.project(1, 'open');
    world.component(11, open);
    // The owner of a repository that a linked component of the project shares.
    world.component(21, world.project(2, 'closed', { accessControl: 100 }));
    const result = await updateProject(world.receiving, 1, world.anonymous);
    expect(result).toMatchObject({ message: 'Updating open.', componentIds: [11] });
    expect(world.inbound.stored[0]!.delivery.pulls.map((p) => p.componentId)).toEqual([11, 21]);
    expect(world.effects).toEqual(['store delivery', 'publish events']);
  });

  it('repositories of other projects are pulled only if these accept unsigned hooks', async () => {
    const world = new HooksWorld();
    world.component(11, world.project(1, 'open'));
    const other = world.project(2, 'other');
    world.component(21, other, { enabled: false });
    world.component(22, other, { secret: 'shared' });
    await updateProject(world.receiving, 1, world.anonymous);
    expect(world.inbound.stored[0]!.delivery.pulls.map((p) => p.componentId)).toEqual([11]);
  });

  it('one component is pulled by its id', async () => {
    const world = new HooksWorld();
    const open = world.project(1, 'open');
    world.component(11, open);
    world.component(12, open);
    const { message, taskId } = await updateComponent(world.receiving, 12, world.anonymous);
    expect(message).toBe('Updating open/c12.');
    expect(world.inbound.stored[0]!.delivery.pulls).toMatchObject([{ componentId: 12, taskId }]);
  });

  it('a project with a secret requires vcs.update', async () => {
    const world = new HooksWorld();
    world.component(11, world.project(1, 'open', { hasSecret: true }));
    expect(await reasonOf(updateProject(world.receiving, 1, world.anonymous))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(updateProject(world.receiving, 1, world.member('vcs.update')))).toBe('OK');
  });

  it('updates by the deprecated addresses refuse hidden objects, projects without hooks and a site without hooks', async () => {
    const world = new HooksWorld();
    world.component(21, world.project(2, 'closed', { accessControl: 100 }));
    world.component(31, world.project(3, 'deaf', { enableHooks: false }));
    expect(await reasonOf(updateProject(world.receiving, 2, world.anonymous))).toBe('NOT_FOUND');
    expect(await reasonOf(updateComponent(world.receiving, 21, world.anonymous))).toBe('NOT_FOUND');
    expect(await reasonOf(updateProject(world.receiving, 3, world.anonymous))).toBe('METHOD_NOT_ALLOWED');
    const off = { ...world.receiving, enabled: false };
    expect(await reasonOf(updateComponent(off, 31, world.anonymous))).toBe('METHOD_NOT_ALLOWED');
  });
});
