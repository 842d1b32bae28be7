import type { Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { sampleComponent } from '../../../test/support/samples';
import { rerunChecks } from './rerun-checks';

function start(settings = {}, fields: Partial<Unit> = {}, sourceFields: Partial<Unit> = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj.'], state: 20, checks: ['end_stop'], ...fields }, sourceFields);
  return { world, rerun: () => rerunChecks(world.deps, czech) };
}

describe('rerunChecks', () => {
  it('a flag of the component that disables a check ends its failure', async () => {
    const { world, rerun } = start({ checkFlags: 'ignore-end-stop' });
    await rerun();
    expect((await world.units.get(7))!.checks).toEqual([]);
    expect(world.changes).toEqual([]);
  });

  it('rerunChecks is idempotent', async () => {
    const { world, rerun } = start();
    await rerun();
    expect(world.effects).toEqual([]);
  });

  it('a read-only flag makes strings read-only until it is removed', async () => {
    const { world, rerun } = start({ checkFlags: 'read-only' });
    await rerun();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 20, checks: [] });
    world.components.set(1, sampleComponent(1));
    await rerun();
    expect(await world.units.get(7)).toMatchObject({ state: 20, checks: ['end_stop'] });
  });

  it('a string that the file marks as read-only stays so', async () => {
    const { world, rerun } = start({}, { state: 100, checks: [] });
    await rerun();
    expect(world.effects).toEqual([]);
  });

  it('flags of the source string count, too', async () => {
    const { world, rerun } = start({}, {}, { extraFlags: 'priority:200, ignore-end-stop' });
    await rerun();
    expect(await world.units.get(7)).toMatchObject({ priority: 200, checks: [] });
  });

  it('with an intermediate file, strings are read-only while their source is not written', async () => {
    const settings = { template: 'en.json', fileFormat: 'json', intermediate: 'dev.json' };
    const { world, rerun } = start(settings, {}, { target: [''], state: 0 });
    await rerun();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 20 });
  });

  it('a string that was written meanwhile is checked again', async () => {
    const { world, rerun } = start({ checkFlags: 'read-only' });
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, state: 10 });
    };
    await rerun();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 10 });
  });

  it('the strings of a deleted component stay as they are', async () => {
    const { world, rerun } = start({ checkFlags: 'read-only' });
    world.components.delete(1);
    await rerun();
    expect(world.effects).toEqual([]);
  });
});
