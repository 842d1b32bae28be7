import { createUnit } from '../../src/app/edit/create-unit';
import { deleteUnit } from '../../src/app/edit/delete-unit';
import { updateUnit } from '../../src/app/edit/update-unit';
import { SearchIndexer } from '../../src/app/search/search-indexer';
import type { App } from '../../src/compose-app';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';
import { World, type Step } from '../support/world';

const database = useDatabase();
const ana = person(1);
const bob = person(2);

let component = 100;
const po = (...texts: [string, string][]) =>
  [
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n',
    ...texts.map(([source, text]) => `msgid "${source}"\nmsgstr "${text}"\n`),
  ].join('\n');

async function bilingual(files: Record<string, string>): Promise<World> {
  const world = new World(database, ++component, new Map(Object.entries(files)));
  await world.scan(world.process(), true);
  return world;
}

const edit = async (world: World, code: string, name: string, text: string, deps = world.process()) =>
  updateUnit(deps, ana, { id: (await world.unit(code, name)).id, target: [text], expectedVersion: 0 }, '');
const remove = async (world: World, code: string, name: string, deps = world.process(), by = ana) =>
  deleteUnit(deps, by, (await world.unit(code, name)).id, '');
const add = async (world: World, code: string, name: string, text: string, deps = world.process(), by = ana) =>
  createUnit(
    deps,
    by,
    { translation: (await world.translation(code)).id, context: '', source: [name], target: [text], state: 20 },
    '',
  );

/** Whether a statement removes a unit. */
const takesAway = (step: Step, given: unknown) =>
  step === 'removeMany' || (step === 'write' && !('patch' in (given as object)));

/** Runs an action once, before the first matching statement. */
function once(isMeant: (step: Step, given: unknown) => boolean, work: () => Promise<unknown>) {
  let done = false;
  return async (step: Step, given: unknown) => {
    if (done || !isMeant(step, given)) return;
    done = true;
    await work();
  };
}

describe('a deleted string', () => {
  const twoStrings = () => bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']) });

  it('A string stays deleted when a commit runs between the writes of its deletion', async () => {
    const world = await twoStrings();
    await edit(world, 'cs', 'Hello', 'Nazdar');
    const other = world.process();
    await remove(world, 'cs', 'Hello', world.process(once(takesAway, () => world.commit(other))));
    expect(world.read('cs')).toContain('Nazdar');
    await world.scan(other);
    expect(await world.strings('cs')).toEqual([['Bye', 'Sbohem']]);
    await world.commit(other);
    expect(world.read('cs')).not.toContain('Hello');
    await world.scan(other);
    expect(await world.strings('cs')).toEqual([['Bye', 'Sbohem']]);
    expect(await other.removals.ofComponent(world.component.id)).toEqual([]);
    await world.expectSound();
  });

  it('A string stays deleted when a commit reads its edit before the deletion and other data after it', async () => {
    const world = await twoStrings();
    await edit(world, 'cs', 'Hello', 'Nazdar');
    const deps = world.process();
    const { removals } = deps;
    let deleted = false;
    const ofComponent = async (id: number) => {
      if (!deleted) await remove(world, 'cs', 'Hello', ((deleted = true), world.process()));
      return removals.ofComponent(id);
    };
    await world.commit({ ...deps, removals: Object.assign(Object.create(removals), { ofComponent }) } as App);
    await world.commit(deps);
    expect(world.read('cs')).not.toContain('Hello');
    await world.scan(deps);
    expect(await world.strings('cs')).toEqual([['Bye', 'Sbohem']]);
  });

  it('A string stays deleted when it is deleted during a commit of its text', async () => {
    const world = await twoStrings();
    const deps = world.process();
    await edit(world, 'cs', 'Hello', 'Nazdar');
    await world.commit(deps, () => remove(world, 'cs', 'Hello'));
    await world.scan(deps);
    await world.commit(deps);
    expect(world.read('cs')).not.toContain('Hello');
    await world.expectSound();
  });

  it.each([
    ['by the same person', ana, 'Ahoj', false],
    ['by the same person, with another text', ana, 'Nazdar', false],
    ['by a user who edited it before', bob, 'Nazdar', true],
  ])('A deleted string that is added again %s survives scans and commits', async (_, who, text, editsBefore) => {
    const world = await twoStrings();
    const deps = world.process();
    if (editsBefore) {
      const { id } = await world.unit('cs', 'Bye');
      await updateUnit(deps, who, { id, target: ['Pa'], expectedVersion: 0 }, '');
    }
    await remove(world, 'cs', 'Hello');
    await add(world, 'cs', 'Hello', text, deps, who);
    // The file still contains it, so an import changes nothing.
    await world.scan(deps);
    for (let times = 0; times < 2; times++) {
      await world.commit(deps);
      await world.scan(deps);
      expect((await world.strings('cs'))[1]).toEqual(['Hello', text]);
    }
    expect(world.read('cs')).toContain(`msgid "Hello"\nmsgstr "${text}"`);
    expect(await deps.removals.ofComponent(world.component.id)).toEqual([]);
    await world.expectSound();
  });

  it('The next deletion completes a deletion that a crash interrupted', async () => {
    const world = await twoStrings();
    const crash = async () => Promise.reject(new Error('the process ends here'));
    await expect(remove(world, 'cs', 'Hello', world.process(once(takesAway, crash)))).rejects.toThrow('ends here');
    await edit(world, 'cs', 'Hello', 'Nazdar');
    const deps = world.process();
    await world.commit(deps);
    await world.scan(deps);
    expect(await world.strings('cs')).toEqual([
      ['Bye', 'Sbohem'],
      ['Hello', 'Nazdar'],
    ]);
    await remove(world, 'cs', 'Hello');
    await world.commit(deps);
    await world.scan(deps);
    expect(await world.strings('cs')).toEqual([['Bye', 'Sbohem']]);
  });
});

