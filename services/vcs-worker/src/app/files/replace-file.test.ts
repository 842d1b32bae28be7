import type { Permission } from '@parlance/access';
import { actionsIn, fieldsOf, po, reasonOf, userWith, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { replaceFile, type ReplaceFileRequest } from './replace-file';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: 'jedna' }), 'po/app.pot': po({ One: '' }) });
  await world.imported(1, { newBase: 'po/app.pot' });
  world.translations.add(1, 'cs', 'po/cs.po');
});
afterEach(() => world.close());

const replace = (
  text: string,
  more: Partial<ReplaceFileRequest> = {},
  permissions: Permission[] = ['upload.perform'],
) =>
  replaceFile(world.deps, userWith(...permissions), {
    component: 1,
    path: 'po/cs.po',
    bytes: Buffer.from(text),
    message: '',
    author: null,
    updateTranslations: false,
    ...more,
  });

describe('replacing a file', () => {
  it('pending edits are committed first, then the file is committed and imported alone', async () => {
    const cs = world.translations.add(1, 'de', 'po/app.pot');
    world.translations.addEdit(cs, 'One', 'x');
    const { commit } = await replace(po({ One: 'první' }));
    expect(commit).toBe((await world.repository(1)).head);
    expect(await world.read(1, 'po/cs.po')).toContain('první');
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.committed]);
    expect(world.translations.imports.at(-1)).toMatchObject({
      paths: ['po/cs.po'],
      options: { complete: false, upload: true },
    });
  });

  it('an identical file needs no commit', async () => {
    expect(await replace(po({ One: 'jedna' }))).toMatchObject({ commit: '' });
    expect(world.effects.events).toEqual([]);
    expect(world.translations.imports).toEqual([]);
  });

  it('a file that cannot be parsed is refused before it is committed', async () => {
    expect(await fieldsOf(replace('not a PO file'))).toEqual(['file:invalid']);
    expect((await world.repository(1)).ahead).toBe(0);
  });

  it('callers without upload.perform, other files and other components are refused', async () => {
    expect(await reasonOf(replace('', {}, ['vcs.push']))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(replace('', { path: 'README' }))).toBe('NOT_FOUND');
    expect(await reasonOf(replace('', { component: 404 }))).toBe('NOT_FOUND');
    expect(world.effects.list).toEqual([]);
  });

  it('a new base can update the translations in the same commit', async () => {
    await replace(po({ One: '', Two: '' }), { path: 'po/app.pot', updateTranslations: true });
    expect(await world.read(1, 'po/cs.po')).toContain('msgid "Two"');
    expect(await world.read(1, 'po/cs.po')).toContain('jedna');
    expect((await world.repository(1)).ahead).toBe(1);
  });

  it('template syntax in a message is not run', async () => {
    await replace(po({ One: 'první' }), { message: 'Fix {{ component_name }}' });
    const { settings } = world.catalog.stored.get(1)!;
    settings.push = world.url;
    const message = await world.run(1, async ({ git, session }) => {
      await git.push(world.url, session.repository.head!, 'main', 'fast-forward');
      return world.remote.log()[0]!.message;
    });
    expect(message).not.toContain('Component 1');
    expect(message).toContain('Fix');
  });
});
