import { Action, type Change } from '../../domain/change';
import { deltaBetween } from '../../domain/counters';
import type { OutboxItem } from '../../domain/ports';
import { StringsWorld } from '../../../test/support/memory/world';
import { UnitEffects } from './unit-effects';

const by = { author: 'Ana', authorId: 3, user: 3 };

function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const failing = { checks: false };
  const log = (effect: string) => void world.effects.push(effect);
  const effects = new UnitEffects(world.deps, {
    checks: async (touched) => {
      if (failing.checks) throw new Error('no checks');
      if (touched.length > 0) log(`check ${touched.map((t) => t.unit).join(' ')}`);
    },
    completed: async ({ id }) => log(`completed translation ${id}`),
    propagate: async (id) => log(`propagate unit ${id}`),
  });
  /** The outbox item of a new translated string. */
  const itemOf = (id: string, more: Partial<OutboxItem> = {}): OutboxItem => {
    const change: Change = {
      id: Number(id),
      action: Action.firstTarget,
      time: 5,
      project: 1,
      component: 1,
      translation: 11,
      unit: 7,
      language: 'cs',
      user: 3,
      author: 3,
      target: 'Ahoj',
      old: '',
      details: {},
    };
    const item = { id, time: 5, translation: 11, delta: deltaBetween(null, unit, 1), changes: [change], ...more };
    world.units.outbox.set(7, [...(world.units.outbox.get(7) ?? []), item]);
    return item;
  };
  const translated = async () => (await world.translations.get(11))!.counters.translated.s;
  return { world, effects, itemOf, translated, failing };
}

describe('settle', () => {
  it('counters, history and event follow before the answer; the outbox is cleared later', async () => {
    const { world, effects, itemOf, translated } = start();
    const settled = await effects.settle(7, itemOf('1'), { time: 5, by });
    expect(settled!.counters).toMatchObject({
      translated: { s: 1 },
      contentChanges: 1,
      lastChange: 5,
      lastAuthor: 'Ana',
    });
    expect(world.changes).toMatchObject([{ id: 1 }]);
    expect(world.effects).toEqual(expect.arrayContaining(['count 1 in translation 11', 'announce translation 11']));
    expect(world.units.outbox.get(7)).toHaveLength(1);
    await effects.stop();
    expect(world.units.outbox.size).toBe(0);
    expect(await translated()).toBe(1);
  });

  it('checks of related strings run before the item is cleared', async () => {
    const { world, effects, itemOf } = start();
    await effects.settle(7, itemOf('1', { touched: { texts: [['Ahoj']], failing: false } }), null);
    await effects.stop();
    expect(world.effects.slice(-2)).toEqual(['check 7', 'clear outbox of 7']);
  });

  it('an item whose checks failed stays in the outbox, and recovery repeats them', async () => {
    const { world, effects, itemOf, failing } = start();
    failing.checks = true;
    await effects.settle(7, itemOf('1', { touched: { texts: [['Ahoj']], failing: false } }), null);
    await effects.stop();
    expect(world.units.outbox.size).toBe(1);
    failing.checks = false;
    expect(await effects.recover(0)).toBe(1);
    expect(world.effects).toContain('check 7');
    expect(world.units.outbox.size).toBe(0);
  });

  it('only the write that completes the translation is reported', async () => {
    const { world, effects, itemOf } = start();
    const { unit: open } = world.string(1, 8, 'Bye');
    const completed = () => world.effects.filter((effect) => effect === 'completed translation 11').length;
    const last = { time: 5, by };
    await effects.settle(8, itemOf('1', { delta: deltaBetween(null, open, 0) }), last);
    expect(completed()).toBe(0);
    await effects.settle(8, itemOf('2', { delta: deltaBetween(open, { ...open, state: 20 }, 1) }), last);
    expect(completed()).toBe(1);
    await effects.settle(8, itemOf('3', { delta: { groups: {}, checks: 1, contentChanges: 0 } }), last);
    expect(completed()).toBe(1);
    await effects.stop();
  });

  it('concurrent writes to a translation share their counter updates and events', async () => {
    const { world, effects, itemOf, translated } = start();
    const items = ['1', '2', '3', '4'].map((id) => itemOf(id));
    await Promise.all(items.map((item) => effects.settle(7, item, null)));
    await effects.stop();
    expect(await translated()).toBe(4);
    const counted = world.effects.filter((effect) => effect.startsWith('count'));
    expect(counted).toEqual(['count 1 in translation 11', 'count 3 in translation 11']);
  });

  it('an item that propagates is cleared only after its copies were written', async () => {
    const { world, effects, itemOf } = start();
    const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };
    const propagation = { target: ['Ahoj'], state: 20, author, components: [] };
    const failed = effects.settle(7, itemOf('1', { propagation }), null, () => Promise.reject(new Error('lost')));
    await expect(failed).rejects.toThrow('lost');
    await effects.stop();
    expect(world.units.outbox.size).toBe(1);
    await effects.recover(0);
    expect(world.effects).toContain('propagate unit 7');
    expect(world.units.outbox.size).toBe(0);
  });
});

describe('settleMany', () => {
  it('items without checks to follow are cleared at once', async () => {
    const { world, effects, itemOf, translated } = start();
    await effects.settleMany(11, [{ unit: 7, item: itemOf('1') }], null);
    expect(await translated()).toBe(1);
    expect(world.units.outbox.size).toBe(0);
  });

  it('without writes nothing is announced', async () => {
    const { world, effects } = start();
    expect(await effects.settleMany(11, [], null)).toBeNull();
    expect(world.effects).toEqual([]);
  });
});

describe('recover', () => {
  it('recovery completes history, counters and event of a write that a crash interrupted', async () => {
    const { world, effects, itemOf, translated } = start();
    itemOf('1');
    expect(await effects.recover(0)).toBe(1);
    expect(world.changes).toMatchObject([{ id: 1 }]);
    expect(await translated()).toBe(1);
    expect(world.effects).toContain('announce translation 11');
    expect(world.units.outbox.size).toBe(0);
  });

  it('recovery does not count an item twice that was counted before the crash', async () => {
    const { world, effects, itemOf, translated } = start();
    const item = itemOf('1');
    await world.translations.applyDelta(11, [item], null);
    await world.deps.changes.insert(item.changes);
    await effects.recover(0);
    expect(await translated()).toBe(1);
    expect(world.changes).toHaveLength(1);
  });

  it('recovery leaves items in progress and young items alone', async () => {
    const { world, effects, itemOf } = start();
    itemOf('1', { time: Date.now() });
    expect(await effects.recover()).toBe(0);
    await effects.settle(7, itemOf('2'), null);
    expect(await effects.recover(-60_000)).toBe(1);
    expect(world.units.outbox.get(7)).toMatchObject([{ id: '2' }]);
    await effects.stop();
  });

  it('recovery deletes the documents of removed units afterwards', async () => {
    const { world, effects } = start();
    expect(await effects.recover(0)).toBe(0);
    expect(world.effects).toEqual(['delete processed units']);
  });
});
