import { World } from '../../test/support/world';
import { ANONYMOUS_ID } from '../domain/user';
import { bootstrap } from './bootstrap';
import { createRole, deleteRole } from './groups/roles';

const all = { skip: 0, limit: 100 };
const namesIn = async (world: World) => ({
  roles: (await world.deps.roles.list(undefined, all)).items.map(({ name }) => name),
  groups: (await world.deps.groups.list(undefined, all)).items.map(({ name }) => name),
});

describe('bootstrap', () => {
  it('a second process that starts at the same time creates nothing twice', async () => {
    const world = new World();
    await Promise.all([bootstrap(world.deps), bootstrap(world.deps)]);
    const { roles, groups } = await namesIn(world);
    expect(new Set(roles).size).toBe(roles.length);
    expect(new Set(groups).size).toBe(groups.length);
    expect(await world.deps.users.get(ANONYMOUS_ID)).toMatchObject({ isActive: false });
  });

  it('a deleted default stays deleted after a restart', async () => {
    const world = await World.create();
    const { id, name } = (await world.deps.roles.list(undefined, all)).items[0]!;
    await deleteRole(world.deps, world.operator, id);
    await bootstrap(world.deps);
    expect((await namesIn(world)).roles).not.toContain(name);
  });

  it('an interrupted deletion of a role is completed', async () => {
    const world = await World.create();
    const role = await createRole(world.deps, world.operator, { name: 'Temporary', permissions: [] });
    await world.deps.roles.update(role.id, (stored) => ({
      next: { ...stored, deleted: true },
      announce: { audit: [] },
    }));
    expect(await world.deps.roles.beingDeleted()).toHaveLength(1);
    await bootstrap(world.deps);
    expect(await world.deps.roles.beingDeleted()).toEqual([]);
  });
});
