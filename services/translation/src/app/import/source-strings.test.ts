import { idHash, type Unit } from '../../domain/unit';
import { StringsWorld } from '../../../test/support/memory/world';
import { importOptions } from '../../../test/support/import-world';
import type { FileEntry } from './file-entry';
import { SourceStrings } from './source-strings';

const entry = (text: string, fields: Partial<FileEntry> = {}): FileEntry => ({
  key: idHash(false, '', [text]),
  context: '',
  source: [text],
  target: ['preklad'],
  state: 20,
  note: '',
  location: '',
  flags: '',
  previousSource: [],
  ...fields,
});

async function start(settings = {}) {
  const world = new StringsWorld();
  const { component, source, czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20 }, { position: 4 });
  const options = { ...importOptions, initial: false };
  const strings = new SourceStrings(world.deps, component, options, source);
  await strings.load();
  const added = async () => (await world.units.ofTranslation(10)).filter(({ id }) => id !== 507);
  return { world, component, source, czech, strings, added, options };
}

describe('SourceStrings', () => {
  it('only missing strings are added, after the existing ones', async () => {
    const { strings, added } = await start();
    expect(await strings.add([entry('Hello'), entry('Bye')])).toBe(1);
    const [unit] = await added();
    expect(unit).toMatchObject({ source: ['Bye'], target: ['Bye'], position: 5, isSource: true, state: 100 });
    expect(unit!.sourceUnit).toBe(unit!.id);
    expect(strings.needRecount).toBe(true);
    expect(await strings.add([entry('Bye')])).toBe(0);
  });

  it('a source string of a monolingual component has the text and state of its file', async () => {
    const { strings, added } = await start({ template: 'en.json', fileFormat: 'json' });
    await strings.add([entry('', { key: 'k', context: 'bye', source: ['Bye'], target: ['Bye'] })]);
    expect(await added()).toMatchObject([{ context: 'bye', target: ['Bye'], state: 20, words: 1 }]);
  });

  it('a string that was deleted from the translation of the file is not added again', async () => {
    const { world, strings, czech } = await start();
    const { key } = entry('Bye');
    const author = { userId: 3, username: 'ana', fullName: 'Ana', email: '' };
    await world.removals.add([{ id: 'unit 8', component: 1, translation: 11, key, author, time: 1 }]);
    expect(await strings.add([entry('Bye')], czech)).toBe(0);
  });

  it('a string with the same key that another writer added becomes the source string', async () => {
    const { world, strings, added } = await start();
    world.string(1, 8, 'Bye');
    await strings.add([entry('Bye')]);
    expect(await added()).toMatchObject([{ id: 508 }]);
    expect(strings.byKey.get(entry('Bye').key)!.id).toBe(508);
  });

  it('one of several duplicates is the source string and the others are reported', async () => {
    const { world, strings } = await start();
    world.units.put({ ...(await world.units.get(507))!, id: 600 });
    await strings.load();
    expect(strings.byKey.size).toBe(1);
    expect(strings.duplicates).toEqual([600]);
  });

  it('the strings of a new source translation go to its own insert, and are counted', async () => {
    const { world, component, source, options } = await start();
    const inserted: Unit[] = [];
    const fresh = new SourceStrings(world.deps, component, options, source, async (units) => {
      inserted.push(...units);
    });
    await fresh.add([entry('One'), entry('Two words')]);
    expect(inserted.map(({ position, words }) => [position, words])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(fresh.counters.all).toMatchObject({ s: 2, w: 3 });
  });

  it('a source text that was edited during the import reaches its translations', async () => {
    const { world, strings } = await start({ template: 'en.json', fileFormat: 'json' });
    const stored = (await world.units.get(507))!;
    world.units.put({ ...stored, target: ['Hi'], source: ['Hi'], contentHash: 'changed', version: 2 });
    await strings.spreadConcurrentEdits();
    expect(await world.units.get(7)).toMatchObject({ source: ['Hi'], previousSource: ['Hello'], state: 10 });
  });
});
