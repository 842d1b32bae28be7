import { MemoryFontStore, sampleFont } from '../../../test/support/memory/font-store';
import { ProjectFontsCache } from './project-fonts-cache';

async function start(...ids: number[]) {
  const effects: string[] = [];
  const store = new MemoryFontStore((effect) => void effects.push(effect));
  for (const id of ids) await store.put(sampleFont(id));
  effects.length = 0;
  return { effects, store, cache: new ProjectFontsCache(store) };
}

describe('ProjectFontsCache', () => {
  it('a project without fonts has none', async () => {
    const { cache } = await start();
    expect(await cache.of(1)).toBeUndefined();
  });

  it('fonts are read once, and after a change their ids alone', async () => {
    const { effects, cache } = await start(3);
    const fonts = await cache.of(1);
    expect(fonts!.find('wide', '')!.advance(0x41)).toBe(1);
    expect(await cache.of(1)).toBe(fonts);
    const reads = effects.length;
    cache.clear();
    expect(await cache.of(1)).toBe(fonts);
    expect(effects.length - reads).toBe(1);
  });

  it('other fonts are another set', async () => {
    const { store, cache } = await start(3);
    const before = await cache.of(1);
    await store.put(sampleFont(4));
    cache.clear();
    const after = await cache.of(1);
    expect([before, after].map((fonts) => fonts!.key)).toEqual(['3', '4,3']);
    await store.remove(3);
    await store.remove(4);
    cache.clear();
    expect(await cache.of(1)).toBeUndefined();
  });
});
