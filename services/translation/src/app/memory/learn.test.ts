import { translationMemory } from '../../../test/support/memory/memory-store';
import { StringsWorld } from '../../../test/support/memory/world';
import { learnFromTranslation, learnFromUnits } from './learn';

function start(settings = {}, perProject = 100) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 });
  world.string(1, 8, 'Bye', { target: ['Sbohem'], state: 10 });
  const memory = translationMemory({ perUser: 100, perProject });
  const deps = { ...world.deps, ...memory.deps };
  const learned = () => memory.store.entries().map(({ source, target }) => [source, target]);
  return { world, ...memory, deps, learned };
}
const pause = async () => undefined;

describe('learning', () => {
  it('finished strings become entries of the project with their origin', async () => {
    const { deps, store, learned } = start();
    await learnFromUnits(deps, 11, [7, 8]);
    expect(learned()).toEqual([['Hello', 'Ahoj']]);
    expect(store.entries()).toMatchObject([{ origin: 'p/app', project: 1, user: 0, shared: true, fromFile: false }]);
  });

  it('an edited string confirms its entry, a whole translation does not', async () => {
    const { deps, store, clock } = start();
    await learnFromUnits(deps, 11, [7]);
    clock.now += 5;
    await learnFromTranslation(deps, 11, pause);
    expect(store.entries()).toMatchObject([{ stamp: clock.now - 5 }]);
    await learnFromUnits(deps, 11, [7]);
    expect(store.entries()).toMatchObject([{ stamp: clock.now }]);
  });

  it('source strings, glossaries and units of other translations are ignored', async () => {
    const { deps, learned } = start();
    await learnFromTranslation(deps, 10, pause);
    await learnFromUnits(deps, 11, [507]);
    expect(learned()).toEqual([]);
    const glossary = start({ isGlossary: true });
    await learnFromTranslation(glossary.deps, 11, pause);
    expect(glossary.learned()).toEqual([]);
  });

  it('a project with restricted access keeps its texts to itself', async () => {
    const { deps, store, projects } = start();
    projects.set(1, { ...projects.get(1)!, accessControl: 100 });
    await learnFromUnits(deps, 11, [7]);
    expect(store.entries()).toMatchObject([{ shared: false }]);
  });

  it('a full memory of a project learns nothing', async () => {
    const { deps, store, entry, learned } = start({}, 1);
    await store.add([entry('One', 'jedna')], { now: 1, confirm: false });
    await learnFromTranslation(deps, 11, pause);
    expect(learned()).toEqual([['One', 'jedna']]);
  });
});
