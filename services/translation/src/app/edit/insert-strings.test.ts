import { language, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { fieldsOf, StringsWorld } from '../../../test/support/memory/world';
import { Action } from '../../domain/change';
import type { Translation } from '../../domain/translation';
import { idHash } from '../../domain/unit';
import { insertStrings, keepSources, type NewString } from './insert-strings';

/** Component 1 with the translations 10 (source), 11 (Czech) and 12 (German). User 3 adds strings. */
function start(settings = {}) {
  const world = new StringsWorld();
  const { component, source, czech } = world.component(1, settings);
  const german = sampleTranslation(12, { component: 1, language: language('de') });
  world.translations.put(german);
  world.user(3, []);
  const author = world.authors.get(3)!;
  const text = (source: string, more: Partial<NewString> = {}): NewString => ({
    context: '',
    source: [source],
    target: [''],
    state: 0,
    ...more,
  });
  const insert = (translation: Translation, ...strings: NewString[]) =>
    insertStrings(world.deps, component, translation, strings, author);
  return { world, component, source, czech, german, author, text, insert };
}

describe('strings added to a translation of a bilingual component', () => {
  it('strings added to a translation of a bilingual component are pending edits that add them to the file, with source strings that no file has', async () => {
    const { world, czech, text, insert } = start();
    const added = await insert(czech, text('Hello', { target: ['Ahoj'], state: 20 }), text('Bye world'));
    expect(added).toMatchObject([
      {
        translation: 11,
        target: ['Ahoj'],
        state: 20,
        words: 1,
        position: 101,
        edits: [{ adds: true, target: ['Ahoj'] }],
      },
      { translation: 11, target: [''], state: 0, words: 2, position: 102, edits: [{ adds: true, target: [''] }] },
    ]);
    const sources = await world.units.many(added.map(({ sourceUnit }) => sourceUnit));
    expect(sources).toMatchObject([
      { translation: 10, target: ['Hello'], state: 100, edits: [] },
      { translation: 10, target: ['Bye world'], state: 100, edits: [] },
    ]);
    expect(await world.units.ofTranslation(12)).toEqual([]);
  });

  it('strings added to a translation of a bilingual component use the source strings that exist, with their flags', async () => {
    const { world, czech, text, insert } = start();
    const { source: english } = world.string(
      1,
      7,
      'Hello',
      { translation: 12 },
      { extraFlags: 'priority:50, read-only' },
    );
    const [added] = await insert(czech, text('Hello', { target: ['Ahoj'], state: 20 }));
    expect(added).toMatchObject({ sourceUnit: english.id, priority: 50, state: 100, formerState: 20 });
    expect(await world.units.ofTranslation(10)).toHaveLength(1);
  });

  it('strings added to a translation of a bilingual component are skipped where they exist', async () => {
    const { world, czech, text, insert } = start();
    await insert(czech, text('Hello', { target: ['Ahoj'], state: 20 }));
    const added = await insert(czech, text('Hello', { target: ['Nazdar'], state: 20 }), text('Bye'));
    expect(added).toMatchObject([{ source: ['Bye'] }]);
    expect(await world.units.ofTranslation(11)).toMatchObject([{ target: ['Ahoj'] }, { source: ['Bye'] }]);
  });

  it('strings added to a translation of a bilingual component have their history in the name of the author, and of the user who acts', async () => {
    const { world, component, czech, author, text } = start();
    await insertStrings(world.deps, component, czech, [text('Hello')], author, 5);
    expect(world.changes).toMatchObject([
      { translation: 10, action: Action.stringAdded, author: 3, user: 5, target: 'Hello' },
      { translation: 11, action: Action.stringAdded, author: 3, user: 5, details: { source: 'Hello' } },
    ]);
  });

  it('strings added to a translation of a bilingual component have their failing checks at once', async () => {
    const { czech, text, insert } = start();
    const [added] = await insert(czech, text('Hello.', { target: ['Ahoj'], state: 20 }));
    expect(added!.checks).toEqual(['end_stop']);
  });

  it('strings added to a translation of a bilingual component share the source string that another writer adds at the same time', async () => {
    const { world, source, czech, text, insert } = start();
    const addMany = world.units.addMany.bind(world.units);
    const key = idHash(false, '', ['Hello']);
    jest.spyOn(world.units, 'addMany').mockImplementationOnce((insertions) => {
      world.units.put(sampleUnit(source, 507, { key, source: ['Hello'], target: ['Hello'] }));
      return addMany(insertions);
    });
    expect(await insert(czech, text('Hello'))).toMatchObject([{ sourceUnit: 507 }]);
    expect(await world.units.ofTranslation(10)).toHaveLength(1);
  });

  it('strings added to a translation of a bilingual component get a new source string when theirs is removed concurrently', async () => {
    const { world, czech, text, insert } = start();
    world.string(1, 7, 'Hello', { translation: 12 });
    const addMany = world.units.addMany.bind(world.units);
    jest.spyOn(world.units, 'addMany').mockImplementationOnce(async (insertions) => {
      await world.units.removeMany([507]);
      return addMany(insertions);
    });
    const [added] = await insert(czech, text('Hello'));
    const [english] = await world.units.ofTranslation(10);
    expect(english!.id).not.toBe(507);
    expect(added!.sourceUnit).toBe(english!.id);
    expect(await world.units.get(added!.id)).toEqual(added);
  });

  it('insertion of an empty list writes no document', async () => {
    const { world, czech, insert } = start();
    expect(await insert(czech)).toEqual([]);
    expect(world.effects).toEqual([]);
  });
});

describe('strings added to the source language of a bilingual component', () => {
  it('strings added to the source language of a bilingual component are added to every translation, with the given text in as many forms as its language has', async () => {
    const { world, source, text, insert } = start();
    const plural = text('', { source: ['%d file', '%d files'], target: ['%d', '%d x'], state: 20 });
    expect(await insert(source, plural)).toMatchObject([{ target: ['%d file', '%d files'], state: 100 }]);
    expect(await world.units.ofTranslation(11)).toMatchObject([{ target: ['%d', '%d x', ''], state: 20 }]);
    expect(await world.units.ofTranslation(12)).toMatchObject([{ target: ['%d', '%d x'], state: 20 }]);
  });

  it('strings added to the source language of a bilingual component are untranslated without a text', async () => {
    const { world, source, text, insert } = start();
    await insert(source, text('Hello', { state: 20 }));
    expect(await world.units.ofTranslation(11)).toMatchObject([{ target: [''], state: 0, edits: [{ adds: true }] }]);
  });

  it('strings added to the source language of a bilingual component are refused where no translation has a file for them', async () => {
    const { world, source, text, insert } = start();
    await world.translations.remove(11);
    await world.translations.remove(12);
    expect(await fieldsOf(insert(source, text('Hello')))).toEqual(['non_field_errors:invalid']);
    expect(await world.units.ofTranslation(10)).toEqual([]);
  });

  it('existing strings are not added to translations in which they are missing', async () => {
    const { world, source, text, insert } = start();
    world.string(1, 7, 'Hello');
    expect(await insert(source, text('Hello'), text('Bye'))).toMatchObject([{ source: ['Bye'] }]);
    expect(await world.units.ofTranslation(12)).toMatchObject([{ source: ['Bye'] }]);
  });
});

describe('strings added to a monolingual component', () => {
  it('strings added to a monolingual component are in the file of the source language, and become pending elsewhere when they are translated', async () => {
    const { world, source, text, insert } = start({ template: 'en.po' });
    const added = await insert(source, text('Hello', { context: 'greeting', target: ['Hello'], state: 20 }));
    expect(added).toMatchObject([{ context: 'greeting', state: 20, edits: [{ adds: true }] }]);
    for (const id of [11, 12])
      expect(await world.units.ofTranslation(id)).toMatchObject([
        { context: 'greeting', target: [''], state: 0, edits: [], sourceUnit: added[0]!.id },
      ]);
  });

  it('strings added to a monolingual component are the same string by their key, whatever the text', async () => {
    const { source, text, insert } = start({ template: 'en.po' });
    await insert(source, text('Hello', { context: 'greeting', target: ['Hello'] }));
    expect(await insert(source, text('Hi', { context: 'greeting', target: ['Hi'] }))).toEqual([]);
    expect(await insert(source, text('Hello', { context: 'title', target: ['Hello'] }))).toHaveLength(1);
  });

  it('strings added to a monolingual component need no other translation', async () => {
    const { world, source, text, insert } = start({ template: 'en.po' });
    await world.translations.remove(11);
    await world.translations.remove(12);
    expect(await insert(source, text('Hello', { context: 'greeting', target: ['Hello'] }))).toHaveLength(1);
  });
});

describe('terms of a glossary', () => {
  it('adding terms of a glossary changes the terms of their language, or of all languages', async () => {
    const { world, source, czech, text, insert } = start({ isGlossary: true });
    await insert(czech, text('Hello'));
    expect(world.effects.at(-1)).toBe('terms changed cs');
    await insert(source, text('Bye'));
    expect(world.effects.at(-1)).toBe('terms changed everywhere');
    world.effects.length = 0;
    await insert(source, text('Bye'));
    expect(world.effects).toEqual([]);
  });
});

describe('keepSources', () => {
  it('a string whose source string was removed gets a new one', async () => {
    const { world, component, author } = start();
    const { unit } = world.string(1, 7, 'Hello', { note: 'A greeting.', context: 'menu' });
    await world.units.removeMany([507]);
    await keepSources(world.deps, component, [unit], author);
    const [english] = await world.units.ofTranslation(10);
    expect(english).toMatchObject({ source: ['Hello'], note: 'A greeting.', context: 'menu', state: 100 });
    expect(await world.units.get(7)).toMatchObject({ sourceUnit: english!.id, version: 2 });
  });

  it('a string that is edited at the same time keeps the edit', async () => {
    const { world, component, author } = start();
    const { unit } = world.string(1, 7, 'Hello');
    await world.units.removeMany([507]);
    world.units.rival = () => world.units.put({ ...unit, target: ['Ahoj'], version: 4 });
    await keepSources(world.deps, component, [unit], author);
    const [english] = await world.units.ofTranslation(10);
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], sourceUnit: english!.id });
  });

  it('a string that has its source string stays as it is', async () => {
    const { world, component, author } = start();
    const { unit } = world.string(1, 7, 'Hello');
    await keepSources(world.deps, component, [unit], author);
    expect(world.effects).toEqual([]);
  });
});
