import { Action } from '../../domain/change';
import type { PendingEdit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import {
  discardPending,
  hasPending,
  listPending,
  markAllCommitted,
  markCommitted,
  readPending,
} from './commit-pending';

const author = (userId: number) => ({ userId, username: `user-${userId}`, fullName: '', email: '' });
const edit = (id: string, userId: number, text: string, more: Partial<PendingEdit> = {}): PendingEdit => ({
  id,
  author: author(userId),
  target: [text],
  state: 20,
  time: 1,
  ...more,
});
const removal = (unit: number, key: string) => ({
  id: `unit ${unit}`,
  component: 1,
  translation: 11,
  key,
  author: author(3),
  time: 1,
});

function start(settings = {}) {
  const world = new StringsWorld();
  const { component } = world.component(1, settings);
  const stored = { target: ['Puvodni'], state: 20 };
  world.string(1, 7, 'Hello', {
    target: ['Ahoj'],
    state: 20,
    stored,
    edits: [edit('a', 3, 'Cau'), edit('b', 4, 'Ahoj')],
  });
  const groups = async (translation = 0) =>
    (await listPending(world.deps, component, translation)).map(
      (g) => `${g.author.userId}: ${[...g.edits.map((e) => e.edit.id), ...g.removals.map((r) => r.id)].join()}`,
    );
  return { world, component, groups };
}

describe('pending edits', () => {
  it('edits are grouped by author in the order in which they were made', async () => {
    const { groups } = start();
    expect(await groups()).toEqual(['3: a', '4: b']);
    expect(await groups(11)).toEqual(['3: a', '4: b']);
    expect(await groups(12)).toEqual([]);
  });

  it('the commit policy holds edits back, which still count as pending', async () => {
    const { world, groups } = start({ commitPolicy: 30, translationReview: true });
    expect(await groups()).toEqual([]);
    expect(await hasPending(world.deps, [1])).toBe(true);
    expect(await hasPending(world.deps, [2])).toBe(false);
  });

  it('a removal is held back while its unit exists', async () => {
    const { world, groups } = start();
    await world.removals.add([removal(7, 'x'), removal(99, 'gone')]);
    expect((await groups()).join(' ')).toContain('unit 99');
    expect((await groups()).join(' ')).not.toContain('unit 7');
  });

  it('edits of deleted users are committed without their name', async () => {
    const { world, component } = start();
    world.deleted.push({ userId: 3, username: 'deleted-3', fullName: 'Deleted User', email: 'noreply-3@example.com' });
    const { groups, units } = await readPending(world.deps, component, 0);
    expect(groups[0]!.author).toMatchObject({ username: 'deleted-3' });
    expect(units[0]!.edits[0]!.author).toMatchObject({ username: 'deleted-3' });
  });
});

describe('markCommitted', () => {
  it('committed edits and removals are not pending anymore, later edits are', async () => {
    const { world, groups } = start();
    await world.removals.add([removal(99, 'gone')]);
    await markCommitted(world.deps, 11, ['a', 'unit 99'], 'rev');
    expect(await groups()).toEqual(['4: b']);
    expect((await world.units.get(7))!.stored).toMatchObject({ target: ['Cau'] });
    expect((await world.translations.get(11))!.revision).toBe('rev');
    await markCommitted(world.deps, 11, ['b'], '');
    expect(await world.units.get(7)).toMatchObject({ edits: [], target: ['Ahoj'] });
    expect((await world.translations.get(11))!.revision).toBe('rev');
  });

  it('an edit saved during the commit stays pending', async () => {
    const { world, component } = start();
    const { units } = await readPending(world.deps, component, 0);
    const now = (await world.units.get(7))!;
    world.units.put({ ...now, version: now.version + 1, target: ['C'], edits: [...now.edits, edit('c', 5, 'C')] });
    await markAllCommitted(world.deps, [{ translation: 11, editIds: ['a', 'b'], revision: 'rev' }], units);
    expect(await world.units.get(7)).toMatchObject({ target: ['C'], edits: [{ id: 'c' }] });
  });

  it('marking twice and marking a deleted translation have no effect', async () => {
    const { world, groups } = start();
    await markCommitted(world.deps, 11, ['a'], '');
    const { version } = (await world.units.get(7))!;
    await markCommitted(world.deps, 11, ['a'], '');
    await markCommitted(world.deps, 99, ['b'], 'rev');
    expect((await world.units.get(7))!.version).toBe(version);
    expect(await groups()).toEqual(['4: b']);
  });
});

describe('discardPending', () => {
  it('strings return to the texts of the repository, and the history keeps the discarded ones', async () => {
    const { world } = start();
    await world.removals.add([removal(99, 'gone')]);
    const invalidated: number[] = [];
    world.deps.contents.changed = async (places) => void invalidated.push(...places.map(({ component }) => component));
    expect(await discardPending(world.deps, 1, author(9))).toBe(1);
    expect(await world.units.get(7)).toMatchObject({ target: ['Puvodni'], state: 20, edits: [] });
    expect(world.changes).toMatchObject([{ action: Action.reverted, target: 'Puvodni', old: 'Ahoj', user: 9 }]);
    expect(await hasPending(world.deps, [1])).toBe(false);
    expect(invalidated).toEqual([1]);
  });

  it('an edit that wins the race is discarded, too, and one that was committed meanwhile stays', async () => {
    const raced = start();
    raced.world.units.rival = async () => {
      const now = (await raced.world.units.get(7))!;
      raced.world.units.put({ ...now, version: 5, target: ['New'], edits: [edit('n', 5, 'New')] });
    };
    await discardPending(raced.world.deps, 1, author(9));
    expect(await raced.world.units.get(7)).toMatchObject({ target: ['Puvodni'], edits: [] });
    const committed = start();
    committed.world.units.rival = async () => {
      const now = (await committed.world.units.get(7))!;
      committed.world.units.put({ ...now, version: 5, edits: [], stored: undefined });
    };
    await discardPending(committed.world.deps, 1, author(9));
    expect((await committed.world.units.get(7))!.target).toEqual(['Ahoj']);
    expect(committed.world.changes).toEqual([]);
  });
});
