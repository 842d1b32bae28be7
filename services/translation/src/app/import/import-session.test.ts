import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { inlineFile } from '../files/parsed-file';
import { formatOf } from '@parlance/formats';
import { importOptions } from '../../../test/support/import-world';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { language } from '../../../test/support/samples';
import { ImportSession, type ImportDeps, type ImportFile } from './import-session';

/** Imports into component 1, which is new unless `import` ran before. */
function start(settings: Partial<Component> = {}) {
  const world = new StringsWorld();
  const { component } = world.component(1, settings);
  void world.translations.remove(10);
  void world.translations.remove(11);
  world.effects.length = 0;
  const isCurrent = { now: true };
  const deps: ImportDeps = {
    ...world.deps,
    catalog: { ...world.deps.catalog, forget: (id: number) => void world.effects.push(`forget component ${id}`) },
    files: { parse: async (format, bytes, options) => inlineFile(formatOf(format).parse(bytes, options)) },
    fencingTokens: { removeOfComponent: async (id) => void world.effects.push(`forget leases of component ${id}`) },
  };
  const options = {
    ...importOptions,
    requireCurrent: async () => {
      if (!isCurrent.now) throw new Error('taken over');
    },
  };
  const begin = (more: Partial<typeof options> = {}) => ImportSession.begin(deps, component, { ...options, ...more });
  /** Imports files and returns their results and that of the session. */
  const run = async (files: readonly ImportFile[], more: Partial<typeof options> = {}) => {
    const session = await begin(more);
    const results = [];
    for (const file of files) results.push(await session.file(file));
    return { results, ended: await session.end() };
  };
  const translations = () => world.translations.ofComponent(1);
  const texts = async (code: string) => {
    const translation = (await translations()).find((t) => t.language.code === code && t.isSource === (code === 'en'))!;
    return (await world.units.ofTranslation(translation.id)).map((u) => [
      u.context || u.source[0],
      u.target[0],
      u.state,
    ]);
  };
  return { world, component, begin, run, translations, texts, isCurrent };
}

const po = (code: string, strings: Record<string, string>): ImportFile => ({
  path: `${code}.po`,
  language: language(code),
  fileLanguageCode: code,
  revision: 'r1',
  kind: 'translation',
  bytes: Buffer.from(
    ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n']
      .concat(Object.entries(strings).map(([source, target]) => `msgid "${source}"\nmsgstr "${target}"\n`))
      .join('\n'),
  ),
});
const json = (code: string, strings: object, kind: ImportFile['kind'] = 'translation'): ImportFile => ({
  ...po(code, {}),
  path: `${code}${kind === 'intermediate' ? '-draft' : ''}.json`,
  kind,
  bytes: Buffer.from(JSON.stringify(strings)),
});
const monolingual = { template: 'en.json', fileFormat: 'json' };

