import { until } from '@parlance/testing';
import { createHash, randomBytes } from 'node:crypto';
import { newEvent } from '@parlance/events';
import { IdSequences } from '@parlance/store-kit';
import sharp from 'sharp';
import { makeModels, type Models } from '../src/store/models';
import { openStore, type Store } from '@parlance/store-kit';
import { MongoScreenshotStore } from '../src/store/screenshot-store';
import { MongoUploadStore } from '../src/store/upload-store';
import { uncached } from './support/uncached';
import { admin, create, read, replace, service, userWith, startWorld, type World } from './support/world';

const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });

let png: Buffer;
let world: World;
beforeAll(async () => {
  png = await noise(60).png().toBuffer();
});
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const notFound = { reason: 'NOT_FOUND' };
const get = async (id: number) => (await world.client.getScreenshot({ id }, { as: service })).screenshot!;

describe('a screenshot', () => {
  it('a screenshot is stored with its image and recorded in the history', async () => {
    const made = await create(world, png);
    expect(made).toMatchObject({
      name: 'Login',
      projectId: 1,
      componentId: 10,
      translationId: 101,
      languageCode: 'en',
      unitIds: [],
      userId: 1,
    });
    expect(made.image).toMatchObject({ filename: 'login.png', contentType: 'image/png', width: 60, height: 60 });
    expect(await get(made.id)).toEqual(made);
    const { header, bytes } = await read(world, made.id);
    expect(header).toMatchObject({
      offset: 0,
      length: bytes.length,
      unsatisfiable: false,
      projectId: 1,
      componentId: 10,
    });
    expect(made.image).toMatchObject({ size: bytes.length, etag: createHash('sha256').update(bytes).digest('hex') });
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
    expect(await world.announced()).toMatchObject([
      { action: 57, projectId: 1, componentId: 10, translationId: 101, userId: 1, target: 'Login' },
    ]);
    expect(await world.keys()).toHaveLength(1);
  });

  it('an image is sent in ranges', async () => {
    const { id } = await create(world, await noise(600).png().toBuffer());
    const { bytes } = await read(world, id);
    expect(bytes.length).toBeGreaterThan(600_000);
    expect(await read(world, id, { first: 10, last: 300_009 })).toMatchObject({
      header: { offset: 10, length: 300_000 },
      bytes: bytes.subarray(10, 300_010),
    });
    expect((await read(world, id, { suffix: 7 })).bytes).toEqual(bytes.subarray(-7));
    expect(await read(world, id, { first: bytes.length })).toMatchObject({
      header: { unsatisfiable: true, length: 0 },
      bytes: Buffer.alloc(0),
    });
    expect(await read(world, id, undefined, true)).toMatchObject({
      header: { length: bytes.length },
      bytes: Buffer.alloc(0),
    });
    await expect(read(world, id, { first: 5, last: 1 })).rejects.toMatchObject({
      reason: 'INVALID',
      problems: [{ attr: 'range' }],
    });
  });

  it('replacing an image deletes the previous object', async () => {
    const made = await create(world, png);
    const replaced = await replace(world, made.id, await noise(30).gif().toBuffer());
    expect(replaced.image).toMatchObject({ filename: 'other.gif', contentType: 'image/gif', width: 30 });
    expect(replaced.image!.etag).not.toBe(made.image!.etag);
    expect((await read(world, made.id)).bytes.subarray(0, 3).toString()).toBe('GIF');
    expect(await world.keys()).toHaveLength(1);
    expect((await world.announced()).map((c) => c.action)).toEqual([57, 58]);
  });

  it('concurrent edits and uploads all take effect and leave one image', async () => {
    const { id } = await create(world, png);
    const gif = await noise(20).gif().toBuffer();
    await Promise.all([
      ...[1, 2, 3].map(() => replace(world, id, gif)),
      world.client.updateScreenshot({ id, name: 'New' }, { as: admin }),
      world.client.attachUnit({ screenshotId: id, unitId: 10101 }, { as: admin }),
    ]);
    expect(await get(id)).toMatchObject({ name: 'New', unitIds: [10101], image: { contentType: 'image/gif' } });
    expect((await read(world, id)).bytes.length).toBeGreaterThan(0);
    expect(await world.keys()).toHaveLength(1);
  });

  it('concurrent attachments and detachments of strings all take effect', async () => {
    const { id } = await create(world, png);
    const units = Array.from({ length: 40 }, (_, i) => 10101 + i);
    const attach = (unitId: number) => world.client.attachUnit({ screenshotId: id, unitId }, { as: admin });
    const detach = (unitId: number) => world.client.detachUnit({ screenshotId: id, unitId }, { as: admin });
    const names = ['One', 'Two', 'Three'];
    const before = units.slice(0, 5);
    for (const unitId of before) await attach(unitId);
    await Promise.all([
      ...units.slice(5).map(attach),
      ...before.map(detach),
      ...names.map((name) => world.client.updateScreenshot({ id, name }, { as: admin })),
    ]);
    const now = await get(id);
    expect([...now.unitIds].sort()).toEqual(units.slice(5));
    expect(names).toContain(now.name);
  });

  it('deleting a screenshot leaves no object in the bucket', async () => {
    const made = await create(world, png);
    await world.client.deleteScreenshot({ id: made.id }, { as: admin });
    expect(await world.keys()).toEqual([]);
    await expect(get(made.id)).rejects.toMatchObject(notFound);
    await expect(read(world, made.id)).rejects.toMatchObject(notFound);
    await expect(world.client.deleteScreenshot({ id: made.id }, { as: admin })).rejects.toMatchObject(notFound);
    await expect(replace(world, made.id, png)).rejects.toMatchObject(notFound);
  });

  it('a screenshot gets another name and strings of its translation', async () => {
    const { id } = await create(world, png);
    const as = { as: admin };
    expect((await world.client.updateScreenshot({ id, name: 'Sign in' }, as)).screenshot!.name).toBe('Sign in');
    expect(
      (await world.client.updateScreenshot({ id, repositoryFilename: 'shots/in.png' }, as)).screenshot,
    ).toMatchObject({
      name: 'Sign in',
      repositoryFilename: 'shots/in.png',
    });
    await Promise.all(
      [10101, 10102, 10103, 10102].map((unitId) => world.client.attachUnit({ screenshotId: id, unitId }, as)),
    );
    expect([...(await get(id)).unitIds].sort()).toEqual([10101, 10102, 10103]);
    for (const unitId of [10201, 10199]) {
      await expect(world.client.attachUnit({ screenshotId: id, unitId }, as)).rejects.toMatchObject({
        reason: 'INVALID',
        problems: [{ attr: 'unit_id', code: 'does_not_exist' }],
      });
    }
    expect((await world.client.detachUnit({ screenshotId: id, unitId: 10102 }, as)).screenshot!.unitIds).not.toContain(
      10102,
    );
    await expect(world.client.detachUnit({ screenshotId: id, unitId: 10102 }, as)).rejects.toMatchObject(notFound);
    expect((await world.client.listAttachedUnits({ translationIds: [101] }, { as: service })).unitIds).toEqual([
      10101, 10103,
    ]);
    expect((await world.client.listAttachedUnits({ name: 'Sign in' }, { as: service })).unitIds).toEqual([
      10101, 10103,
    ]);
    expect((await world.client.listAttachedUnits({ translationIds: [102] }, { as: service })).unitIds).toEqual([]);
    expect((await world.client.listAttachedUnits({ limit: 1 }, { as: service })).unitIds).toEqual([10101]);
    await expect(world.client.listAttachedUnits({ limit: 100_001 }, { as: service })).rejects.toMatchObject({
      problems: [{ attr: 'limit' }],
    });
  });

  it('screenshots are listed by project, component and translation as far as visible', async () => {
    const ids: number[] = [];
    for (const [componentId, translationId] of [
      [10, 101],
      [10, 102],
      [20, 201],
    ] as const)
      ids.push((await create(world, png, admin, { componentId, translationId })).id);
    const list = async (request: object) => {
      const { screenshots, total } = await world.client.listScreenshots(request, { as: service });
      return [screenshots.map((s) => s.id), total];
    };
    expect(await list({})).toEqual([ids, 3]);
    expect(await list({ page: { page: 2, pageSize: 2 } })).toEqual([[ids[2]], 3]);
    expect(await list({ componentId: 10 })).toEqual([ids.slice(0, 2), 2]);
    expect(await list({ translationId: 102 })).toEqual([[ids[1]], 1]);
    expect(await list({ excludedProjectIds: [2] })).toEqual([ids.slice(0, 2), 2]);
    expect(await list({ excludedComponentIds: [10] })).toEqual([[ids[2]], 1]);
    expect(await list({ projectIds: [2], excludedProjectIds: [2] })).toEqual([[], 0]);
    expect(await list({ componentId: 10, excludedComponentIds: [10] })).toEqual([[], 0]);
    const many = await world.client.batchGetScreenshots({ ids: [ids[2]!, ids[0]!, 999] }, { as: service });
    expect(many.screenshots.map((s) => s.id).sort()).toEqual([ids[0], ids[2]]);
  });
});

