import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { listLinked, revokeLinked } from './linked-components';

const page = { page: 1, size: 10 };

async function start() {
  const world = new UseCaseWorld();
  const home = await world.project('home');
  const away = await world.project('away', { accessControl: 100 });
  const owner = await world.component(home.id, 'owner');
  const guest = await world.component(away.id, 'guest', {}, { linkedId: owner.id });
  return { world, home, owner, guest, admin: world.member(['component.edit'], [home.id]) };
}

describe('components that share a repository', () => {
  it('the admins of the owner see all of them, also in hidden projects', async () => {
    const { world, owner, guest, admin } = await start();
    const { items, total } = await listLinked(world.deps, admin, owner.id, page);
    expect(total).toBe(1);
    expect(items).toMatchObject([{ place: { id: guest.id, projectSlug: 'away' }, projectName: 'AWAY' }]);
    const reader = world.member(['unit.edit']);
    expect(await reasonOf(listLinked(world.deps, reader, owner.id, page))).toBe('PERMISSION_DENIED');
  });

  it('a revoked component gets a local repository and a task that moves its files', async () => {
    const { world, owner, guest, admin } = await start();
    const taskId = await revokeLinked(world.deps, admin, owner.id, guest.id);
    expect(await world.components.get(guest.id)).toMatchObject({
      version: 2,
      linkedId: 0,
      taskId,
      branchIsDefault: false,
      settings: { vcs: 'local', repo: 'local:', branch: 'main' },
    });
    expect(world.effects.list).toEqual([
      `store component ${guest.id} (componentUpdated)`,
      `store component ${guest.id} task ${taskId}`,
      `announce nodes ${guest.id} (componentUpdated)`,
    ]);
    expect(world.effects.payloads('componentUpdated')).toMatchObject([{ changed: ['vcs', 'repo', 'branch'], taskId }]);
  });

  it('only links to the own repository are revoked, once', async () => {
    const { world, home, owner, guest, admin } = await start();
    const beside = await world.component(home.id, 'beside');
    expect(await reasonOf(revokeLinked(world.deps, admin, owner.id, beside.id))).toBe('NOT_FOUND');
    expect(await reasonOf(revokeLinked(world.deps, admin, beside.id, guest.id))).toBe('NOT_FOUND');
    await revokeLinked(world.deps, admin, owner.id, guest.id);
    expect(await reasonOf(revokeLinked(world.deps, admin, owner.id, guest.id))).toBe('NOT_FOUND');
  });

  it('revoking requires component.edit on the owner', async () => {
    const { world, owner, guest } = await start();
    const revoke = revokeLinked(world.deps, world.member(['vcs.push']), owner.id, guest.id);
    expect(await reasonOf(revoke)).toBe('PERMISSION_DENIED');
  });

  it('a component that changes concurrently is revoked with its new settings', async () => {
    const { world, owner, guest, admin } = await start();
    world.rival.beforeNextWrite(async () => {
      await world.components.replace({ ...guest, version: 2, settings: { ...guest.settings, priority: 60 } }, []);
    });
    await revokeLinked(world.deps, admin, owner.id, guest.id);
    expect(await world.components.get(guest.id)).toMatchObject({ linkedId: 0, settings: { priority: 60 } });
  });
});