describe('a first import', () => {
  it('lists a source translation and one for each file, with counters, history and events', async () => {
    const { world, run, translations, texts } = start();
    const { results, ended } = await run([
      po('cs', { Hello: 'Ahoj', Bye: '' }),
      po('de', { Hello: 'Hallo', Thanks: '' }),
    ]);
    expect(ended).toEqual({ units: 4, translations: 2, problems: [] });
    expect(results).toMatchObject([{ path: 'cs.po', isNew: true, units: 2, added: 2, removed: 0 }, { path: 'de.po' }]);
    expect(
      (await translations()).map((t) => [t.filename, t.isSource, t.counters.all.s, t.counters.translated.s]),
    ).toEqual([
      ['', true, 3, 3],
      ['cs.po', false, 2, 1],
      ['de.po', false, 2, 1],
    ]);
    expect(await texts('en')).toEqual([
      ['Hello', 'Hello', 100],
      ['Bye', 'Bye', 100],
      ['Thanks', 'Thanks', 100],
    ]);
    expect(world.changes.map(({ action, details }) => [action, details['filename'], details['reason']])).toEqual(
      ['', 'cs.po', 'de.po'].map((name) => [Action.fileUpdated, name, 'component created']),
    );
    const [source] = await translations();
    expect(world.effects).toContain(`announce translation ${source!.id}`);
  });

  it('a translation is not listed before all strings are stored', async () => {
    const { world, begin, translations } = start();
    const session = await begin();
    await session.file(po('cs', { Hello: 'Ahoj' }));
    expect(await translations()).toEqual([]);
    const stored = async () => (await world.units.all({ kind: 'states', states: [20, 100] })).length;
    let storedWhenListed = 0;
    const insert = world.translations.insert.bind(world.translations);
    world.translations.insert = async (translation) => {
      storedWhenListed ||= await stored();
      await insert(translation);
    };
    await session.end();
    expect(storedWhenListed).toBe(2);
  });

  it('a first import deletes the strings of an interrupted first import', async () => {
    const { world, run } = start();
    world.string(1, 7, 'Old');
    await run([po('cs', { Hello: 'Ahoj' })]);
    expect(await world.units.many([7, 507])).toEqual([]);
  });

  it('the template of a monolingual component gives the source strings, and missing translations are empty', async () => {
    const { run, translations, texts } = start(monolingual);
    await run([json('en', { hi: 'Hello', bye: 'Bye' }, 'template'), json('cs', { hi: 'Ahoj', other: 'Jiný' })]);
    expect((await translations()).map((t) => [t.filename, t.isSource])).toEqual([
      ['en.json', true],
      ['cs.json', false],
    ]);
    expect(await texts('en')).toEqual([
      ['hi', 'Hello', 20],
      ['bye', 'Bye', 20],
    ]);
    expect(await texts('cs')).toEqual([
      ['hi', 'Ahoj', 20],
      ['bye', '', 0],
    ]);
  });

  it('a string whose final text is missing beside an intermediate file cannot be translated yet', async () => {
    const { world, run, translations } = start({ ...monolingual, intermediate: 'en-draft.json' });
    await run([
      json('en', { hi: 'helo', bye: 'by' }, 'intermediate'),
      json('en', { hi: 'Hello' }, 'template'),
      json('cs', { hi: '', bye: '' }),
    ]);
    const czech = (await translations()).find((t) => !t.isSource)!;
    expect((await world.units.ofTranslation(czech.id)).map((u) => [u.context, u.source[0], u.state])).toEqual([
      ['hi', 'Hello', 0],
      ['bye', 'by', 100],
    ]);
  });

  it('new translations are marked for the checks that compare strings', async () => {
    const { world, run, translations } = start();
    await run([po('cs', { Hello: 'Ahoj' })]);
    const czech = (await translations()).find((t) => !t.isSource)!;
    expect((await world.translations.listToRecheck()).map(({ translation }) => translation.id)).toEqual([czech.id]);
  });
});

