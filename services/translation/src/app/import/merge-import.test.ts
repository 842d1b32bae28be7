import { Action } from '../../domain/change';
import { idHash, type Author, type Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import type { FileEntry, SourceInfo } from './file-entry';
import { mergeIntoTranslation } from './merge-import';

const author: Author = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };

function start(fields: Partial<Unit> = {}) {
  const world = new StringsWorld();
  const { component, czech } = world.component(1);
  const { source } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, position: 1, ...fields });
  const sources = new Map<string, SourceInfo>([[source.key, { ...source, ready: true }]]);
  const isCurrent = { now: true };
  const options = {
    author: null as Author | null,
    revision: 'r1',
    removeMissing: true,
    upload: false,
    requireCurrent: async () => {
      if (!isCurrent.now) throw new Error('taken over');
    },
  };
  const merge = (texts: Record<string, string>, more: Partial<typeof options> = {}) =>
    mergeIntoTranslation(world.deps, component, czech, entriesOf(texts), (key) => sources.get(key), {
      ...options,
      ...more,
    });
  const addSource = (text: string, id: number) => {
    const added = world.string(1, id, text);
    sources.set(added.source.key, { ...added.source, ready: true });
    return added;
  };
  return { world, merge, addSource, isCurrent };
}

const entriesOf = (texts: Record<string, string>): FileEntry[] =>
  Object.entries(texts).map(([text, target]) => ({
    key: idHash(false, '', [text]),
    context: '',
    source: [text],
    target: [target],
    state: target === '' ? 0 : 20,
    note: '',
    location: '',
    flags: '',
    previousSource: [],
  }));

const pending = (text: string): Partial<Unit> => ({
  target: [text],
  edits: [{ id: 'e', author, target: [text], state: 20, time: 1 }],
  stored: { target: ['Ahoj'], state: 20 },
});

