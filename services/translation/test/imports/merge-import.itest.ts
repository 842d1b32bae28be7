import { planTextEdit } from '../../src/app/edit/text-edit';
import { applySourceTexts } from '../../src/app/effects/apply-source-texts';
import { writeUnit } from '../../src/app/edit/write-units';
import { claimRepository } from '../../src/app/import/claim-repository';
import { ImportSession } from '../../src/app/import/import-session';
import type { App } from '../../src/compose-app';
import { allOf } from '../../src/domain/unit-query';
import { count, emptyCounters } from '../../src/domain/counters';
import { State, type Unit } from '../../src/domain/unit';
import { importOptions, importWorld } from '../support/import-world';
import { language } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const person = { userId: 1, username: 'ann', fullName: 'Ann', email: 'ann@example.com' };

type Texts = Record<string, string>;

/** A PO file; texts that start with `#` need editing. */
function po(texts: Texts): Buffer {
  const entries = Object.entries(texts).map(
    ([key, text]) =>
      `\n${text.startsWith('#') ? '#, fuzzy\n' : ''}msgid "${key}"\nmsgstr "${text.replace(/^#/, '')}"\n`,
  );
  return Buffer.from(`msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n${entries.join('')}`);
}

/** A monolingual component with repeated imports and edits. */
async function component(id: number, base: Texts, texts: Texts) {
  const world = importWorld(database, id, { template: 'en.po', fileFormat: 'po-mono', propagation: false });
  const { deps, component: settings } = world;
  let revision = 0;
  const file = (code: string, of: Texts) => ({
    path: `${code}.po`,
    language: language(code),
    fileLanguageCode: code,
    revision: String(++revision),
    kind: code === 'en' ? ('template' as const) : ('translation' as const),
    bytes: po(of),
  });
  const open = (of: App = deps, requireCurrent = importOptions.requireCurrent) =>
    ImportSession.begin(of, settings, { ...importOptions, initial: revision === 0, requireCurrent });
  const unit = async (code: string, key: string): Promise<Unit> =>
    (await deps.units.all(allOf({ kind: 'components', ids: [id] }, { kind: 'language', code }))).find(
      ({ context }) => context === key,
    )!;
  const self = {
    ...world,
    file,
    open,
    unit,
    async read(en: Texts, cs: Texts, of: App = deps) {
      const session = await open(of);
      await session.file(file('en', en));
      await session.file(file('cs', cs));
      await session.end();
    },
    async edit(code: string, key: string, text: string, state: number = State.translated) {
      const before = await unit(code, key);
      const [target, author, now] = [[text], person, world.clock.now];
      const evaluator = deps.evaluators.for(settings, language(code));
      const edit = { unit: before, target, state, author, component: settings, evaluator, sourceExtraFlags: '', now };
      const { patch, changes } = planTextEdit(edit);
      expect(await writeUnit(deps, { unit: before, patch, changes }, { author, time: now })).toBe(true);
      if (before.isSource) await applySourceTexts(deps, settings, [before], person);
    },
    /** History of a string, in order. */
    async history(code: string, key: string) {
      const { items } = await deps.changes.page({ unit: (await unit(code, key)).id }, 1, 100);
      return items.reverse().map(({ action, target, old }) => [action, old, target]);
    },
    /** Compares all counters with a recount. */
    async counted() {
      for (const { id: translation, counters } of await deps.translations.ofComponent(id)) {
        const recount = emptyCounters();
        for (const one of await deps.units.ofTranslation(translation)) count(recount, one, 1);
        expect([translation, counters.all, counters.translated]).toEqual([
          translation,
          recount.all,
          recount.translated,
        ]);
      }
    },
  };
  await self.read(base, texts);
  return self;
}

/** A process that runs an action directly before an import writes strings. */
function whenWriting(deps: App, act: () => Promise<void>): App {
  let acting = false;
  const units = Object.create(deps.units, {
    writeMany: {
      value: async (writes: Parameters<App['units']['writeMany']>[0]) => {
        if (!acting) {
          acting = true;
          await act();
          acting = false;
        }
        return deps.units.writeMany(writes);
      },
    },
  }) as App['units'];
  return { ...deps, units };
}

