import { StringsWorld } from '../../../test/support/memory/world';
import { applySourceFlags } from './apply-source-flags';

async function start(flags: string, fields = {}, settings = {}) {
  const world = new StringsWorld();
  const { component } = world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj.'], state: 20, ...fields });
  world.units.put({ ...(await world.units.get(507))!, extraFlags: flags });
  const apply = async () => applySourceFlags(world.deps, component, (await world.units.get(507))!);
  return { world, apply };
}

describe('applySourceFlags', () => {
  it('caches are invalidated first, then translations are written, then related strings are checked', async () => {
    const { world, apply } = await start('read-only');
    await apply();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 20, target: ['Ahoj.'] });
    expect(world.effects).toEqual(['invalidate caches', 'store unit 7', 'settle unit 7', 'run context checks']);
  });

  it('without the flag, a translation returns to its former state', async () => {
    const { world, apply } = await start('', { state: 100, formerState: 20 });
    await apply();
    expect(await world.units.get(7)).toMatchObject({ state: 20 });
  });

  it('a flag that disables a check ends its failure', async () => {
    const { world, apply } = await start('ignore-end-stop', { checks: ['end_stop'] });
    await apply();
    expect((await world.units.get(7))!.checks).toEqual([]);
  });

  it('flags set the priority', async () => {
    const { world, apply } = await start('priority:200');
    await apply();
    expect((await world.units.get(7))!.priority).toBe(200);
  });

  it('a translation without a difference is not written', async () => {
    const { world, apply } = await start('', { target: ['Ahoj'] });
    await apply();
    expect(world.effects).not.toContain('store unit 7');
  });

  it('a translation that loses a race is decided again', async () => {
    const { world, apply } = await start('read-only');
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, state: 10 });
    };
    await apply();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 10 });
  });

  it('flags of a glossary term change the checks of other strings', async () => {
    const { world, apply } = await start('forbidden', {}, { isGlossary: true });
    await apply();
    expect(world.effects).toContain('terms changed everywhere');
  });
});