describe('the source string of a bilingual component', () => {
  const files = () => ({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']), de: po(['Bye', 'Auf'], ['Hello', 'Hallo']) });
  const sources = async (world: World) => (await world.strings('en')).map(([name]) => name);

  it('A source string is removed with its last translation and stays deleted', async () => {
    const world = await bilingual(files());
    const source = await world.unit('en', 'Hello');
    await remove(world, 'cs', 'Hello');
    expect(await sources(world)).toEqual(['Bye', 'Hello']);
    await remove(world, 'de', 'Hello');
    expect(await sources(world)).toEqual(['Bye']);
    await world.expectSound();
    const deps = world.process();
    const history = await deps.changes.page({ unit: source.id, actions: [63] }, 1, 10);
    expect(history.items.map(({ target, user }) => [target, user])).toEqual([['Hello', ana.userId]]);
    // The files still contain it.
    await world.scan(deps);
    expect(await sources(world)).toEqual(['Bye']);
    await world.commit(deps);
    await world.scan(deps);
    expect(await sources(world)).toEqual(['Bye']);
    await world.expectSound();
  });

  it('Deleting a source string removes all of its translations', async () => {
    const world = await bilingual(files());
    await remove(world, 'en', 'Hello');
    for (const code of ['en', 'cs', 'de']) expect((await world.strings(code)).map(([name]) => name)).toEqual(['Bye']);
    await world.expectSound();
    const deps = world.process();
    await world.commit(deps);
    for (const code of ['cs', 'de']) expect(world.read(code)).not.toContain('Hello');
    await world.scan(deps);
    expect(await sources(world)).toEqual(['Bye']);
    await expect(deleteUnit(deps, ana, 1_000_000, '')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('A deleted source string in new_base is not imported until a translation contains it again', async () => {
    const pot = po(['Bye', ''], ['Hello', '']);
    const world = await bilingual({ pot, cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']), de: po(['Bye', 'Auf']) });
    const deps = world.process();
    await remove(world, 'cs', 'Hello');
    for (let times = 0; times < 2; times++) {
      await world.scan(deps);
      await world.commit(deps);
      expect(await sources(world)).toEqual(['Bye']);
    }
    expect(await deps.removals.anyOf([world.component.id])).toBe(false);
    expect(world.read('pot')).toBe(pot);
    world.write('de', po(['Bye', 'Auf'], ['Hello', 'Hallo']));
    await world.scan(deps);
    expect(await sources(world)).toEqual(['Bye', 'Hello']);
    await world.expectSound();
  });

  it.each(['its translations', 'itself'])(
    'A source string exists for a translation that is added during the deletion of %s',
    async (what) => {
      const world = await bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']), de: po(['Bye', 'Auf']) });
      const { id } = await world.unit('en', 'Hello');
      const isSource = (step: Step, given: unknown) =>
        takesAway(step, given) && (step === 'removeMany' || (given as { unit: number }).unit === id);
      const deps = world.process(once(isSource, () => add(world, 'de', 'Hello', 'Hallo')));
      await remove(world, what === 'itself' ? 'en' : 'cs', 'Hello', deps);
      expect(await world.strings('de')).toEqual([
        ['Bye', 'Auf'],
        ['Hello', 'Hallo'],
      ]);
      await world.expectSound();
    },
  );

  it('A source string that is removed during the addition of a translation is restored', async () => {
    const world = await bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']), de: po(['Bye', 'Auf']) });
    const added = (step: Step) => step === 'addMany';
    await add(world, 'de', 'Hello', 'Hallo', world.process(once(added, () => remove(world, 'cs', 'Hello'))));
    expect(await sources(world)).toEqual(['Bye', 'Hello']);
    await world.expectSound();
  });
});

describe('a deletion', () => {
  it('A deletion updates the counters exactly and without a recount, also directly after an edit', async () => {
    const world = await bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', '']) });
    const { id } = await world.unit('cs', 'Hello');
    let saved = () => undefined as void;
    const hold = new Promise<void>((done) => (saved = done));
    let written = () => undefined as void;
    const isWritten = new Promise<void>((done) => (written = done));
    // This process has saved its edit, but delays counting it.
    const slow = world.process();
    const { effects } = slow;
    const settle: typeof effects.settle = async (...all) => {
      written();
      await hold;
      return effects.settle(...all);
    };
    const editing = edit(world, 'cs', 'Hello', 'Ahoj', {
      ...slow,
      effects: Object.assign(Object.create(effects), { settle }),
    } as App);
    await isWritten;
    const counts: Step[] = [];
    const deps = world.process(async (step) => void (step === 'recount' && counts.push(step)));
    await remove(world, 'cs', 'Hello', deps);
    expect(counts).toEqual([]);
    // Another process recounts in the meantime.
    await world.process().effects.recountTranslation((await world.translation('cs')).id, []);
    saved();
    await editing;
    await slow.effects.stop();
    await deps.effects.stop();
    await world.expectSound();
    expect((await world.translation('cs')).counters).toMatchObject({ all: { s: 1 }, translated: { s: 1 } });
    await world.process().effects.recover();
    await world.expectSound();
    const stored = () => database.models.units.collection.countDocuments({ _id: id as never });
    // The document stays until the string is deleted from the search index.
    expect(await stored()).toBe(1);
    const { searchIndexStore: store, translations, effects: recovering } = world.process();
    await new SearchIndexer({ store, translations, now: () => Date.now() }, { everyMs: 1, graceMs: 0 }).pass();
    await recovering.recover();
    expect(await stored()).toBe(0);
  });

  it('Recovery counts and records a deletion after a crash directly after it', async () => {
    const world = await bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']) });
    const { id } = await world.unit('cs', 'Hello');
    const deps = world.process();
    const settle = async () => Promise.reject(new Error('the process ends here'));
    await expect(
      remove(world, 'cs', 'Hello', {
        ...deps,
        effects: Object.assign(Object.create(deps.effects), { settle }),
      } as App),
    ).rejects.toThrow('ends here');
    expect(await world.strings('cs')).toEqual([['Bye', 'Sbohem']]);
    await world.process().effects.recover(-1000);
    expect((await world.translation('cs')).counters.all.s).toBe(1);
    const history = await deps.changes.page({ unit: id, actions: [63] }, 1, 10);
    expect(history.items.map(({ target }) => target)).toEqual(['Ahoj']);
  });

  it('Of several concurrent deletions of a string, one succeeds', async () => {
    const world = await bilingual({ cs: po(['Bye', 'Sbohem'], ['Hello', 'Ahoj']) });
    const { id } = await world.unit('cs', 'Hello');
    const answers = await Promise.allSettled([1, 2, 3].map(() => deleteUnit(world.process(), ana, id, '')));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await world.expectSound();
  });
});