describe('mergeIntoTranslation', () => {
  it('a changed text replaces the stored one; the history, written first, keeps the old text', async () => {
    const { world, merge } = start();
    expect(await merge({ Hello: 'Nazdar' })).toEqual({ added: 0, updated: 1, removed: 0, conflicts: [] });
    expect((await world.units.get(7))!.target).toEqual(['Nazdar']);
    expect(world.changes).toMatchObject([
      { action: Action.updatedFromRepository, target: 'Nazdar', old: 'Ahoj', user: 0 },
    ]);
    expect(world.effects).toEqual([
      `record ${Action.updatedFromRepository}`,
      'store unit 7',
      'invalidate caches',
      'recount translation 11',
      'mark translation 11 for checks',
    ]);
  });

  it('an unchanged file changes no string, and needs no checks', async () => {
    const { world, merge } = start();
    expect(await merge({ Hello: 'Ahoj' })).toEqual({ added: 0, updated: 0, removed: 0, conflicts: [] });
    expect(world.effects).toEqual(['invalidate caches', 'recount translation 11']);
    expect((await world.translations.get(11))!.revision).toBe('r1');
  });

  it('a string with a source string is added, one without was deleted together with it', async () => {
    const { world, merge, addSource } = start();
    addSource('Bye', 8);
    await world.units.removeMany([8]);
    expect(await merge({ Hello: 'Ahoj', Bye: 'Sbohem', Gone: 'Pryč' })).toMatchObject({ added: 1 });
    const [, added] = await world.units.ofTranslation(11);
    expect(added).toMatchObject({ source: ['Bye'], target: ['Sbohem'], sourceUnit: 508, position: 2, edits: [] });
    expect(world.changes).toMatchObject([{ action: Action.addedFromRepository, unit: added!.id }]);
  });

  it('a locally deleted string is not added again: the next commit removes it from the file', async () => {
    const { world, merge } = start();
    const { key } = (await world.units.get(7))!;
    await world.units.removeMany([7]);
    await world.removals.add([{ id: 'unit 7', component: 1, translation: 11, key, author, time: 1 }]);
    expect(await merge({ Hello: 'Ahoj' })).toMatchObject({ added: 0 });
    expect(await world.units.ofTranslation(11)).toEqual([]);
  });

  it('a string that the file no longer has is removed, and the history keeps its text', async () => {
    const { world, merge } = start();
    expect(await merge({})).toMatchObject({ removed: 1 });
    expect(await world.units.get(7)).toBeNull();
    expect(world.changes).toMatchObject([{ action: Action.stringRemoved, target: 'Ahoj' }]);
  });

  it('a string that a commit has yet to add stays, and so do all if missing strings are kept', async () => {
    const edits = [{ id: 'e', author, target: ['Ahoj'], state: 20, time: 1, adds: true }];
    expect(await start({ edits }).merge({})).toMatchObject({ removed: 0 });
    expect(await start().merge({}, { removeMissing: false })).toMatchObject({ removed: 0 });
  });

  it('a pending edit stays; another text of the file becomes a suggestion and is reported as a conflict', async () => {
    const { world, merge } = start(pending('Nazdar'));
    const { conflicts } = await merge({ Hello: 'Dobrý den' });
    expect(conflicts).toMatchObject([{ unit: 7, local: ['Nazdar'], upstream: ['Dobrý den'] }]);
    expect(await world.units.get(7)).toMatchObject({ target: ['Nazdar'], suggestions: 1, edits: [{ id: 'e' }] });
    expect((await world.suggestions.page({ unit: 7 }, 1, 9)).items).toMatchObject([{ target: ['Dobrý den'], user: 0 }]);
  });

  it('the same file again adds no second suggestion', async () => {
    const { world, merge } = start(pending('Nazdar'));
    await merge({ Hello: 'Dobrý den' });
    await merge({ Hello: 'Dobrý den' });
    expect((await world.suggestions.page({ unit: 7 }, 1, 9)).total).toBe(1);
  });

  it('a string that was edited during the import is merged again, and the history of the lost write is retracted', async () => {
    const { world, merge } = start();
    world.units.rival = async () => {
      const stored = (await world.units.get(7))!;
      world.units.put({ ...stored, ...pending('Čau'), version: 4 });
    };
    expect((await merge({ Hello: 'Nazdar' })).conflicts).toMatchObject([{ local: ['Čau'], upstream: ['Nazdar'] }]);
    expect((await world.units.get(7))!.target).toEqual(['Čau']);
    expect(world.changes.map(({ action }) => action)).not.toContain(Action.updatedFromRepository);
  });

  it('the duplicate of a key without an edit is removed', async () => {
    const { world, merge } = start();
    const unit = (await world.units.get(7))!;
    world.units.put({ ...unit, id: 9, ...pending('Nazdar'), position: 2 });
    expect(await merge({ Hello: 'Ahoj' })).toMatchObject({ removed: 1 });
    expect((await world.units.ofTranslation(11)).map(({ id }) => id)).toEqual([9]);
  });

  it.each([
    ['are swapped', ['Two', 'One', 'Hello']],
    ['move to the start', ['Two', 'Hello', 'One']],
    ['move to the end', ['One', 'Two', 'Hello']],
    ['make room for a new one', ['New', 'Hello', 'One', 'Two']],
  ])('strings get the positions that the file gives them when they %s', async (_, order) => {
    const { world, merge, addSource } = start();
    addSource('One', 8);
    addSource('Two', 9);
    addSource('New', 10);
    await world.units.removeMany([10]);
    await world.units.setPositions([8, 9].map((unit, i) => ({ unit, position: i + 2 })));
    await merge(Object.fromEntries(order.map((text) => [text, 'text'])));
    const units = await world.units.ofTranslation(11);
    expect(units.map(({ source, position }) => [source[0], position])).toEqual(order.map((text, i) => [text, i + 1]));
  });

  it('an import that another worker replaced writes nothing', async () => {
    const { world, merge, isCurrent } = start();
    isCurrent.now = false;
    await expect(merge({ Hello: 'Nazdar' })).rejects.toThrow('taken over');
    expect(world.effects).toEqual([]);
  });

  it('an uploaded file is recorded as an upload, in the name of its author', async () => {
    const { world, merge } = start();
    await merge({ Hello: 'Nazdar' }, { upload: true, author });
    expect(world.changes).toMatchObject([{ action: Action.updatedByUpload, user: 3, author: 3 }]);
  });
});
