import { MEMORY_ENGINES } from '@parlance/contracts';
import { autotranslation } from '../../../test/support/memory/autotranslation';
import { translationMemory } from '../../../test/support/memory/memory-store';
import { projectEngines } from '../../../test/support/memory/project-engines';
import { language, sampleTranslation, sampleUnit } from '../../../test/support/samples';
import { EngineError } from '../../domain/machinery/engine';
import type { TranslationFilter } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import { proposeByEngines, proposeFromOthers } from './proposals';
import type { AutotranslatePlan } from './request';

describe('proposeFromOthers', () => {
  /** Unit 7 `Hello` of component 1, and unit 8 `Hello` with the translation `Ahoj` of component 2. */
  function start(other: Partial<Unit> = {}) {
    const { world, deps, plan, caller } = autotranslation({}, other);
    const filters: TranslationFilter[] = [];
    const translations = {
      page: (filter: TranslationFilter) => {
        filters.push(filter);
        return deps.translations.page();
      },
    };
    const propose = async (more: Partial<AutotranslatePlan> = {}, ids = [7], by = caller) => {
      const units = await world.units.many(ids);
      const proposer = await proposeFromOthers({ ...deps, translations }, by, { ...plan, ...more }, units);
      return Object.fromEntries(await proposer.propose(units));
    };
    return { world, filters, propose };
  }

  it('a string gets the translation of the same source in another component', async () => {
    expect(await start().propose()).toEqual({ 7: { target: ['Ahoj'], origin: 'p/app', quality: 100 } });
    expect(await start({ state: 30 }).propose()).toMatchObject({ 7: { target: ['Ahoj'] } });
  });

  it('the source is compared ignoring case, but equal case is better, and then the newest translation', async () => {
    const { world, propose } = start({ source: ['HELLO'], updated: 30 });
    expect(await propose()).toMatchObject({ 7: { target: ['Ahoj'] } });
    world.string(2, 9, 'Hello', { target: ['Nazdar'], state: 20, updated: 10 });
    expect(await propose()).toMatchObject({ 7: { target: ['Nazdar'] } });
    world.string(2, 10, 'Hello', { target: ['Zdravím'], state: 20, updated: 20 });
    expect(await propose()).toMatchObject({ 7: { target: ['Zdravím'] } });
  });

  it.each([
    ['another source', { source: ['Bye'] }],
    ['a text that needs editing', { state: 10 }],
    ['no text', { state: 0, target: [''] }],
    ['a read-only text', { state: 100 }],
    ['another number of forms', { target: ['a', 'b', 'c'] }],
  ])('%s is not proposed', async (_, other) => {
    expect(await start(other).propose()).toEqual({});
  });

  it('texts of components in another source language, and of those that the caller does not see, are not proposed', async () => {
    const { world, propose } = start();
    world.components.set(2, { ...world.components.get(2)!, sourceLanguage: language('de') });
    expect(await propose()).toEqual({});
    const restricted = start();
    restricted.world.components.set(2, { ...restricted.world.components.get(2)!, restricted: true });
    expect(await restricted.propose()).toEqual({});
    const seesAll = restricted.world.user(4, [], { isSuperuser: true });
    expect(await restricted.propose({}, [7], seesAll)).toMatchObject({ 7: { target: ['Ahoj'] } });
  });

  it('the own translations of the component are not proposed', async () => {
    const { world, propose } = start({ state: 0 });
    world.string(1, 9, 'Hello', { context: 'menu', target: ['Nazdar'], state: 20 });
    expect(await propose()).toEqual({});
  });

  it('texts come from all components of the project, or from one', async () => {
    const { world, filters, propose } = start();
    await propose();
    await propose({ from: world.components.get(2)! });
    expect(filters).toEqual([
      { projects: [1], language: 'cs' },
      { components: [2], language: 'cs' },
    ]);
  });
});

