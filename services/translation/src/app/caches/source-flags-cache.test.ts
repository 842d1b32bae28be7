import { StringsWorld } from '../../../test/support/memory/world';
import { SourceFlagsCache } from './source-flags-cache';

/** A component with two strings; `reads` are the translations whose flags were read. */
function start() {
  const world = new StringsWorld();
  world.component(1);
  const { unit } = world.string(1, 7, 'Hello', {}, { extraFlags: 'max-length:5' });
  const plain = world.string(1, 8, 'Bye').unit;
  const reads: number[] = [];
  const extraFlags = async (translation: number) => {
    reads.push(translation);
    const units = await world.units.ofTranslation(translation);
    return new Map(units.filter((u) => u.extraFlags !== '').map((u) => [u.id, u.extraFlags]));
  };
  return { world, unit, plain, reads, cache: new SourceFlagsCache({ extraFlags }, world.translations) };
}

describe('SourceFlagsCache', () => {
  it('the flags of a string are those of its source unit; one read serves all strings of a component', async () => {
    const { cache, unit, plain, reads } = start();
    expect(await Promise.all([cache.of(unit), cache.of(plain)])).toEqual(['max-length:5', '']);
    expect(await cache.of(unit)).toBe('max-length:5');
    expect(reads).toEqual([10]);
  });

  it('after a write of any replica, which clears the cache, the flags are read again', async () => {
    const { world, cache, unit } = start();
    await cache.of(unit);
    world.units.put({ ...(await world.units.get(507))!, extraFlags: 'md-text' });
    cache.clear();
    expect(await cache.of(unit)).toBe('md-text');
  });

  it('a component without a source translation, as during its import, has no flags', async () => {
    const { cache, unit, reads } = start();
    expect(await cache.of({ ...unit, component: 2 })).toBe('');
    expect(reads).toEqual([]);
  });

  it('components do not share flags', async () => {
    const { world, cache, unit } = start();
    world.component(2);
    expect(await cache.of(unit)).toBe('max-length:5');
    expect(await cache.of({ ...unit, component: 2 })).toBe('');
  });
});
