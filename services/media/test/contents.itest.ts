import { newEvent } from '@parlance/events';
import { admit, connectRedis } from '@parlance/redis';
import { IdSequences, openStore, type Store } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import { once } from 'node:events';
import sharp from 'sharp';
import type { Font } from '../src/domain/font';
import type { Screenshot } from '../src/domain/screenshot';
import { MongoFontStore } from '../src/store/font-store';
import { makeModels, type Models } from '../src/store/models';
import { MongoOutboxStore } from '../src/store/outbox-store';
import { MongoScreenshotStore } from '../src/store/screenshot-store';
import { create, startWorld } from './support/world';

const image = { key: 'screenshots/a.png', filename: 'a.png', contentType: 'image/png', etag: 'a' };
const screenshot: Screenshot = {
  ...{ id: 1, version: 1, name: 'Login', projectId: 3, componentId: 30, translationId: 301, languageCode: 'cs' },
  ...{ repositoryFilename: '', unitIds: [], userId: 7, createdMs: 0, updatedMs: 0 },
  image: { ...image, size: 1, width: 1, height: 1 },
};
const font: Font = {
  ...{ id: 1, projectId: 3, family: 'Sans', style: '', weight: 400, italic: false, characters: 1 },
  ...{ key: 'fonts/a.ttf', filename: 'a.ttf', contentType: 'font/ttf', size: 1, etag: 'a', userId: 7, createdMs: 0 },
};
const widths = { unitsPerEm: 1000, codePoints: new Uint8Array(4), advances: new Uint8Array(2) };
const ofComponent = { project: 3, component: 30 };
const ofProject = { project: 3, component: 0 };

describe('replies about screenshots and fonts are invalidated', () => {
  let mongo: Store<Models>;
  let screenshots: MongoScreenshotStore;
  let fonts: MongoFontStore;
  let outbox: MongoOutboxStore;
  let changed: { project: number; component: number }[];
  beforeEach(async () => {
    mongo = await openStore((await engines()).mongoUri('mediacontents'), makeModels);
    await mongo.connection.dropDatabase();
    changed = [];
    const contents = { changed: async (places: readonly (typeof ofComponent)[]) => void changed.push(...places) };
    const ids = new IdSequences(mongo.models.counters.collection);
    screenshots = new MongoScreenshotStore(mongo.models, ids, contents);
    fonts = new MongoFontStore(mongo.models, ids, contents);
    outbox = new MongoOutboxStore(mongo.models, contents);
  });
  afterEach(() => mongo.close());

  /** Places whose replies a write invalidated. */
  async function invalidatedBy(write: () => Promise<unknown>) {
    changed = [];
    await write();
    return changed;
  }

  it('after every write of a screenshot', async () => {
    expect(await invalidatedBy(() => screenshots.add(screenshot, []))).toEqual([ofComponent]);
    const edit = () => screenshots.replace({ ...screenshot, name: 'Sign in' }, image.key, []);
    expect(await invalidatedBy(edit)).toEqual([ofComponent]);
    const attach = () => screenshots.attach(1, 5, 1, 1);
    expect(await invalidatedBy(attach)).toEqual([ofComponent]);
    expect(await invalidatedBy(() => screenshots.attach(1, 6, 1, 1))).toEqual([]);
    expect(await invalidatedBy(() => screenshots.detach(1, 5, 1))).toEqual([ofComponent]);
    expect(await invalidatedBy(() => screenshots.remove(screenshot))).toEqual([ofComponent]);
  });

  it('after a string is attached again, because the first request may be in progress', async () => {
    await screenshots.add({ ...screenshot, unitIds: [5] }, []);
    expect(await invalidatedBy(() => screenshots.attach(1, 5, 1, 1))).toEqual([ofComponent]);
  });

  it('after a deletion of the scope that is repeated, and after an addition that it rejects', async () => {
    const removeAll = () => screenshots.removeOf({ translationId: 301 }, ofComponent);
    expect(await invalidatedBy(removeAll)).toEqual([ofComponent]);
    expect(await invalidatedBy(removeAll)).toEqual([ofComponent]);
    expect(await invalidatedBy(() => screenshots.add(screenshot, []))).toEqual([ofComponent]);
  });

  it('after every write of a font', async () => {
    expect(await invalidatedBy(() => fonts.add(font, widths, []))).toEqual([ofProject]);
    expect(await invalidatedBy(() => fonts.remove(font, []))).toEqual([ofProject]);
  });

  it('when events of an interrupted write are published', async () => {
    const event = newEvent('media', 'fontChanged', { projectId: 3, fontId: 1 }, 1);
    await screenshots.add(screenshot, [event]);
    await fonts.add(font, widths, [event]);
    expect(await invalidatedBy(() => outbox.remove({ of: 'screenshots', id: 1 }, [event.id]))).toEqual([ofComponent]);
    expect(await invalidatedBy(() => outbox.remove({ of: 'fonts', id: 1 }, [event.id]))).toEqual([ofProject]);
  });

  it('after the restore of a project, in each component with screenshots', async () => {
    await screenshots.add(screenshot, []);
    expect(await invalidatedBy(() => screenshots.invalidateProject(3))).toEqual([ofProject, ofComponent]);
  });
});

it('the process replaces generations in Redis before its response', async () => {
  const world = await startWorld();
  const redis = connectRedis((await engines()).redisUrl, () => undefined);
  try {
    if (redis.status !== 'ready') await once(redis, 'ready');
    const read = async () => (await admit(redis, 'test:media', null, ['site', 'project:1', 'component:10'])).contents!;
    const before = await read();
    await create(
      world,
      await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const after = await read();
    expect(after.map((generation, i) => generation !== null && generation !== before[i])).toEqual([true, true, true]);
  } finally {
    redis.disconnect();
    await world.stop();
  }
});
