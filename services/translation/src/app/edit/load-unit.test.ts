import { language, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { formsOf, loadUnit, withContext } from './load-unit';

function start() {
  const world = new StringsWorld();
  const { component, czech } = world.component(1);
  const { unit } = world.string(1, 7, 'Hello');
  return { world, component, czech, unit };
}

describe('loadUnit', () => {
  it('a unit is loaded with its translation and component', async () => {
    const { world, component, czech, unit } = start();
    expect(await loadUnit(world.deps, 7, '')).toEqual({ unit, translation: czech, component });
  });

  it('a unit, translation or component that does not exist is not found', async () => {
    const { world, unit } = start();
    expect(await reasonOf(loadUnit(world.deps, 99, ''))).toBe('NOT_FOUND');
    expect(await reasonOf(withContext(world.deps, { ...unit, component: 99 }, ''))).toBe('NOT_FOUND');
    expect(await reasonOf(withContext(world.deps, { ...unit, translation: 99 }, ''))).toBe('NOT_FOUND');
  });

  it('the component is read in the catalog generation that the caller has seen', async () => {
    const { world, component } = start();
    const seen: string[] = [];
    const catalog = {
      component: async (_: number, generation: string) => {
        seen.push(generation);
        return component;
      },
    };
    await loadUnit({ ...world.deps, catalog }, 7, 'g-5');
    expect(seen).toEqual(['g-5']);
  });
});

describe('formsOf', () => {
  const czech = sampleTranslation(11);
  const plural = { source: ['%d file', '%d files'] };

  it('a plural has the forms of its language, and the source string has those of the file', () => {
    expect(formsOf(sampleUnit(czech, 7, plural), czech)).toBe(3);
    const english = sampleTranslation(10, { language: { ...language('en'), pluralNumber: 2 }, isSource: true });
    expect(formsOf(sampleUnit(english, 507, { source: ['a', 'b', 'c'] }), english)).toBe(3);
  });

  it('a string without plural has one form in every language', () => {
    expect(formsOf(sampleUnit(czech, 7), czech)).toBe(1);
  });
});
