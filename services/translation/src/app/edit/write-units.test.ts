import { StringsWorld } from '../../../test/support/memory/world';
import { Action } from '../../domain/change';
import type { LastChange, OutboxItem } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { changeOf } from '../history';
import { insertUnits, removeUnit, writeUnit, writeUnits, type UnitUpdate } from './write-units';

/** String 7 of the Czech translation 11, with writes by user 3. */
function start(fields: Partial<Unit> = {}) {
  const world = new StringsWorld();
  world.component(1);
  const { unit, source } = world.string(1, 7, 'Hello', fields);
  world.user(3, []);
  const lastChanges: (LastChange | null)[] = [];
  const { effects } = world.deps;
  const deps = {
    ...world.deps,
    effects: {
      settle: (id: number, item: OutboxItem, last: LastChange | null, finish?: () => Promise<void>) => {
        lastChanges.push(last);
        return effects.settle(id, item, last, finish);
      },
      settleMany: (translation: number, entries: { unit: number; item: OutboxItem }[], last: LastChange | null) => {
        lastChanges.push(last);
        return effects.settleMany(translation, entries);
      },
    },
  };
  const by = { author: world.authors.get(3)!, time: 50 };
  const changeOfText = (of: Unit, text: string) =>
    changeOf(of, by.author, by.time, Action.targetChanged, text, of.target[0]!, {});
  const textOf = (of: Unit, text: string): UnitUpdate => ({
    unit: of,
    patch: { target: [text], state: 20 },
    changes: [changeOfText(of, text)],
  });
  /** Another writer changes a unit. */
  const changeMeanwhile = async (id = 7) => {
    world.units.put({ ...(await world.units.get(id))!, version: 5 });
  };
  return { world, deps, unit, source, by, textOf, changeOfText, changeMeanwhile, lastChanges };
}

describe('writeUnit', () => {
  it('a write is stored with its effects, which are carried out before the last one of the caller', async () => {
    const { world, deps, unit, textOf, by } = start();
    const finish = async () => void world.effects.push('finish');
    expect(await writeUnit(deps, textOf(unit, 'Ahoj'), { ...by, contributes: true }, finish)).toBe(true);
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], version: 2 });
    expect(world.effects).toEqual(['store unit 7', 'settle unit 7', 'finish', 'record contributor']);
  });

  it('a recent unit follows the writes of its process, one by one and in bulk, unless they lose their race', async () => {
    const { world, deps, unit, textOf, by, changeMeanwhile } = start();
    const { recentUnits } = world.deps;
    recentUnits.record([unit]);
    await writeUnit(deps, textOf(unit, 'Ahoj'), by);
    expect(recentUnits.get(7)).toEqual(await world.units.get(7));
    await writeUnits(deps, 11, [textOf(recentUnits.get(7)!, 'Nazdar')], by);
    const written = await world.units.get(7);
    expect([written!.target, recentUnits.get(7)]).toEqual([['Nazdar'], written]);
    await changeMeanwhile();
    await writeUnit(deps, textOf(written!, 'Lost'), by);
    await writeUnits(deps, 11, [textOf(written!, 'Lost')], by);
    expect(recentUnits.get(7)).toEqual(written);
  });

  it('the stored effects are the history entries with their ids, the counters and the texts to check', async () => {
    const { world, deps, unit, textOf, by } = start();
    await writeUnit(deps, textOf(unit, 'Ahoj'), by);
    const [item] = world.units.outbox.get(7)!;
    expect(item).toMatchObject({
      time: 50,
      translation: 11,
      changes: [{ id: 1, action: Action.targetChanged, target: 'Ahoj', unit: 7 }],
      touched: { texts: [['Ahoj']], failing: false },
    });
    expect(item!.delta).toMatchObject({ contentChanges: 1, groups: { translated: { s: 1, w: 2, c: 9 } } });
  });

  it('a write that loses its race has no effect', async () => {
    const { world, deps, unit, textOf, by, changeMeanwhile } = start();
    world.units.rival = changeMeanwhile;
    const finish = jest.fn();
    expect(await writeUnit(deps, textOf(unit, 'Ahoj'), { ...by, contributes: true }, finish)).toBe(false);
    expect(world.effects).toEqual([]);
    expect(finish).not.toHaveBeenCalled();
    expect((await world.units.get(7))!.target).toEqual(['']);
  });

  it('an edit to be copied to other components is a part of the stored effects', async () => {
    const { world, deps, unit, textOf, by } = start();
    const propagation = { target: ['Ahoj'], state: 20, author: by.author, components: [{ id: 2, mayReview: false }] };
    await writeUnit(deps, { ...textOf(unit, 'Ahoj'), propagation }, by);
    expect(world.units.outbox.get(7)![0]!.propagation).toEqual(propagation);
  });

  it.each([
    ['starts to fail', [], ['end_stop'], true],
    ['stops failing', ['end_stop'], [], true],
    ['fails as before', ['end_stop'], ['end_colon'], false],
  ])('the effects say whether a string %s', async (_, before, after, failing) => {
    const { world, deps, unit, textOf, by } = start({ checks: before });
    const update = textOf(unit, 'Ahoj');
    await writeUnit(deps, { ...update, patch: { ...update.patch, checks: after } }, by);
    expect(world.units.outbox.get(7)![0]!.touched).toMatchObject({ failing });
  });

  it('texts before and after the edit are checked again, except blank ones', async () => {
    const { world, deps, unit, textOf, by } = start({ target: ['Nazdar'], state: 20 });
    await writeUnit(deps, textOf(unit, 'Ahoj'), by);
    expect(world.units.outbox.get(7)![0]!.touched!.texts).toEqual([['Nazdar'], ['Ahoj']]);
  });

  it('source strings, and fields that no other string is compared with, need no checks of other strings', async () => {
    const { world, deps, unit, source, textOf, by } = start();
    await writeUnit(deps, { unit, patch: { explanation: 'A greeting.' }, changes: [] }, by);
    await writeUnit(deps, textOf(source, 'Hello!'), by);
    expect(world.units.outbox.get(7)![0]).not.toHaveProperty('touched');
    expect(world.units.outbox.get(507)![0]).not.toHaveProperty('touched');
  });

  it('the last change of the translation has the newest time, and its author if there is one', async () => {
    const { deps, unit, textOf, changeOfText, by, lastChanges } = start();
    const changes = [{ ...changeOfText(unit, 'Ahoj'), time: 80 }, changeOfText(unit, 'Ahoj')];
    await writeUnit(deps, { ...textOf(unit, 'Ahoj'), changes }, by);
    const read = { ...unit, version: 2 };
    await writeUnit(deps, textOf(read, 'Nazdar'), { author: null, time: 90 });
    await writeUnit(deps, { unit: { ...unit, version: 3 }, patch: { labels: [5] }, changes: [] }, by);
    expect(lastChanges).toEqual([
      { time: 80, by: expect.objectContaining({ authorId: 3, user: 3 }) },
      { time: 50, by: null },
      null,
    ]);
  });
});