describe('rights', () => {
  it('each operation requires its own permission', async () => {
    const denied = { reason: 'PERMISSION_DENIED' };
    await expect(create(world, png, userWith('screenshot.edit'))).rejects.toMatchObject(denied);
    const { id } = await create(world, png, userWith('screenshot.add'));
    const adder = { as: userWith('screenshot.add') };
    await expect(replace(world, id, png, userWith('screenshot.add'))).rejects.toMatchObject(denied);
    await expect(world.client.updateScreenshot({ id, name: 'x' }, adder)).rejects.toMatchObject(denied);
    await expect(world.client.attachUnit({ screenshotId: id, unitId: 10101 }, adder)).rejects.toMatchObject(denied);
    await expect(world.client.deleteScreenshot({ id }, { as: userWith('screenshot.edit') })).rejects.toMatchObject(
      denied,
    );
    await world.client.attachUnit({ screenshotId: id, unitId: 10101 }, { as: userWith('screenshot.edit') });
    await world.client.deleteScreenshot({ id }, { as: userWith('screenshot.delete') });
  });

  it('operations in an invisible project are answered with NOT_FOUND', async () => {
    const place = { componentId: 20, translationId: 201 };
    const all = userWith('screenshot.add', 'screenshot.edit', 'screenshot.delete');
    await expect(create(world, png, all, place)).rejects.toMatchObject(notFound);
    const { id } = await create(world, png, admin, place);
    await expect(world.client.deleteScreenshot({ id }, { as: all })).rejects.toMatchObject(notFound);
    expect(await world.keys()).toHaveLength(1);
  });
});

