import { deltaBetween } from '../../domain/counters';
import type { OutboxItem } from '../../domain/ports';
import { StringsWorld } from '../../../test/support/memory/world';
import { recountTranslation } from './recount-translation';

function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const item: OutboxItem = { id: 'a', time: 5, translation: 11, delta: deltaBetween(null, unit, 1), changes: [] };
  const leave = () => world.units.outbox.set(7, [item]);
  const translated = async () => (await world.translations.get(11))!.counters.translated.s;
  return { world, item, leave, translated };
}

describe('recountTranslation', () => {
  it('recountTranslation replaces wrong counters and announces the translation', async () => {
    const { world, translated } = start();
    await recountTranslation(world.deps, 11, []);
    expect(await translated()).toBe(1);
    expect(world.effects).toEqual(['announce translation 11']);
  });

  it('a write that is still to be counted is subtracted, so that it counts once', async () => {
    const { world, item, leave, translated } = start();
    leave();
    await recountTranslation(world.deps, 11, []);
    expect(await translated()).toBe(0);
    await world.translations.applyDelta(11, [item], null);
    expect(await translated()).toBe(1);
  });

  it('an included item is counted now and never again', async () => {
    const { world, item, leave, translated } = start();
    leave();
    await recountTranslation(world.deps, 11, ['a']);
    expect(await translated()).toBe(1);
    await world.translations.applyDelta(11, [item], null);
    expect(await translated()).toBe(1);
  });

  it('a write during the recount makes it start again', async () => {
    const { world, leave, translated } = start();
    const { recount } = world.units;
    let counts = 0;
    world.units.recount = async (id) => {
      if (++counts === 1) leave();
      return recount.call(world.units, id);
    };
    await recountTranslation(world.deps, 11, []);
    expect(counts).toBe(2);
    expect(await translated()).toBe(0);
  });

  it('a counter update during the recount makes it start again', async () => {
    const { world, item, translated } = start();
    const { recount } = world.units;
    let counts = 0;
    world.units.recount = async (id) => {
      if (++counts === 1) await world.translations.applyDelta(11, [item], null);
      return recount.call(world.units, id);
    };
    await recountTranslation(world.deps, 11, []);
    expect(counts).toBe(2);
    expect(await translated()).toBe(1);
  });

  it('the last change and its author stay', async () => {
    const { world } = start();
    await world.translations.applyDelta(11, [], { time: 9, by: { author: 'Ana', authorId: 3, user: 3 } });
    await recountTranslation(world.deps, 11, []);
    expect((await world.translations.get(11))!.counters).toMatchObject({ lastChange: 9, lastAuthor: 'Ana' });
  });

  it('a deleted translation is not announced', async () => {
    const { world } = start();
    await recountTranslation(world.deps, 99, []);
    expect(world.effects).toEqual([]);
  });
});
