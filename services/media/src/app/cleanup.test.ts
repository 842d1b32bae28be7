import { MemoryObjects } from '../../test/support/memory/objects';
import { MemoryScreenshotStore } from '../../test/support/memory/screenshot-store';
import { Cleanup } from './cleanup';

function start() {
  const effects: string[] = [];
  const log = (effect: string) => void effects.push(effect);
  const screenshots = new MemoryScreenshotStore(log);
  const objects = new MemoryObjects(log);
  const put = async (key: string, untilMs: number) => {
    await screenshots.expectObject(key, untilMs);
    await objects.put(key, Buffer.from('bytes'));
    effects.length = 0;
  };
  return { effects, screenshots, objects, put, cleanup: new Cleanup([screenshots], screenshots, objects) };
}

describe('unused objects of the bucket', () => {
  it('an object whose screenshot was never stored is deleted after its time, before the store forgets it', async () => {
    const { effects, objects, put, cleanup } = start();
    await put('stray', 1_000);
    await cleanup.runPass(1_000);
    expect([...objects.stored.keys()]).toEqual(['stray']);
    await cleanup.runPass(1_001);
    expect([...objects.stored.keys()]).toEqual([]);
    expect(effects).toEqual(['delete object', 'settle object']);
  });

  it('all objects are deleted in one pass, however many there are', async () => {
    const { objects, put, cleanup } = start();
    for (let at = 0; at < 250; at++) await put(`stray-${at}`, 0);
    await cleanup.runPass(1);
    expect(objects.stored.size).toBe(0);
  });

  it('unused objects that remained after an outage are deleted by a later pass; the outage fails no caller', async () => {
    const { screenshots, objects, put, cleanup } = start();
    await put('stray', 0);
    objects.fails = true;
    await cleanup.schedule();
    expect(await screenshots.strayObjects(Date.now(), 10)).toEqual(['stray']);
    objects.fails = false;
    await cleanup.schedule();
    expect(objects.stored.size).toBe(0);
    expect(await screenshots.strayObjects(Date.now(), 10)).toEqual([]);
  });

  it('passes run one at a time, and stopping waits for the last', async () => {
    const { objects, put, cleanup } = start();
    await put('stray', 0);
    void cleanup.schedule();
    void cleanup.schedule();
    await cleanup.stop();
    expect(objects.stored.size).toBe(0);
  });
});
