import { StringsWorld } from '../../../test/support/memory/world';
import { Action } from '../../domain/change';
import type { Unit } from '../../domain/unit';
import { changeOf } from '../history';
import { insertUnits, removeUnit, writeUnit, writeUnits, type UnitUpdate } from './write-units';

const author = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
const by = { author, time: 50 };

/** Strings 7 and 8 of a component, of which the second one fails a check. */
function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const { unit: other } = world.string(1, 8, 'World', { target: ['Svět.'], state: 20, checks: ['end_stop'] });
  const settled: [unit: number, item: unknown][] = [];
  const { settle, settleMany } = world.deps.effects;
  const deps = {
    ...world.deps,
    effects: {
      settle: async (...given: Parameters<typeof settle>) => {
        settled.push([given[0], given[1]]);
        return settle(...given);
      },
      settleMany: async (...given: Parameters<typeof settleMany>) => {
        settled.push(...given[1].map(({ unit: id, item }): [number, unknown] => [id, item]));
        return settleMany(...given);
      },
    },
  };
  return { world, deps, unit, other, settled };
}

function edit(unit: Unit, target: string, patch = {}): UnitUpdate {
  const change = changeOf(unit, author, 50, Action.targetChanged, target, unit.target.join(), {});
  return { unit, patch: { target: [target], ...patch }, changes: [change] };
}

describe('writeUnit', () => {
  it('stores the patch with its history and counters before the effects are carried out', async () => {
    const { world, deps, unit, settled } = start();
    expect(await writeUnit(deps, edit(unit, 'Nazdar', { state: 10 }), by)).toBe(true);
    expect(await world.units.get(7)).toMatchObject({ target: ['Nazdar'], state: 10, version: unit.version + 1 });
    expect(world.effects).toEqual(['store unit 7', 'settle unit 7']);
    expect(settled).toMatchObject([[7, { translation: 11, time: 50, changes: [{ unit: 7, target: 'Nazdar' }] }]]);
  });

  it('hands both texts to the checks that compare strings, and tells whether the failing state changed', async () => {
    const { deps, unit, other, settled } = start();
    await writeUnit(deps, edit(unit, 'Nazdar'), by);
    await writeUnit(deps, edit(other, 'Svět', { checks: [] }), by);
    expect(settled).toMatchObject([
      [7, { touched: { texts: [['Ahoj'], ['Nazdar']], failing: false } }],
      [8, { touched: { texts: [['Svět.'], ['Svět']], failing: true } }],
    ]);
  });

  it('a write of other fields touches no text', async () => {
    const { deps, unit, settled } = start();
    await writeUnit(deps, { unit, patch: { priority: 200 }, changes: [] }, by);
    expect(settled[0]![1]).not.toHaveProperty('touched');
  });

  it('has no effect when another writer was first', async () => {
    const { world, deps, unit } = start();
    world.units.rival = async () => world.units.put({ ...unit, version: unit.version + 1, target: ['Jiný'] });
    expect(await writeUnit(deps, edit(unit, 'Nazdar'), { ...by, contributes: true })).toBe(false);
    expect(await world.units.get(7)).toMatchObject({ target: ['Jiný'] });
    expect(world.effects).toEqual([]);
  });

  it('records the author as a contributor only where the write contributes', async () => {
    const { world, deps, unit, other } = start();
    await writeUnit(deps, edit(unit, 'Nazdar'), by);
    expect(world.effects).not.toContain('record contributor');
    await writeUnit(deps, edit(other, 'Svět'), { ...by, contributes: true });
    expect(world.effects).toContain('record contributor');
  });
});

describe('writeUnits', () => {
  it('writes what nobody else changed, and returns the rest', async () => {
    const { world, deps, unit, other, settled } = start();
    world.units.put({ ...unit, version: unit.version + 1 });
    const { done, late } = await writeUnits(deps, 11, [edit(unit, 'Nazdar'), edit(other, 'Svět')], by);
    expect([done, late].map((updates) => updates.map((update) => update.unit.id))).toEqual([[8], [7]]);
    expect(settled.map(([id]) => id)).toEqual([8]);
    expect(world.changes.map((change) => change.unit)).toEqual([8]);
  });

  it('settles more writes than fit into one portion, each with its own history', async () => {
    const { world, deps } = start();
    const units = Array.from({ length: 1_002 }, (_, i) => world.string(1, 2_000 + i, `Text ${i}`).unit);
    const updates = units.map((unit) => edit(unit, `Text ${unit.id}`));
    const { done } = await writeUnits(deps, 11, updates, by);
    expect(done).toHaveLength(1_002);
    expect(world.changes.map(({ unit, target }) => `${unit} ${String(target)}`)).toEqual(
      units.map(({ id }) => `${id} Text ${id}`),
    );
    expect(new Set(world.changes.map(({ id }) => id)).size).toBe(1_002);
  });
});

describe('removeUnit', () => {
  it('removes a unit with its history entry, unless another writer was first', async () => {
    const { world, deps, unit, other } = start();
    const removal = (of: Unit) => ({ unit: of, change: changeOf(of, author, 50, Action.stringRemoved, '', '', {}) });
    expect(await removeUnit(deps, removal(unit), by)).toBe(true);
    expect(await world.units.get(7)).toBeNull();
    expect(world.changes).toMatchObject([{ unit: 7, action: Action.stringRemoved }]);
    world.units.put({ ...other, version: other.version + 1 });
    expect(await removeUnit(deps, removal(other), by)).toBe(false);
    expect(await world.units.get(8)).not.toBeNull();
  });
});

describe('insertUnits', () => {
  it('inserts units whose keys are new, with one history entry each', async () => {
    const { world, deps, unit } = start();
    const fresh = { ...unit, id: 9, key: 'fresh', source: ['Fresh'] };
    const twin = { ...unit, id: 10 };
    const planned = [fresh, twin].map((one) => ({
      unit: one,
      change: changeOf(one, author, 50, Action.stringAdded, '', '', {}),
    }));
    expect((await insertUnits(deps, 11, planned, by)).map(({ id }) => id)).toEqual([9]);
    expect(world.changes.map((change) => change.unit)).toEqual([9]);
    expect(await world.units.get(10)).toBeNull();
  });
});
