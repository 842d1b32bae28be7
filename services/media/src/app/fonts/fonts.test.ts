import type { Permission } from '@parlance/access';
import { fieldsOf, reasonOf, sampleFont } from '@parlance/testing';
import { MemoryFontStore } from '../../../test/support/memory/font-store';
import { MemoryObjects } from '../../../test/support/memory/objects';
import { MemoryScreenshotStore } from '../../../test/support/memory/screenshot-store';
import { contextOf } from '../../../test/support/context';
import { Cleanup } from '../cleanup';
import { FontReader } from './font-reader';
import { createFont, deleteFont, deleteFontsOf, requireFont, type FontDeps } from './fonts';

const reader = new FontReader();
afterAll(() => reader.close());

const PROJECT = 5;
const bytes = sampleFont({ family: 'Source Sans', style: 'Bold', weight: 700, advances: { A: 600, B: 650 } });
const editor = contextOf('project.edit');

function start() {
  const effects: string[] = [];
  const log = (effect: string) => void effects.push(effect);
  const fonts = new MemoryFontStore(log);
  const uploads = new MemoryScreenshotStore(log);
  const objects = new MemoryObjects(log);
  const deps: FontDeps = {
    fonts,
    uploads,
    objects,
    catalog: { project: async (id) => (id === PROJECT ? { projectId: id, accessControl: 0 } : undefined) },
    cleanup: new Cleanup([fonts], uploads, objects),
    relay: { flush: async ({ of }, events) => log(`publish ${events.map((e) => e.payloadName).join()} of ${of}`) },
    readFont: reader.read,
  };
  const create = (context = editor, filename = 'source.ttf', file = bytes, projectId = PROJECT) =>
    createFont(deps, { projectId, filename }, file, context);
  return { deps, effects, fonts, objects, create };
}

describe('createFont', () => {
  it('an object is recorded before its upload, and the font is stored with its events before the answer', async () => {
    const { effects, objects, fonts, create } = start();
    const font = await create();
    expect(effects).toEqual([
      'expect object',
      'put object',
      'store font (changeMade,fontChanged)',
      'settle object',
      'publish changeMade,fontChanged of fonts',
    ]);
    expect(font).toMatchObject({ family: 'Source Sans', style: 'Bold', weight: 700, italic: false, characters: 2 });
    expect(font).toMatchObject({ projectId: PROJECT, filename: 'source.ttf', contentType: 'font/ttf', userId: 7 });
    expect(objects.stored.get(font.key)).toEqual(bytes);
    expect((await fonts.widths(font.id))!.unitsPerEm).toBe(1000);
  });

  it('the file name cannot leave its folder and gets the extension of the content', async () => {
    const { create } = start();
    expect((await create(editor, '../../etc/x.html')).filename).toBe('x.ttf');
    expect((await create(editor, '')).filename).toBe('font.ttf');
  });

  it('createFont refuses files that are no fonts, naming the field, and stores nothing', async () => {
    const { effects, create } = start();
    expect(await fieldsOf(create(editor, 'x.ttf', Buffer.from('<svg/>')))).toEqual(['font:invalid_font']);
    expect(await fieldsOf(create(editor, 'x.ttf', Buffer.alloc(0)))).toEqual(['font:empty']);
    expect(effects).toEqual([]);
  });

  it('createFont refuses hidden projects and callers without the permission before it reads the file', async () => {
    const { effects, create } = start();
    expect(await reasonOf(create(editor, 'x.ttf', Buffer.alloc(0), 6))).toBe('NOT_FOUND');
    expect(await reasonOf(create(contextOf('unit.edit'), 'x.ttf', Buffer.alloc(0)))).toBe('PERMISSION_DENIED');
    expect(effects).toEqual([]);
  });

  it('a project holds 50 fonts', async () => {
    const { deps, create } = start();
    for (let count = 0; count < 50; count++) await create();
    expect(await fieldsOf(create())).toEqual(['font:max_length']);
    await deleteFont(deps, PROJECT, 1, editor);
    await expect(create()).resolves.toMatchObject({ id: 51 });
  });

  it('the object of a font whose project was deleted meanwhile is deleted', async () => {
    const { fonts, objects, effects, create } = start();
    fonts.closed = true;
    expect(await reasonOf(create())).toBe('NOT_FOUND');
    expect(objects.stored.size).toBe(0);
    expect(effects.join()).not.toContain('publish');
  });
});

describe('deleteFont', () => {
  it('deleteFont removes the font with its events, then its object', async () => {
    const { deps, effects, objects, create } = start();
    const { id } = await create();
    effects.length = 0;
    await deleteFont(deps, PROJECT, id, editor);
    expect(effects).toEqual([
      'remove font (changeMade,fontChanged)',
      'publish changeMade,fontChanged of fonts',
      'delete object',
    ]);
    expect(objects.stored.size).toBe(0);
    expect(await reasonOf(deleteFont(deps, PROJECT, id, editor))).toBe('NOT_FOUND');
  });

  it('deleteFont refuses fonts of other projects and callers without the permission', async () => {
    const { deps, create } = start();
    const { id } = await create();
    const others = { ...deps, catalog: { project: async () => ({ projectId: 6, accessControl: 0 }) } };
    const permissions: Permission[] = ['screenshot.delete', 'unit.edit'];
    expect(await reasonOf(deleteFont(others, 6, id, editor))).toBe('NOT_FOUND');
    expect(await reasonOf(deleteFont(deps, PROJECT, id, contextOf(...permissions)))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(requireFont(deps, PROJECT, id, contextOf(...permissions)))).toBe('PERMISSION_DENIED');
    await expect(requireFont(deps, PROJECT, id, editor)).resolves.toMatchObject({ id });
  });
});

describe('deleteFontsOf', () => {
  it('deleteFontsOf removes all fonts of a project, notifies the checks about each, and is idempotent', async () => {
    const { deps, effects, create } = start();
    await create();
    await create();
    effects.length = 0;
    await deleteFontsOf(deps, PROJECT);
    expect(effects).toEqual([
      'remove font (fontChanged)',
      'publish fontChanged of fonts',
      'remove font (fontChanged)',
      'publish fontChanged of fonts',
    ]);
    effects.length = 0;
    await deleteFontsOf(deps, PROJECT);
    expect(effects).toEqual([]);
  });
});
