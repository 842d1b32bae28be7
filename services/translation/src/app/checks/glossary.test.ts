import { StringsWorld } from '../../../test/support/memory/world';
import { glossaryTerms } from './glossary';

function start() {
  const world = new StringsWorld();
  world.component(1, { isGlossary: true });
  world.component(2);
  return { world, terms: () => glossaryTerms(world.deps, 1, 'cs') };
}
const term = { target: ['soubor'], state: 20 };

describe('glossaryTerms', () => {
  it('the terms of a project are the translated strings of its glossaries', async () => {
    const { world, terms } = start();
    world.string(1, 7, 'file', term);
    world.string(1, 8, 'folder');
    world.string(2, 9, 'window', { target: ['okno'], state: 20 });
    expect(await terms()).toEqual([
      { unit: 7, component: 1, source: 'file', targets: ['soubor'], forbidden: false, readOnly: false },
    ]);
  });

  it('a flag of the file or of the source string forbids a translation', async () => {
    const { world, terms } = start();
    world.string(1, 7, 'file', { ...term, flags: 'forbidden' });
    world.string(1, 8, 'folder', term, { extraFlags: 'forbidden' });
    expect((await terms()).map(({ forbidden }) => forbidden)).toEqual([true, true]);
  });

  it('a term is a variant of the one that its flag names', async () => {
    const { world, terms } = start();
    world.string(1, 7, 'CPU', { ...term, flags: 'variant:"Central processing unit"' });
    world.string(1, 8, 'processor', term, { extraFlags: 'variant:CPU' });
    expect((await terms()).map(({ variantOf }) => variantOf)).toEqual(['Central processing unit', 'CPU']);
  });

  it('a read-only term is not to be translated', async () => {
    const { world, terms } = start();
    world.string(1, 7, 'file', { ...term, state: 100 });
    expect(await terms()).toMatchObject([{ readOnly: true }]);
  });
});
