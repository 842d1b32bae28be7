import { ChangeAction } from '@parlance/contracts';
import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { lockAll, setLock } from './lock-components';

async function start(settings = {}, more = {}) {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const { id } = await world.component(project.id, 'app', settings, more);
  const state = async () => {
    const { locked, lockReason } = (await world.components.get(id))!;
    return { locked, lockReason };
  };
  return { world, id, state };
}

describe('setLock', () => {
  it('a lock is stored with its events before it is announced', async () => {
    const { world, id, state } = await start();
    await setLock(world.deps, world.admin, id, true);
    expect(await state()).toEqual({ locked: true, lockReason: '' });
    expect(world.effects.list).toEqual([
      `store component ${id} (componentUpdated, changeMade)`,
      `announce nodes ${id} (componentUpdated, changeMade)`,
    ]);
    expect(world.effects.payloads('componentUpdated')).toMatchObject([{ changed: ['locked'] }]);
    expect(world.effects.payloads('changeMade')).toMatchObject([{ action: ChangeAction.componentLocked }]);
  });

  it('locking a locked component has no effect', async () => {
    const { world, id } = await start({}, { locked: true });
    await setLock(world.deps, world.admin, id, true);
    expect(world.effects.list).toEqual([]);
  });

  it('locking requires component.lock', async () => {
    const { world, id, state } = await start();
    expect(await reasonOf(setLock(world.deps, world.member(['component.edit']), id, true))).toBe('PERMISSION_DENIED');
    expect((await state()).locked).toBe(false);
  });

  it('a lock survives a concurrent change of the component', async () => {
    const { world, id } = await start();
    world.rival.beforeNextWrite(async () => {
      const before = (await world.components.get(id))!;
      await world.components.replace({ ...before, version: 2, settings: { ...before.settings, priority: 60 } }, []);
    });
    await setLock(world.deps, world.admin, id, true);
    expect(await world.components.get(id)).toMatchObject({ version: 3, locked: true, settings: { priority: 60 } });
  });
});

describe('lockAll', () => {
  const automatic = { reason: 'The push failed.' };

  it('an automatic lock carries its reason if the component allows it', async () => {
    const { world, id, state } = await start({ autoLockError: true });
    await lockAll(world.deps, world.service, [id], true, automatic);
    expect(await state()).toEqual({ locked: true, lockReason: 'The push failed.' });
    expect(world.effects.payloads('changeMade')).toMatchObject([
      { target: 'The push failed.', detailsJson: JSON.stringify({ auto: true }) },
    ]);
  });

  it('a component without automatic locks stays open after an error', async () => {
    const { world, id, state } = await start({ autoLockError: false });
    await lockAll(world.deps, world.service, [id], true, automatic);
    expect((await state()).locked).toBe(false);
  });

  it('an automatic lock is released automatically, the lock of a user only by a user', async () => {
    const byUser = await start({}, { locked: true, lockReason: '' });
    await lockAll(byUser.world.deps, byUser.world.service, [byUser.id], false, automatic);
    expect((await byUser.state()).locked).toBe(true);
    const byError = await start({}, { locked: true, lockReason: 'The push failed.' });
    await lockAll(byError.world.deps, byError.world.service, [byError.id], false, automatic);
    expect(await byError.state()).toEqual({ locked: false, lockReason: '' });
  });

  it('deleted components are skipped and announce nothing', async () => {
    const { world } = await start();
    await lockAll(world.deps, world.admin, [99], true);
    expect(world.effects.list).toEqual([]);
  });
});