describe('removeUnit', () => {
  it('a removed unit is taken out of the counters and stays in the history', async () => {
    const { world, deps, unit, changeOfText, by } = start({ target: ['Ahoj'], state: 20 });
    expect(await removeUnit(deps, { unit, change: changeOfText(unit, '') }, by)).toBe(true);
    expect(await world.units.get(7)).toBeNull();
    expect(world.effects).toEqual(['remove unit 7', 'settle unit 7']);
    expect(world.units.outbox.get(7)![0]!.delta.groups).toMatchObject({ all: { s: -1 }, translated: { s: -1 } });
    expect(world.changes).toMatchObject([{ id: 1, unit: 7 }]);
  });

  it('a unit that was changed meanwhile is not removed', async () => {
    const { world, deps, unit, changeOfText, by, changeMeanwhile } = start();
    world.units.rival = changeMeanwhile;
    expect(await removeUnit(deps, { unit, change: changeOfText(unit, '') }, by)).toBe(false);
    expect(await world.units.get(7)).not.toBeNull();
    expect(world.effects).toEqual([]);
  });
});

describe('writeUnits', () => {
  it('updates that lose their race are returned, and only the others have effects', async () => {
    const { world, deps, unit, textOf, by } = start();
    const { unit: other } = world.string(1, 8, 'Bye');
    world.units.put({ ...unit, version: 5 });
    const planned = [textOf(unit, 'Ahoj'), textOf(other, 'Sbohem')];
    const { done, late } = await writeUnits(deps, 11, planned, { ...by, contributes: true });
    expect([done, late]).toEqual([[planned[1]], [planned[0]]]);
    expect(world.effects).toEqual(['store unit 8', 'settle unit 8', 'record contributor']);
  });

  it('a user whose writes all lose their race is not recorded as a contributor', async () => {
    const { world, deps, unit, textOf, by } = start();
    world.units.put({ ...unit, version: 5 });
    await writeUnits(deps, 11, [textOf(unit, 'Ahoj')], { ...by, contributes: true });
    expect(world.effects).toEqual([]);
  });

  it('every unit gets its own history entries, however many each has', async () => {
    const { world, deps, unit, textOf, changeOfText, by } = start();
    const { unit: second } = world.string(1, 8, 'Bye');
    const { unit: third } = world.string(1, 9, 'Thanks');
    const twice = { ...textOf(unit, 'Ahoj'), changes: [changeOfText(unit, 'Ahoj'), changeOfText(unit, 'Nazdar')] };
    await writeUnits(deps, 11, [twice, { ...textOf(second, 'Sbohem'), changes: [] }, textOf(third, 'Díky')], by);
    const entries = (id: number) => world.units.outbox.get(id)![0]!.changes.map((c) => [c.id, c.unit, c.target]);
    expect([7, 8, 9].map(entries)).toEqual([
      [
        [1, 7, 'Ahoj'],
        [2, 7, 'Nazdar'],
      ],
      [],
      [[3, 9, 'Díky']],
    ]);
  });

  it('effects are carried out after at most 1 000 writes, which bounds what a crash leaves', async () => {
    const { world, deps, textOf, by } = start();
    const planned = Array.from({ length: 1_001 }, (_, i) => textOf(world.string(1, 1_001 + i, `Text ${i}`).unit, 'x'));
    const { done } = await writeUnits(deps, 11, planned, by);
    expect(done).toHaveLength(1_001);
    const isWrite = (effect: string) => effect.startsWith('store');
    expect(world.effects.findIndex((effect) => !isWrite(effect))).toBe(1_000);
    expect(world.effects.findLastIndex(isWrite)).toBe(2_000);
  });
});

describe('insertUnits', () => {
  it('units whose keys exist are skipped, and only the others have history and counters', async () => {
    const { world, deps, unit, changeOfText, by } = start();
    const added = { ...unit, id: 8, key: 'another key' };
    const planned = [unit, added].map((of) => ({ unit: of, change: changeOfText(of, '') }));
    expect(await insertUnits(deps, 11, planned, by)).toEqual([added]);
    expect(await world.units.get(8)).toEqual(added);
    expect(world.effects).toEqual(['settle unit 8']);
    expect(world.changes).toMatchObject([{ id: 2, unit: 8 }]);
  });
});