describe('a pending source text', () => {
  it('Translations have the pending source text as source, not the text of the file', async () => {
    const { edit, read, unit, history, counted } = await component(1, { k: 'One' }, { k: 'jedna' });
    await edit('en', 'k', 'Number one');
    for (let again = 0; again < 2; again++) {
      await read({ k: 'One' }, { k: 'jedna' });
      const text = ['Number one'];
      expect(await unit('en', 'k')).toMatchObject({ source: text, target: text, words: 2, chars: 10 });
      expect(await unit('cs', 'k')).toMatchObject({ source: text, target: ['jedna'], previousSource: ['One'] });
    }
    expect(await history('en', 'k')).toEqual([[2, 'One', 'Number one']]);
    await counted();
  });

  it('A source edit reaches translations that are imported concurrently', async () => {
    const { edit, open, file, unit, counted } = await component(2, { k: 'One' }, { k: 'jedna' });
    const session = await open();
    await session.file(file('en', { k: 'One' }));
    await edit('en', 'k', 'Number one');
    await session.file(file('cs', { k: 'jednička' }));
    await session.end();
    // The upstream text is newer than the mark that the edit set on the previous text.
    expect(await unit('cs', 'k')).toMatchObject({ source: ['Number one'], target: ['jednička'], suggestions: 0 });
    await counted();
  });
});

describe('a translation whose source changed', () => {
  const marked = { target: ['jedna'], state: State.fuzzy, previousSource: ['One'], edits: [{ state: State.fuzzy }] };

  it('A source edit by a user marks the translation as needing editing in its file', async () => {
    const { edit, read, unit } = await component(3, { k: 'One' }, { k: 'jedna' });
    await edit('en', 'k', 'Number one');
    expect(await unit('cs', 'k')).toMatchObject({ ...marked, edits: [{ author: person, state: State.fuzzy }] });
    await read({ k: 'Number one' }, { k: 'jedna' });
    expect(await unit('cs', 'k')).toMatchObject(marked);
    await read({ k: 'Number one' }, { k: '#jedna' });
    expect(await unit('cs', 'k')).toMatchObject({ ...marked, edits: [] });
  });

  it('An upstream change of the source marks the translation as needing editing in its file', async () => {
    const { read, unit, counted } = await component(4, { k: 'One' }, { k: 'jedna' });
    for (let again = 0; again < 2; again++) {
      await read({ k: 'Number one' }, { k: 'jedna' });
      expect(await unit('cs', 'k')).toMatchObject(marked);
    }
    await counted();
  });

  it('Reverting the source removes the needs-editing mark in the file', async () => {
    const { edit, unit } = await component(5, { k: 'One' }, { k: 'jedna' });
    await edit('en', 'k', 'Number one');
    await edit('en', 'k', 'One');
    expect(await unit('cs', 'k')).toMatchObject({
      state: State.translated,
      previousSource: [],
      edits: [{ state: State.translated }],
    });
  });

  it('A translation that changes together with its source, or later, keeps its state', async () => {
    const { read, unit } = await component(6, { k: 'One', l: 'Two' }, { k: 'jedna', l: 'dva' });
    await read({ k: 'Number one', l: 'Number two' }, { k: 'jednička', l: 'dva' });
    const good = { state: State.translated, previousSource: [], edits: [] };
    expect(await unit('cs', 'k')).toMatchObject(good);
    expect(await unit('cs', 'l')).toMatchObject({ state: State.fuzzy, previousSource: ['Two'] });
    await read({ k: 'Number one', l: 'Number two' }, { k: 'jednička', l: '#dva' });
    await read({ k: 'Number one', l: 'Number two' }, { k: 'jednička', l: 'dvojka' });
    expect(await unit('cs', 'l')).toMatchObject({ ...good, target: ['dvojka'] });
  });
});