describe('a later import', () => {
  const hello = po('cs', { Hello: 'Ahoj' });

  it('a later import merges existing translations and adds new ones', async () => {
    const { run, translations, texts } = start();
    await run([hello]);
    const { results } = await run([po('cs', { Hello: 'Nazdar', Bye: 'Sbohem' }), po('de', { Hello: 'Hallo' })], {
      initial: false,
    });
    expect(results).toMatchObject([{ added: 1, updated: 1 }, { isNew: true }]);
    expect(results[0]).not.toHaveProperty('isNew');
    expect(await texts('cs')).toEqual([
      ['Hello', 'Nazdar', 20],
      ['Bye', 'Sbohem', 20],
    ]);
    expect(await translations()).toHaveLength(3);
  });

  it('a later import recognizes the translation of a renamed file by its language, and that of a changed language by its file', async () => {
    const { run, translations } = start();
    await run([hello]);
    await run([{ ...hello, path: 'po/cs.po' }], { initial: false });
    expect((await translations()).map((t) => t.filename)).toEqual(['', 'po/cs.po']);
    const { results } = await run([{ ...hello, path: 'po/cs.po', language: language('sk') }], { initial: false });
    expect(results[0]).not.toHaveProperty('isNew');
  });

  it('a complete import removes translations without a file, and source strings that no file contains', async () => {
    const { world, run, translations, texts } = start();
    await run([po('cs', { Hello: 'Ahoj', Bye: '' }), po('de', { Hello: 'Hallo' })]);
    await run([hello], { initial: false });
    expect((await translations()).map((t) => t.filename)).toEqual(['', 'cs.po']);
    expect(await texts('en')).toEqual([['Hello', 'Hello', 100]]);
    expect(world.changes).toContainEqual(
      expect.objectContaining({ action: Action.translationRemoved, target: 'de.po' }),
    );
  });

  it.each([
    ['is not complete', { complete: false }, []],
    ['has an invalid file', {}, [{ ...po('fr', {}), bytes: Buffer.from('msgid "') }]],
  ])('an import that %s removes nothing', async (_, more, files) => {
    const { run, translations, texts } = start();
    await run([po('cs', { Hello: 'Ahoj', Bye: '' }), po('de', { Hello: 'Hallo' })]);
    await run([hello, ...files], { initial: false, ...more });
    expect(await translations()).toHaveLength(3);
    expect(await texts('en')).toHaveLength(2);
  });

  it('an import with a rejected file removes nothing', async () => {
    const { run, begin, translations } = start();
    await run([hello, po('de', { Hello: 'Hallo' })]);
    const session = await begin({ initial: false });
    await session.file(hello);
    expect(session.rejectFile({ path: 'de.po' }, 'too large').error).toMatchObject({ message: 'too large' });
    expect(await session.end()).toMatchObject({ problems: [{ path: 'de.po', message: 'too large' }] });
    expect(await translations()).toHaveLength(3);
  });

  it('an invalid file is reported with its position and changes nothing', async () => {
    const { run, texts } = start();
    await run([hello]);
    const invalid = { ...hello, bytes: Buffer.from('msgid "Hello"\nmsgstr "x') };
    const { results, ended } = await run([invalid], { initial: false });
    expect(results).toMatchObject([{ path: 'cs.po', units: 0, error: { line: 2 } }]);
    expect(ended).toMatchObject({ units: 0, translations: 0, problems: [{ path: 'cs.po' }] });
    expect(await texts('cs')).toEqual([['Hello', 'Ahoj', 20]]);
  });

  it('an invalid key filter is a problem of the file', async () => {
    const { run } = start({ ...monolingual, keyFilter: '(' });
    const { results } = await run([json('en', { hi: 'Hello' }, 'template')]);
    expect(results).toMatchObject([{ error: { path: 'en.json', line: 0, column: 0 } }]);
  });

  it('a changed template changes the source strings and their translations', async () => {
    const { world, run, translations } = start(monolingual);
    await run([json('en', { hi: 'Hello' }, 'template'), json('cs', { hi: 'Ahoj' })]);
    await run([json('en', { hi: 'Hi' }, 'template'), json('cs', { hi: 'Ahoj' })], { initial: false });
    const czech = (await translations()).find((t) => !t.isSource)!;
    expect(await world.units.ofTranslation(czech.id)).toMatchObject([
      { source: ['Hi'], previousSource: ['Hello'], state: 10 },
    ]);
  });
});

describe('an import that must stop', () => {
  it('an import that must stop lists no translation after another worker took the repository over', async () => {
    const { begin, translations, isCurrent } = start();
    const session = await begin();
    await session.file(po('cs', { Hello: 'Ahoj' }));
    isCurrent.now = false;
    await expect(session.end()).rejects.toThrow('taken over');
    expect(await translations()).toEqual([]);
  });

  it('an import that must stop leaves no data of a component that was deleted, whose cached settings it does not trust', async () => {
    const { world, begin, translations } = start();
    const session = await begin();
    await session.file(po('cs', { Hello: 'Ahoj' }));
    world.components.delete(1);
    expect(await reasonOf(session.end())).toBe('NOT_FOUND');
    expect(await translations()).toEqual([]);
    expect(await world.units.all({ kind: 'states', states: [20, 100] })).toEqual([]);
    expect(world.effects.indexOf('forget component 1')).toBeLessThan(
      world.effects.indexOf('remove unlisted units of component 1', 1),
    );
  });

  it('an import reruns the checks if their settings changed meanwhile: the change marked only the translations listed before', async () => {
    const { world, component, begin } = start();
    const importing = async (checkFlags: string) => {
      const session = await begin();
      await session.file(po('cs', { Hello: 'Ahoj' }));
      world.components.set(1, { ...component, checkFlags });
      await session.end();
      return (await world.translations.listToRerun()).map(({ translation }) => translation.language.code);
    };
    expect(await importing('')).toEqual([]);
    expect(await importing('max-length:2')).toEqual(['en', 'cs']);
  });

  it.each([
    ['source strings', 0],
    ['translations', 1],
  ])('an import that must stop does not list a translation after an insertion of %s failed', async (_, failing) => {
    const { world, run, translations } = start();
    const insert = world.units.insert.bind(world.units);
    let insertions = 0;
    world.units.insert = async (units) => {
      if (insertions++ === failing) throw new Error('store unavailable');
      await insert(units);
    };
    await expect(run([po('cs', { Hello: 'Ahoj' })])).rejects.toThrow('store unavailable');
    expect(await translations()).toEqual([]);
  });
});