describe('bad uploads', () => {
  it('all problems of an upload are reported and nothing is stored', async () => {
    const problems = async (bytes: Buffer, more = {}) =>
      create(world, bytes, admin, more).then(
        () => [],
        (error: { problems: { attr: string; code: string }[] }) => error.problems.map((p) => `${p.attr} ${p.code}`),
      );
    expect(await problems(Buffer.alloc(0), { name: ' ' })).toEqual(['name blank', 'image empty']);
    expect(await problems(Buffer.from('GIF87a not really'), { name: 'x'.repeat(201) })).toEqual([
      'name max_length',
      'image invalid_image',
    ]);
    expect(await problems(Buffer.alloc(0), { name: ' ', repositoryFilename: 'x'.repeat(401) })).toEqual([
      'name blank',
      'repository_filename max_length',
      'image empty',
    ]);
    expect(await problems(Buffer.alloc(11 * 1024 * 1024))).toEqual(['image too_large']);
    expect(
      await problems(
        await sharp({ create: { width: 2001, height: 1, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
      ),
    ).toEqual(['image too_large']);
    expect(await problems(png, { translationId: 201 })).toEqual(['language_code does_not_exist']);
    expect(await problems(png, { translationId: 999 })).toEqual(['language_code does_not_exist']);
    expect(await problems(png, { componentId: 0 })).toEqual(['component_id invalid']);
    const made = await create(world, png);
    await expect(replace(world, made.id, Buffer.from('x'))).rejects.toMatchObject({
      reason: 'INVALID',
      problems: [{ attr: 'image', code: 'invalid_image' }],
    });
    expect((await world.client.listScreenshots({}, { as: service })).total).toBe(1);
    expect(await world.keys()).toHaveLength(1);
  });
});

describe('what is deleted elsewhere', () => {
  it.each([
    ['translationDeleted', { translationId: 101, componentId: 10, projectId: 1, languageCode: 'en' }, 1],
    ['componentDeleted', { componentId: 10, projectId: 1 }, 0],
    ['projectDeleted', { projectId: 1, slug: 'p' }, 0],
  ] as const)('deleting %s deletes its screenshots permanently', async (name, payload, left) => {
    await create(world, png);
    await create(world, png, admin, { translationId: 102 });
    await world.bus.publish(newEvent('test', name, payload, 1));
    await until(async () => (await world.keys()).length === left);
    expect((await world.client.listScreenshots({}, { as: service })).total).toBe(left);
    // An upload that was in progress.
    await expect(create(world, png)).rejects.toMatchObject(notFound);
    await world.cleanup.runPass();
    expect(await world.keys()).toHaveLength(left);
  });
});

describe('after a crash', () => {
  let mongo: Store<Models>;
  let store: MongoScreenshotStore;
  beforeEach(async () => {
    mongo = await openStore(world.options.mongodbUri, makeModels);
    store = new MongoScreenshotStore(mongo.models, new IdSequences(mongo.models.counters.collection), uncached);
  });
  afterEach(() => mongo.close());

  it('after a crash between upload and write, the object is deleted after its timeout, and objects in use are kept', async () => {
    const { id } = await create(world, png);
    const used = (await mongo.models.screenshots.findById(id).lean())!.image.key;
    const uploads = new MongoUploadStore(mongo.models);
    await uploads.expectObject(used, Date.now());
    await uploads.expectObject('screenshots/left.png', Date.now() + 60_000);
    await world.objects.put('screenshots/left.png', png, { contentType: 'image/png' });
    await world.cleanup.runPass();
    expect(await world.keys()).toHaveLength(2);
    await world.cleanup.runPass(Date.now() + 61_000);
    expect(await world.keys()).toEqual([used]);
    expect(await mongo.models.expected.countDocuments()).toBe(0);
  });

  it('after a crash between write and deletion, the next pass deletes the objects', async () => {
    const [kept, removed] = [await create(world, png), await create(world, png)];
    await store.remove(removed);
    const current = (await store.get(kept.id))!;
    await world.objects.put('screenshots/newer.png', png, { contentType: 'image/png' });
    await store.replace(
      { ...current, image: { ...current.image, key: 'screenshots/newer.png' } },
      current.image.key,
      [],
    );
    expect(await world.keys()).toHaveLength(3);
    await world.cleanup.runPass();
    expect(await world.keys()).toEqual(['screenshots/newer.png']);
    expect(await mongo.models.screenshots.countDocuments()).toBe(1);
    expect(await store.waste(10)).toEqual([]);
  });
});
