import { reasonOf, StringsWorld } from '../../test/support/memory/world';
import { loadTranslation } from './load-translation';

function start() {
  const world = new StringsWorld();
  world.component(1);
  return world;
}

describe('loadTranslation', () => {
  it('a translation is loaded with its component, in the generation that the caller has seen', async () => {
    const { deps } = start();
    const seen: [number, string][] = [];
    const catalog = {
      component: async (id: number, generation: string) => {
        seen.push([id, generation]);
        return deps.catalog.component(id);
      },
    };
    expect(await loadTranslation({ ...deps, catalog }, 11, 'g7')).toMatchObject({
      translation: { id: 11, language: { code: 'cs' } },
      component: { id: 1 },
    });
    expect(seen).toEqual([[1, 'g7']]);
  });

  it('a missing translation, and one whose component was deleted, is not found', async () => {
    const { deps, components } = start();
    expect(await reasonOf(loadTranslation(deps, 99, ''))).toBe('NOT_FOUND');
    components.delete(1);
    expect(await reasonOf(loadTranslation(deps, 11, ''))).toBe('NOT_FOUND');
  });
});
