import { translationMemory } from '../../../test/support/memory/memory-store';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { permittedEntry, permittedProject, sharesTexts, visibleEntries } from './access';

async function start() {
  const world = new StringsWorld();
  const memory = translationMemory();
  const { store, entry } = memory;
  await store.add([entry('a', 'b'), entry('c', 'd', { project: 0, user: 3, shared: false })], {
    now: 1,
    confirm: false,
  });
  return { world, ...memory, plainUser: world.user(4, []), manager: world.user(5, ['memory.manage']) };
}

describe('permittedProject', () => {
  it('permittedProject requires one of the permissions on the project', async () => {
    const { world, deps, plainUser } = await start();
    const editor = world.user(3, ['memory.edit']);
    const open = (caller = editor) => permittedProject(deps, caller, 1, ['memory.edit', 'memory.delete'], 'write');
    expect((await open()).slug).toBe('p');
    expect(await reasonOf(open(plainUser))).toBe('PERMISSION_DENIED');
  });

  it('a missing project is a problem of the field', async () => {
    const { deps, manager } = await start();
    expect(await fieldsOf(permittedProject(deps, manager, 9, [], 'read'))).toEqual(['project:does_not_exist']);
  });

  it('changes need the second factor that a project requires, also by site managers; reading does not', async () => {
    const { world, deps, projects, manager } = await start();
    projects.set(1, { ...projects.get(1)!, enforced2fa: true });
    const editor = world.user(3, ['memory.edit']);
    for (const caller of [editor, manager]) {
      const open = (mode: 'read' | 'write', secondFactor: boolean) =>
        reasonOf(permittedProject(deps, { ...caller, secondFactor }, 1, ['memory.edit'], mode));
      expect(await open('read', false)).toBe('OK');
      expect(await open('write', false)).toBe('PERMISSION_DENIED');
      expect(await open('write', true)).toBe('OK');
    }
  });
});

describe('permittedEntry', () => {
  it('an entry of a project requires the permission on it', async () => {
    const { world, deps, plainUser } = await start();
    const open = (caller: typeof plainUser) => reasonOf(permittedEntry(deps, caller, 1, ['memory.delete'], 'write'));
    expect(await open(world.user(3, ['memory.delete']))).toBe('OK');
    expect(await open(plainUser)).toBe('PERMISSION_DENIED');
  });

  it('an entry of a user belongs to that user and to managers', async () => {
    const { world, deps, plainUser, manager } = await start();
    const open = (caller: typeof plainUser) => reasonOf(permittedEntry(deps, caller, 2, ['memory.delete'], 'write'));
    expect(await open(world.user(3, []))).toBe('OK');
    expect(await open(manager)).toBe('OK');
    expect(await open(plainUser)).toBe('PERMISSION_DENIED');
  });

  it('only managers learn that an entry does not exist', async () => {
    const { deps, plainUser, manager } = await start();
    expect(await reasonOf(permittedEntry(deps, manager, 9, [], 'read'))).toBe('NOT_FOUND');
    expect(await reasonOf(permittedEntry(deps, plainUser, 9, [], 'read'))).toBe('PERMISSION_DENIED');
  });
});

describe('visibleEntries', () => {
  it('the own entries need no permission, those of a project one on it, all others the site permission', async () => {
    const { world, deps, plainUser, manager } = await start();
    expect(await visibleEntries(deps, plainUser, { project: 0, scope: 'own' })).toEqual({ user: 4 });
    const deleter = world.user(3, ['memory.delete']);
    expect(await visibleEntries(deps, deleter, { project: 1, scope: '' })).toEqual({ project: 1 });
    expect(await visibleEntries(deps, manager, { project: 0, scope: '' })).toBe('everything');
    expect(await visibleEntries(deps, manager, { project: 0, scope: 'shared' })).toEqual({ shared: true });
    for (const scope of ['', 'shared'])
      expect(await reasonOf(visibleEntries(deps, plainUser, { project: 0, scope }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(visibleEntries(deps, plainUser, { project: 1, scope: '' }))).toBe('PERMISSION_DENIED');
  });

  it('visibleEntries refuses unknown scopes, and the scope "project" without a project', async () => {
    const { deps, manager } = await start();
    expect(await fieldsOf(visibleEntries(deps, manager, { project: 0, scope: 'x' }))).toEqual(['scope:invalid_choice']);
    expect(await fieldsOf(visibleEntries(deps, manager, { project: 0, scope: 'project' }))).toEqual([
      'project:required',
    ]);
  });
});

it('a project with restricted access shares no texts, whatever its setting', async () => {
  const { projects } = await start();
  expect(sharesTexts(projects.get(1)!)).toBe(true);
  expect(sharesTexts({ ...projects.get(1)!, contributeShared: false })).toBe(false);
  expect(sharesTexts(projects.get(2)!)).toBe(false);
});
