import { createHash } from 'node:crypto';
import type { media } from '@parlance/contracts';
import { newEvent } from '@parlance/events';
import { chunks } from '@parlance/grpc-kit';
import { IdSequences, openStore, type Store } from '@parlance/store-kit';
import { problemsOf, sampleFont, sampleWoff2, until } from '@parlance/testing';
import { MongoFontStore } from '../src/store/font-store';
import { makeModels, type Models } from '../src/store/models';
import { MongoUploadStore } from '../src/store/upload-store';
import { uncached } from './support/uncached';
import { admin, service, userWith, startWorld, type World } from './support/world';

const bold = sampleWoff2({ family: 'Source Sans', style: 'Bold', weight: 700, advances: { A: 600, 中: 1000 } });
const regular = sampleFont({ family: 'Source Sans', advances: { A: 550 } });

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const notFound = { reason: 'NOT_FOUND' };

async function create(bytes: Buffer, as = admin, header: Partial<media.CreateFontHeader> = {}) {
  async function* requests(): AsyncGenerator<media.CreateFontRequest> {
    yield { header: { projectId: 1, filename: 'source.woff2', ...header } };
    for (const chunk of chunks(bytes)) yield { chunk };
  }
  return (await world.client.createFont(requests(), { as })).font!;
}

const list = async (projectId = 1) => (await world.client.listFonts({ projectId }, { as: service })).fonts;

async function download(id: number, as = admin): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const { chunk } of world.client.readFont({ projectId: 1, id }, { as })) parts.push(chunk);
  return Buffer.concat(parts);
}

describe('a font of a project', () => {
  it('a font is stored with its file and recorded in the history', async () => {
    const font = await create(bold, userWith('project.edit'));
    expect(font).toMatchObject({ projectId: 1, family: 'Source Sans', style: 'Bold', weight: 700, characters: 2 });
    expect(font).toMatchObject({ filename: 'source.woff2', contentType: 'font/woff2', size: bold.length, userId: 7 });
    expect(font.etag).toBe(createHash('sha256').update(bold).digest('hex'));
    const other = await create(regular, admin, { filename: 'regular.ttf' });
    expect(await list()).toEqual([font, other]);
    expect((await world.client.getFont({ projectId: 1, id: font.id }, { as: service })).font).toEqual(font);
    expect(await download(font.id)).toEqual(bold);
    expect(await world.announced()).toMatchObject([
      { action: 80, projectId: 1, userId: 7, target: 'Source Sans Bold', detailsJson: '{"filename":"source.woff2"}' },
      { action: 80, target: 'Source Sans Regular' },
    ]);
    expect(await world.changedFonts()).toEqual([font.id, other.id]);
  });

  it('the advances of its characters are kept for the checks', async () => {
    const { id } = await create(bold);
    const widths = await world.client.getFontWidths({ id }, { as: service });
    expect(widths).toMatchObject({ font: { id, family: 'Source Sans' }, unitsPerEm: 1000 });
    expect([0, 4].map((at) => widths.codePoints.readUInt32LE(at))).toEqual([0x41, 0x4e2d]);
    expect([0, 2].map((at) => widths.advances.readUInt16LE(at))).toEqual([600, 1000]);
  });

  it('deleting a font deletes its object and is recorded', async () => {
    const { id } = await create(bold);
    await world.client.deleteFont({ projectId: 1, id }, { as: admin });
    expect(await world.keys()).toEqual([]);
    expect(await list()).toEqual([]);
    expect((await world.announced()).map(({ action }) => action)).toEqual([80, 82]);
    expect(await world.changedFonts()).toEqual([id, id]);
    await expect(world.client.deleteFont({ projectId: 1, id }, { as: admin })).rejects.toMatchObject(notFound);
    await expect(world.client.getFontWidths({ id }, { as: service })).rejects.toMatchObject(notFound);
    await expect(download(id)).rejects.toMatchObject(notFound);
  });

  it('writing and downloading require project.edit; other projects have no such font', async () => {
    const { id } = await create(bold);
    const translator = userWith('unit.edit', 'screenshot.add');
    const denied = { reason: 'PERMISSION_DENIED' };
    await expect(create(bold, translator)).rejects.toMatchObject(denied);
    await expect(download(id, translator)).rejects.toMatchObject(denied);
    await expect(world.client.deleteFont({ projectId: 1, id }, { as: translator })).rejects.toMatchObject(denied);
    await expect(create(bold, userWith('project.edit'), { projectId: 2 })).rejects.toMatchObject(notFound);
    await expect(world.client.getFont({ projectId: 2, id }, { as: service })).rejects.toMatchObject(notFound);
    await expect(world.client.deleteFont({ projectId: 2, id }, { as: admin })).rejects.toMatchObject(notFound);
    expect(await list(2)).toEqual([]);
  });

  it('invalid files are refused with an error of the field, and leave no object', async () => {
    const refusal = async (bytes: Buffer) => (await problemsOf(create(bytes))).map((p) => `${p.attr} ${p.code}`);
    expect(await refusal(Buffer.alloc(0))).toEqual(['font empty']);
    expect(await refusal(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toEqual(['font invalid_font']);
    expect(await refusal(regular.subarray(0, 150))).toEqual(['font invalid_font']);
    expect(await refusal(Buffer.concat([regular, Buffer.alloc(11 * 1024 * 1024)]))).toEqual(['font too_large']);
    expect(await world.keys()).toEqual([]);
  });

  it('deleting a project deletes its fonts permanently', async () => {
    const { id } = await create(bold);
    await world.bus.publish(newEvent('test', 'projectDeleted', { projectId: 1, slug: 'p' }, 1));
    await until(async () => (await world.keys()).length === 0);
    expect(await list()).toEqual([]);
    expect(await world.changedFonts()).toEqual([id, id]);
    // An upload that was in progress.
    await expect(create(bold)).rejects.toMatchObject(notFound);
    expect(await world.keys()).toEqual([]);
  });
});

describe('after a crash', () => {
  let mongo: Store<Models>;
  beforeEach(async () => {
    mongo = await openStore(world.options.mongodbUri, makeModels);
  });
  afterEach(() => mongo.close());

  it('a file in use is kept, and the file of a deleted font is deleted after its events were published', async () => {
    const [kept, removed] = [await create(bold), await create(regular)];
    const { key } = (await mongo.models.fonts.findById(kept.id).lean())!;
    await new MongoUploadStore(mongo.models).expectObject(key, Date.now());
    const store = new MongoFontStore(mongo.models, new IdSequences(mongo.models.counters.collection), uncached);
    const event = newEvent('media', 'fontChanged', { projectId: 1, fontId: removed.id }, removed.id);
    await store.remove(removed, [event]);
    expect(await store.waste(10)).toEqual([]);
    await until(async () => (await world.changedFonts()).length === 3);
    await until(async () => (await store.waste(10)).length === 1);
    await world.cleanup.runPass();
    expect(await world.keys()).toEqual([key]);
    expect(await mongo.models.expected.countDocuments()).toBe(0);
  });
});