describe('proposeByEngines', () => {
  const memoryAndEngines = [MEMORY_ENGINES[0]!, 'libretranslate', 'openai'];
  const offline = () => {
    throw new EngineError('The engine is offline.');
  };

  function start(answers: Parameters<typeof projectEngines>[0]) {
    const { world, deps, plan, caller } = autotranslation();
    const memory = translationMemory();
    const { machinery, asked } = projectEngines(answers);
    world.string(1, 9, 'Bye');
    const proposer = async (more: Partial<AutotranslatePlan> = {}) =>
      proposeByEngines(
        { ...deps, machinery, memory: memory.deps },
        caller,
        { ...plan, source: 'mt', engines: memoryAndEngines, ...more },
        new AbortController().signal,
      );
    const propose = async (ids: number[], more: Partial<AutotranslatePlan> = {}) => {
      const units = await world.units.many(ids);
      return Object.fromEntries(await (await proposer(more)).propose(units));
    };
    const learn = (...entries: ReturnType<typeof memory.entry>[]) =>
      memory.store.add(entries, { now: 1, confirm: false });
    return { world, memory, asked, proposer, propose, learn };
  }

  it('an engine is asked for all texts at once, and its proposals have its name and quality', async () => {
    const { asked, propose } = start({ openai: (text) => `[${text}]` });
    expect(await propose([7, 9])).toEqual({
      7: { target: ['[Hello]'], origin: 'openai', quality: 90 },
      9: { target: ['[Bye]'], origin: 'openai', quality: 90 },
    });
    expect(asked).toEqual([{ engine: 'openai', texts: ['Hello', 'Bye'] }]);
  });

  it('the engine with the highest quality is asked first, and others only for the strings without its proposals', async () => {
    const { asked, propose } = start({
      libretranslate: (text) => `libre ${text}`,
      openai: (text) => (text === 'Bye' ? '' : `open ${text}`),
    });
    const found = await propose([7, 9]);
    expect(found).toMatchObject({ 7: { target: ['open Hello'] }, 9: { target: ['libre Bye'], quality: 89 } });
    expect(asked).toEqual([
      { engine: 'openai', texts: ['Hello', 'Bye'] },
      { engine: 'libretranslate', texts: ['Bye'] },
    ]);
  });

  it('the memory wins with a better match, and loses with a worse one', async () => {
    const { asked, propose, learn, memory } = start({ openai: (text) => `[${text}]` });
    await learn(memory.entry('Hello', 'Ahoj'), memory.entry('Bye!', 'Sbohem!'));
    const found = await propose([7, 9], { threshold: 50 });
    expect(found[7]).toEqual({ target: ['Ahoj'], origin: 'weblate-translation-memory', quality: 100 });
    expect(found[9]).toMatchObject({ target: ['[Bye]'], origin: 'openai' });
    expect(asked).toEqual([{ engine: 'openai', texts: ['Bye'] }]);
  });

  it('neither engines nor matches below the threshold propose anything', async () => {
    const { asked, propose, learn, memory } = start({ openai: (text) => `[${text}]` });
    await learn(memory.entry('Hello!', 'Ahoj!'));
    expect(await propose([7], { threshold: 91 })).toEqual({});
    expect(asked).toEqual([]);
  });

  it('only the memory of the project and, where the project uses it, the shared memory is read', async () => {
    const { propose, learn, memory } = start({});
    await learn(memory.entry('Bye', 'Sbohem', { project: 2, shared: false }));
    await learn(memory.entry('Hello', 'Ahoj', { project: 2, shared: true }));
    expect(await propose([7, 9])).toMatchObject({ 7: { target: ['Ahoj'] } });
    expect(await propose([7], { engines: ['openai'] })).toEqual({});
    memory.projects.set(1, { ...memory.projects.get(1)!, useShared: false });
    expect(await propose([7, 9])).toEqual({});
  });

  it('a plural gets a text for each form, from the memory only if the language has two forms', async () => {
    const { world, propose, learn, memory } = start({});
    await learn(memory.entry('%d file', '%d Datei'), memory.entry('%d files', '%d Dateien'));
    const german = sampleTranslation(12, { component: 1, language: language('cs') });
    const source = ['%d file', '%d files'];
    world.units.put(sampleUnit(german, 20, { source, target: ['', ''] }));
    expect(await propose([20], { translation: german })).toMatchObject({ 20: { target: ['%d Datei', '%d Dateien'] } });
    expect(await propose([20])).toEqual({});
    const engine = start({ openai: (text) => `[${text}]` });
    engine.world.units.put(sampleUnit(german, 20, { source, target: ['', '', ''] }));
    expect(await engine.propose([20])).toMatchObject({ 20: { target: ['[%d file]', '[%d files]', '[%d files]'] } });
    expect(engine.asked).toEqual([{ engine: 'openai', texts: ['%d file', '%d files'] }]);
  });

  it('a failed engine is reported once and not asked again, and the others go on', async () => {
    const { world, asked, proposer } = start({ openai: offline, libretranslate: (text) => `[${text}]` });
    const found = await proposer();
    for (const id of [7, 9]) expect((await found.propose(await world.units.many([id]))).get(id)!.quality).toBe(89);
    expect(found.problems).toEqual([expect.stringMatching(/^OpenAI.*: The engine is offline\.$/)]);
    expect(asked.map(({ engine }) => engine)).toEqual(['openai', 'libretranslate', 'libretranslate']);
  });

  it('a defect is not taken for a failed engine', async () => {
    const { propose } = start({
      openai: () => {
        throw new TypeError('defect');
      },
    });
    await expect(propose([7])).rejects.toThrow('defect');
  });

  it('a text whose placeholders the engine lost is not proposed', async () => {
    const { world, propose } = start({ openai: () => 'Soubor' });
    world.string(1, 20, 'File %s');
    expect(await propose([20])).toEqual({});
  });
});
