import { translationMemory } from '../../../test/support/memory/memory-store';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { addMemoryEntry, deleteMemoryEntry, listMemory, lookUpMemory } from './entries';

function start() {
  const world = new StringsWorld();
  const memory = translationMemory({ perUser: 2, perProject: 2 });
  const ana = world.user(3, ['memory.edit', 'memory.delete']);
  const { source, target, sourceLanguage, targetLanguage, origin } = memory.entry('Hello', 'Ahoj');
  const given = { source, target, sourceLanguage, targetLanguage, origin, project: 0, shared: false };
  const add = (more: Partial<typeof given> = {}, caller = ana) =>
    addMemoryEntry(memory.deps, caller, { ...given, ...more });
  return { world, ...memory, ana, add };
}

describe('addMemoryEntry', () => {
  it('by default the entry belongs to the personal memory of the caller', async () => {
    expect(await start().add()).toMatchObject({ user: 3, project: 0, shared: false, target: 'Ahoj' });
  });

  it('an equal entry is confirmed and returned', async () => {
    const { store, clock, add } = start();
    const { id } = await add();
    clock.now += 5;
    expect(await add()).toMatchObject({ id, stamp: clock.now });
    expect(store.entries()).toHaveLength(1);
  });

  it('entries of an open project are shared on request, those of a restricted one never', async () => {
    const { add } = start();
    expect(await add({ project: 1, shared: true })).toMatchObject({ project: 1, user: 0, shared: true });
    expect(await add({ project: 2, shared: true })).toMatchObject({ project: 2, shared: false });
  });

  it('the shared memory requires the site permission and has no quota', async () => {
    const { world, add } = start();
    expect(await fieldsOf(add({ shared: true }))).toEqual(['shared:invalid']);
    const manager = world.user(5, ['memory.manage']);
    for (const target of ['a', 'b', 'c']) expect(await reasonOf(add({ shared: true, target }, manager))).toBe('OK');
  });

  it('a full memory refuses new entries and confirms existing ones', async () => {
    const { add } = start();
    await add({ target: 'a' });
    await add({ target: 'b' });
    expect(await fieldsOf(add({ target: 'c' }))).toEqual(['null:quota']);
    expect(await reasonOf(add({ target: 'a' }))).toBe('OK');
  });

  it('addMemoryEntry names all invalid fields', async () => {
    const { entry, add } = start();
    const { sourceLanguage } = entry('', '');
    const wrong = { source: ' ', target: 'x'.repeat(10_001), origin: 'x'.repeat(501), targetLanguage: sourceLanguage };
    expect(await fieldsOf(add(wrong))).toEqual([
      'source:blank',
      'target:max_length',
      'origin:max_length',
      'target_language:invalid',
    ]);
  });
});

it('an entry is deleted with the permission on its project only', async () => {
  const { world, deps, store, add, ana } = start();
  const { id } = await add({ project: 1 });
  expect(await reasonOf(deleteMemoryEntry(deps, world.user(4, ['memory.edit']), id))).toBe('PERMISSION_DENIED');
  await deleteMemoryEntry(deps, ana, id);
  expect(store.entries()).toEqual([]);
});

it('a list contains the entries that the caller may see', async () => {
  const { world, deps, add } = start();
  await add();
  await add({}, world.user(4, []));
  const selection = { project: 0, scope: 'own', sourceLanguage: '', targetLanguage: '', origin: '' };
  expect(await listMemory(deps, world.user(4, []), selection, 1, 10)).toMatchObject({ items: [{ user: 4 }], total: 1 });
});

describe('lookUpMemory', () => {
  const request = { source: 'Hello', sourceLanguage: 'en', targetLanguage: 'cs', project: 0, threshold: 75, limit: 5 };

  it('without a project it searches the personal memory, for managers everything', async () => {
    const { world, deps, add, ana } = start();
    await add();
    expect(await lookUpMemory(deps, ana, request)).toMatchObject([{ similarity: 100, entry: { target: 'Ahoj' } }]);
    expect(await lookUpMemory(deps, world.user(4, []), request)).toEqual([]);
    expect(await lookUpMemory(deps, world.user(5, ['memory.manage']), request)).toHaveLength(1);
  });

  it('a project reads the shared memory if it has this setting', async () => {
    const { world, deps, projects, add, ana } = start();
    await add({ shared: true }, world.user(5, ['memory.manage']));
    expect(await lookUpMemory(deps, ana, { ...request, project: 1 })).toHaveLength(1);
    projects.set(1, { ...projects.get(1)!, useShared: false });
    expect(await lookUpMemory(deps, ana, { ...request, project: 1 })).toEqual([]);
  });

  it('a source above the length limit is refused', async () => {
    const { deps, ana } = start();
    const source = 'x'.repeat(10_001);
    expect(await fieldsOf(lookUpMemory(deps, ana, { ...request, source }))).toEqual(['source:max_length']);
  });
});
