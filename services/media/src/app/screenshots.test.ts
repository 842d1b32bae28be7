import { isServiceError } from '@parlance/errors';
import { contextOf } from '../../test/support/context';
import { MemoryObjects } from '../../test/support/memory/objects';
import { MemoryScreenshotStore } from '../../test/support/memory/screenshot-store';
import { ImageError } from '../domain/image';
import { Cleanup } from './cleanup';
import {
  attachUnit,
  createScreenshot,
  deleteScreenshot,
  detachUnit,
  replaceImage,
  updateScreenshot,
  type Deps,
} from './screenshots';

const png = Buffer.from('a picture');
const input = { name: 'Menu', componentId: 1, translationId: 11, filename: 'menu.png', repositoryFilename: '' };

function start() {
  const effects: string[] = [];
  const log = (effect: string) => void effects.push(effect);
  const screenshots = new MemoryScreenshotStore(log);
  const objects = new MemoryObjects(log);
  const deps: Deps = {
    screenshots,
    uploads: screenshots,
    objects,
    catalog: {
      project: async () => undefined,
      component: async (id) => (id === 1 ? { componentId: 1, projectId: 5, accessControl: 0 } : undefined),
    },
    translations: {
      translation: async (id) =>
        id === 11 || id === 21 ? { componentId: id === 11 ? 1 : 2, projectId: 5, languageCode: 'en' } : undefined,
      translationOfUnit: async (unitId) => (unitId < 100 ? 11 : 12),
    },
    cleanup: new Cleanup([screenshots], screenshots, objects),
    relay: { flush: async () => log('publish events') },
    prepare: async (bytes) => {
      if (bytes.toString() === 'no picture') throw new ImageError('invalid_image', 'This is not a picture.');
      return { bytes, contentType: 'image/png', extension: 'png', width: 4, height: 3 };
    },
  };
  const create = (context = editor, more: Partial<typeof input> = {}, bytes = png) =>
    createScreenshot(deps, { ...input, ...more }, bytes, context);
  return { deps, effects, screenshots, objects, create };
}

const editor = contextOf('screenshot.add', 'screenshot.edit', 'screenshot.delete');

async function refusal(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (e: unknown) => e,
  );
  if (error === undefined) return 'OK';
  if (!isServiceError(error)) throw error;
  return error.problems.length > 0 ? error.problems.map((p) => `${p.attr}:${p.code}`).join() : error.reason;
}

describe('createScreenshot', () => {
  it('an object is recorded before its upload and the screenshot stored before the answer', async () => {
    const { effects, objects, create } = start();
    const screenshot = await create();
    expect(effects).toEqual([
      'expect object',
      'put object',
      'store screenshot (changeMade)',
      'settle object',
      'publish events',
    ]);
    expect(objects.stored.get(screenshot.image.key)).toEqual(png);
    expect(screenshot).toMatchObject({ projectId: 5, languageCode: 'en', unitIds: [], image: { width: 4, size: 9 } });
  });

  it('the object of a screenshot whose component was deleted meanwhile is deleted', async () => {
    const { screenshots, objects, effects, create } = start();
    screenshots.closed = true;
    expect(await refusal(create())).toBe('NOT_FOUND');
    expect(objects.stored.size).toBe(0);
    expect(effects).not.toContain('publish events');
  });

  it('an upload that fails leaves an object on record, which the cleanup deletes', async () => {
    const { deps, screenshots, objects, create } = start();
    objects.fails = true;
    await expect(create()).rejects.toThrow('unavailable');
    expect(await screenshots.strayObjects(Date.now() + 3600_000, 9)).toHaveLength(1);
    objects.fails = false;
    await new Cleanup([screenshots], screenshots, deps.objects).runPass(Date.now() + 3600_000);
    expect(await screenshots.strayObjects(Date.now() + 3600_000, 9)).toEqual([]);
  });

  it('invalid names and images are reported together, and nothing is uploaded', async () => {
    const { effects, create } = start();
    expect(await refusal(create(editor, { name: ' ' }, Buffer.from('no picture')))).toBe(
      'name:blank,image:invalid_image',
    );
    expect(await refusal(create(editor, { repositoryFilename: 'x'.repeat(401) }))).toBe(
      'repository_filename:max_length',
    );
    expect(effects).toEqual([]);
  });

  it('createScreenshot refuses translations of other components, hidden components and callers without the permission', async () => {
    const { create } = start();
    expect(await refusal(create(editor, { translationId: 21 }))).toBe('language_code:does_not_exist');
    expect(await refusal(create(editor, { translationId: 21, componentId: 2 }))).toBe('NOT_FOUND');
    expect(await refusal(create(contextOf('screenshot.edit')))).toBe('PERMISSION_DENIED');
  });
});

