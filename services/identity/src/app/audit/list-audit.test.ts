import { reasonOf, World } from '../../../test/support/world';
import { deleteUser } from '../users/delete-user';
import { listAudit } from './list-audit';
import { updateUser } from '../users/update-user';

const all = { skip: 0, limit: 100 };

describe('the audit log', () => {
  it('the audit log is sorted newest first and shows current user names', async () => {
    const world = await World.create();
    const root = await world.user('root', { isSuperuser: true });
    const ana = await world.user('ana');
    await updateUser(world.deps, await world.as(root), ana.id, { username: 'anna', replace: false });
    const read = async (filter: object) => (await listAudit(world.deps, world.operator, filter, all)).items;
    expect((await read({})).map((e) => `${e.actorName} ${e.action} ${e.targetName}`)).toEqual([
      'root user.update anna',
      'operator user.create anna',
      'operator user.create root',
    ]);
    expect(await read({ actorId: root.id })).toHaveLength(1);
    expect(await read({ action: 'user.c' })).toHaveLength(2);
    expect(await read({ target: { kind: 'user', id: ana.id } })).toHaveLength(2);
    await deleteUser(world.deps, world.operator, ana.id);
    expect(JSON.stringify(await read({}))).not.toContain('anna');
  });

  it('the audit log is visible to superusers only', async () => {
    const world = await World.create();
    const as = await world.as(await world.user('ana'));
    expect(await reasonOf(listAudit(world.deps, as, {}, all))).toBe('PERMISSION_DENIED');
  });
});
