import { Action } from '../../domain/change';
import { contentHash, type Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { applySourceTexts } from './apply-source-texts';

/** A monolingual component whose source text `Hello` was edited to `Hi`. */
function start(fields: Partial<Unit> = {}, settings = {}) {
  const world = new StringsWorld();
  const { component } = world.component(1, { template: 'en.json', fileFormat: 'json', ...settings });
  const { source } = world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, ...fields });
  world.user(3, []);
  const edit = (text: string, more: Partial<Unit> = {}) =>
    world.units.put({
      ...source,
      source: [text],
      target: [text],
      contentHash: contentHash('', [text]),
      words: 5,
      ...more,
    });
  edit('Hi');
  const apply = (before = source) => applySourceTexts(world.deps, component, [before], world.authors.get(3)!);
  return { world, source, edit, apply };
}

describe('applySourceTexts', () => {
  it('a translation of the old source needs editing, keeps its text and the old source, with history', async () => {
    const { world, apply } = start();
    await apply();
    expect(await world.units.get(7)).toMatchObject({
      source: ['Hi'],
      previousSource: ['Hello'],
      target: ['Ahoj'],
      state: 10,
      words: 5,
      contentHash: contentHash('', ['Hi']),
    });
    expect(world.changes).toMatchObject([{ action: Action.sourceChanged, target: 'Hi', old: 'Hello', user: 3 }]);
  });

  it('applySourceTexts is idempotent', async () => {
    const { world, apply } = start();
    await apply();
    await apply();
    expect(world.changes).toHaveLength(1);
  });

  it('a source that changes back makes the translation count as translated again', async () => {
    const { world, edit, apply } = start();
    await apply();
    const before = (await world.units.get(507))!;
    edit('Hello', { version: 3 });
    await apply(before);
    expect(await world.units.get(7)).toMatchObject({ source: ['Hello'], previousSource: [], state: 20 });
  });

  it('an untranslated string stays untranslated', async () => {
    const { world, apply } = start({ target: [''], state: 0 });
    await apply();
    expect(await world.units.get(7)).toMatchObject({ source: ['Hi'], state: 0, previousSource: [] });
  });

  it('formats with states get the new state with the next commit', async () => {
    const po = start({}, { template: 'en.po', fileFormat: 'po' });
    await po.apply();
    expect((await po.world.units.get(7))!.edits).toMatchObject([{ target: ['Ahoj'], state: 10 }]);
    const json = start();
    await json.apply();
    expect((await json.world.units.get(7))!.edits).toEqual([]);
  });

  it('a translation that loses a race is read again', async () => {
    const { world, apply } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, target: ['Nazdar'] });
    };
    await apply();
    expect(await world.units.get(7)).toMatchObject({ source: ['Hi'], target: ['Nazdar'], state: 10 });
  });

  it('a source that is edited again meanwhile reaches the translations, too', async () => {
    const { world, edit, apply } = start();
    world.units.rival = () => edit('Hey', { version: 3 });
    await apply();
    expect(await world.units.get(7)).toMatchObject({ source: ['Hey'], previousSource: ['Hello'] });
  });

  it('with an intermediate file, translations are read-only until their source is written', async () => {
    const { world, edit, apply } = start({}, { intermediate: 'dev.json' });
    edit('Hi', { target: [''], state: 0 });
    await apply();
    expect(await world.units.get(7)).toMatchObject({ state: 100, formerState: 10 });
    edit('Hi', { version: 3, state: 20 });
    await apply();
    expect(await world.units.get(7)).toMatchObject({ state: 10 });
    expect((await world.units.get(7))!.formerState).toBeUndefined();
  });

  it('edited glossary terms are reported', async () => {
    const { world, apply } = start({}, { isGlossary: true });
    await apply();
    expect(world.effects).toContain('terms changed everywhere');
  });
});
