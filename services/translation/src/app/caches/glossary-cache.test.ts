import { StringsWorld } from '../../../test/support/memory/world';
import { CacheGeneration } from './cache-generation';
import { GlossaryCache } from './glossary-cache';

/** A replica with its caches over the strings of a glossary. */
function start() {
  const world = new StringsWorld();
  world.component(1, { isGlossary: true });
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  const { units } = world;
  const cache: GlossaryCache = new GlossaryCache({
    ...world.deps,
    invalidate: async () => generation.changed(),
    forget: () => generation.forget(),
    scheduleRecheck: () => undefined,
  });
  const generation = new CacheGeneration([cache], async () => undefined);
  /** Another replica changes the term; this one gets no call that would tell it. */
  const changeElsewhere = async (target: string) => units.put({ ...(await units.get(7))!, target: [target] });
  const targets = (terms: readonly { targets: readonly string[] }[]) => terms.map((term) => term.targets).flat();
  return { cache, changeElsewhere, targets };
}

describe('GlossaryCache', () => {
  it('background work gets the terms that another replica stored, and requests after it, too', async () => {
    const { cache, changeElsewhere, targets } = start();
    expect(targets(await cache.terms(1, 'cs'))).toEqual(['Ahoj']);
    await changeElsewhere('Nazdar');
    expect(targets(await cache.storedTerms(1, 'cs'))).toEqual(['Nazdar']);
    expect(targets(await cache.terms(1, 'cs'))).toEqual(['Nazdar']);
  });
});