it('A pending state stays while the text of the file is unchanged', async () => {
  const { edit, read, unit } = await component(7, { k: 'One', l: 'Two' }, { k: '#jedna', l: 'dva' });
  await edit('cs', 'k', 'jedna', State.translated);
  await edit('cs', 'l', 'dva', State.fuzzy);
  await read({ k: 'One', l: 'Two' }, { k: '#jedna', l: 'dva' });
  expect(await unit('cs', 'k')).toMatchObject({ state: State.translated, edits: [{ state: State.translated }] });
  expect(await unit('cs', 'l')).toMatchObject({ state: State.fuzzy, edits: [{ state: State.fuzzy }] });
  await read({ k: 'One', l: 'Two' }, { k: 'jedna', l: '#dva' });
  expect(await unit('cs', 'k')).toMatchObject({ state: State.translated, edits: [] });
  expect(await unit('cs', 'l')).toMatchObject({ state: State.fuzzy, edits: [] });
});

it('An import completes under continuous concurrent edits, and the history contains only writes that succeeded', async () => {
  const { deps, edit, read, unit, history, counted } = await component(8, { k: 'One' }, { k: 'jedna' });
  let edits = 0;
  const busy = whenWriting(deps, async () => {
    if (edits < 20) await edit('cs', 'k', `edit ${++edits}`);
  });
  await read({ k: 'One' }, { k: 'jednička' }, busy);
  expect(edits).toBe(20);
  expect(await unit('cs', 'k')).toMatchObject({
    target: ['edit 20'],
    suggestions: 1,
    edits: [{ target: ['edit 20'] }],
  });
  const entries = await history('cs', 'k');
  expect(entries.filter(([action]) => action === 2)).toHaveLength(20);
  // The conflict and the suggestion are recorded once.
  expect(entries.filter(([action]) => action !== 2)).toEqual([
    [22, expect.any(String), 'jednička'],
    [4, expect.any(String), 'jednička'],
  ]);
  await counted();
});

describe('two imports of a repository', () => {
  const { signal } = new AbortController();
  const lease = (of: number, token: number, repository = 'r') => ({ component: of, repository, token });

  it('An import stops when another worker imported newer files in the meantime', async () => {
    const { deps, open, file, unit, history } = await component(21, { k: 'One' }, { k: 'jedna' });
    const newer = async () => {
      const session = await open(deps, await claimRepository(deps, lease(21, 2), signal));
      await session.file(file('cs', { k: 'newer' }));
      await session.end();
    };
    const units = Object.create(deps.units, {
      ofTranslation: {
        value: async (translation: number) => {
          const read = await deps.units.ofTranslation(translation);
          await newer();
          return read;
        },
      },
    }) as App['units'];
    const older = await open({ ...deps, units }, await claimRepository(deps, lease(21, 1), signal));
    await expect(older.file(file('cs', { k: 'older' }))).rejects.toThrow('Another worker has taken over');
    await expect(older.end()).rejects.toThrow('Another worker has taken over');
    expect(await unit('cs', 'k')).toMatchObject({ target: ['newer'] });
    expect((await history('cs', 'k')).map(([, , target]) => target)).toEqual(['newer']);
    await expect(claimRepository(deps, lease(21, 1), signal)).rejects.toThrow('Another worker has taken over');
    for (const later of [lease(21, 2), lease(21, 3), lease(21, 1, 'another')])
      await (
        await claimRepository(deps, later, signal)
      )();
  });

  it('An import whose caller disconnected writes nothing more', async () => {
    const { deps, open, file, unit } = await component(22, { k: 'One' }, { k: 'jedna' });
    const caller = new AbortController();
    const session = await open(deps, await claimRepository(deps, lease(22, 1), caller.signal));
    caller.abort();
    await expect(session.file(file('cs', { k: 'late' }))).rejects.toThrow('The caller cancelled the import.');
    expect(await unit('cs', 'k')).toMatchObject({ target: ['jedna'] });
  });
});

describe('a text that upstream cleared while an edit is pending', () => {
  it('A pending edit stays when upstream clears the text, and no suggestion is added', async () => {
    const { edit, read, unit, history, counted } = await component(20, { k: 'One' }, { k: 'jedna' });
    await edit('cs', 'k', 'jednička');
    for (let again = 0; again < 2; again++) {
      await read({ k: 'One' }, { k: '' });
      expect(await unit('cs', 'k')).toMatchObject({ target: ['jednička'], suggestions: 0, edits: [{}] });
    }
    expect(await history('cs', 'k')).toEqual([
      [2, 'jedna', 'jednička'],
      [22, 'jednička', ''],
    ]);
    await counted();
  });
});