describe('replaceImage', () => {
  it('the new image is stored before the object of the former one is deleted', async () => {
    const { deps, effects, objects, create } = start();
    const { id, image } = await create();
    effects.length = 0;
    const replaced = await replaceImage(deps, id, 'b.png', Buffer.from('another'), editor);
    expect(effects).toEqual([
      'expect object',
      'put object',
      'store screenshot (changeMade)',
      'settle object',
      'publish events',
      'delete object',
    ]);
    expect([...objects.stored.keys()]).toEqual([replaced.image.key]);
    expect(replaced.image.key).not.toBe(image.key);
  });

  it('a replacement keeps a concurrent change of the name', async () => {
    const { deps, screenshots, create } = start();
    const { id } = await create();
    screenshots.rival = async () => void (await updateScreenshot(deps, id, { name: 'Renamed' }, editor));
    expect(await replaceImage(deps, id, 'b.png', Buffer.from('b'), editor)).toMatchObject({
      name: 'Renamed',
      version: 3,
    });
  });

  it('the new object is deleted if the screenshot was deleted meanwhile', async () => {
    const { deps, screenshots, objects, create } = start();
    const { id } = await create();
    screenshots.rival = async () => deleteScreenshot(deps, id, editor);
    expect(await refusal(replaceImage(deps, id, 'b.png', Buffer.from('b'), editor))).toBe('NOT_FOUND');
    expect(objects.stored.size).toBe(0);
  });
});

describe('changes of a screenshot', () => {
  it('an update without values writes nothing', async () => {
    const { deps, create } = start();
    const { id } = await create();
    expect((await updateScreenshot(deps, id, {}, editor)).version).toBe(1);
    expect(await refusal(updateScreenshot(deps, id, { name: '' }, editor))).toBe('name:blank');
    expect(await updateScreenshot(deps, id, { name: 'B' }, editor)).toMatchObject({ name: 'B', version: 2 });
  });

  it('strings of its translation are attached once and detached', async () => {
    const { deps, create } = start();
    const { id } = await create();
    await attachUnit(deps, id, 3, editor);
    expect((await attachUnit(deps, id, 3, editor)).unitIds).toEqual([3]);
    expect(await refusal(attachUnit(deps, id, 100, editor))).toBe('unit_id:does_not_exist');
    expect((await detachUnit(deps, id, 3, editor)).unitIds).toEqual([]);
    expect(await refusal(detachUnit(deps, id, 3, editor))).toBe('NOT_FOUND');
  });

  it('a deletion is stored before the object is deleted', async () => {
    const { deps, effects, objects, create } = start();
    const { id } = await create();
    effects.length = 0;
    await deleteScreenshot(deps, id, editor);
    expect(effects).toEqual(['store removal', 'delete object']);
    expect(objects.stored.size).toBe(0);
    expect(await refusal(deleteScreenshot(deps, id, editor))).toBe('NOT_FOUND');
  });

  it('a deletion succeeds without the bucket, and a later pass deletes the object', async () => {
    const { deps, screenshots, objects, create } = start();
    const { id } = await create();
    objects.fails = true;
    await deleteScreenshot(deps, id, editor);
    expect(await screenshots.waste(9)).toHaveLength(1);
    objects.fails = false;
    await deps.cleanup.schedule();
    expect({ waste: await screenshots.waste(9), objects: objects.stored.size }).toEqual({ waste: [], objects: 0 });
  });

  it('each change requires its permission', async () => {
    const { deps, create } = start();
    const { id } = await create();
    const other = contextOf('screenshot.add');
    for (const call of [
      updateScreenshot(deps, id, { name: 'B' }, other),
      replaceImage(deps, id, 'b.png', png, other),
      attachUnit(deps, id, 3, other),
      detachUnit(deps, id, 3, other),
      deleteScreenshot(deps, id, contextOf('screenshot.edit')),
    ])
      expect(await refusal(call)).toBe('PERMISSION_DENIED');
  });
});
