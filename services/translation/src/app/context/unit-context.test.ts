import type { ProjectTerm } from '../../domain/project-term';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { loadVisibleUnit } from '../edit/load-unit';
import { unitContext } from './unit-context';

function start() {
  const world = new StringsWorld();
  world.component(1);
  world.component(2);
  world.component(3, { restricted: true });
  for (let id = 1; id <= 13; id++) world.string(1, id, `Open file ${id}`, { position: id });
  for (const component of [2, 3]) world.string(component, component * 20, 'Open file 7');
  const terms = [2, 3].map((component): ProjectTerm => {
    return { unit: component * 30, component, source: 'file', targets: ['soubor'], forbidden: false, readOnly: false };
  });
  const deps = { ...world.deps, glossary: { ...world.deps.glossary, terms: async () => terms } };
  const context = async (id: number, caller = world.user(3, [])) =>
    unitContext(deps, caller, await loadVisibleUnit(deps, caller, id, ''), '');
  return { world, terms, context };
}
const ids = (units: readonly { id: number }[]) => units.map(({ id }) => id);

describe('unitContext', () => {
  it('unitContext contains five strings on each side, in file order', async () => {
    const { before, after } = await start().context(7);
    expect([ids(before), ids(after)]).toEqual([
      [2, 3, 4, 5, 6],
      [8, 9, 10, 11, 12],
    ]);
  });

  it('strings with the same source come from other components that the caller sees', async () => {
    const { world, context } = start();
    expect(ids((await context(7)).sameSource)).toEqual([40]);
    expect(ids((await context(7, world.user(4, [], { isSuperuser: true }))).sameSource)).toEqual([40, 60]);
  });

  it('strings with the same source are looked up only if another component has the language', async () => {
    const { world, context } = start();
    const twins = jest.spyOn(world.units, 'twins');
    await context(7);
    expect(twins).toHaveBeenCalledTimes(1);
    for (const component of [2, 3]) world.components.delete(component);
    expect((await context(7)).sameSource).toEqual([]);
    expect(twins).toHaveBeenCalledTimes(1);
    world.component(4);
    world.string(4, 80, 'Open file 7');
    expect(ids((await context(7)).sameSource)).toEqual([80]);
  });

  it('terms are those in the source, with their places, of glossaries that the caller sees', async () => {
    const { terms } = await start().context(7);
    expect(terms).toMatchObject([{ term: { component: 2 }, spans: [{ form: 0, start: 5, end: 9 }] }]);
  });

  it('terms come with their variants in the same glossary', async () => {
    const { terms, context } = start();
    const variant = { component: 2, forbidden: false, readOnly: false };
    terms.push(
      { ...variant, unit: 61, source: 'document', targets: ['dokument'], variantOf: 'file' },
      { ...variant, unit: 62, source: 'record', targets: ['záznam'], variantOf: 'file' },
      { ...variant, unit: 63, source: 'folder', targets: ['složka'] },
      { ...variant, unit: 64, source: 'paper', targets: ['papír'], variantOf: 'file', component: 3 },
    );
    expect((await context(7)).terms.map(({ variants }) => variants.map(({ unit }) => unit))).toEqual([[61, 62]]);
    terms[0]!.source = 'archive';
    terms[1]!.source = 'archive';
    terms[2]!.source = 'file';
    expect((await context(7)).terms.map(({ variants }) => variants.map(({ unit }) => unit))).toEqual([[62]]);
  });

  it('a term is not a term of itself, and a source string has none', async () => {
    const { terms, context } = start();
    terms[0]!.unit = 7;
    expect((await context(7)).terms).toEqual([]);
    expect((await context(507)).terms).toEqual([]);
  });

  it('a unit of a component that the caller does not see does not exist', async () => {
    const { context } = start();
    expect(await reasonOf(context(60))).toBe('NOT_FOUND');
    expect(await reasonOf(context(999))).toBe('NOT_FOUND');
  });
});
