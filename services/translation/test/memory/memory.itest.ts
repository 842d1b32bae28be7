import { serviceCaller } from '@parlance/access';
import { decodeEvent, encodeEvent, newEvent, type IncomingEvent } from '@parlance/events';
import { makeIds } from '../../src/store/ids';
import { memoryEdits, memoryImports, memoryOwners } from '../../src/consumers/memory';
import { addMemoryEntry } from '../../src/app/memory/entries';
import { importMemory, exportMemory } from '../../src/app/memory/files';
import { learnFromTranslation, learnFromUnits } from '../../src/app/memory/learn';
import { lookUp } from '../../src/app/memory/look-up';
import { MemoryIndex } from '../../src/app/memory/memory-index';
import type { MemoryDeps } from '../../src/app/memory/deps';
import type { Component } from '../../src/domain/component';
import type { NewMemoryEntry } from '../../src/domain/memory/entry';
import type { MemoryProject } from '../../src/domain/memory/ports';
import type { Unit } from '../../src/domain/unit';
import { MongoMemoryIndexStore } from '../../src/store/indexes/memory-index-store';
import { MongoMemoryStore } from '../../src/store/memory-store';
import { MongoTranslationStore } from '../../src/store/translation-store';
import { MongoUnitStore } from '../../src/store/units/unit-store';
import { testFiles } from '../support/process';
import { person, sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const database = useDatabase();
beforeEach(async () => {
  await database.models.memory.collection.deleteMany({});
});

const english = { id: 1, code: 'en' };
let clock = 1_000_000;
const quotas = { perUser: 1_000, perProject: 10_000 };

function entry(source: string, target: string, fields: Partial<NewMemoryEntry> = {}): NewMemoryEntry {
  return {
    source,
    target,
    sourceLanguage: english,
    targetLanguage: { id: 2, code: 'cs' },
    origin: 'p/c',
    project: 1,
    user: 0,
    fromFile: false,
    shared: false,
    ...fields,
  };
}

function world() {
  const ids = makeIds(database.models);
  const store = new MongoMemoryStore(database.models.memory, ids, uncached);
  const now = () => clock;
  const projects = new Map<number, MemoryProject>(
    [1, 2].map((id) => [
      id,
      { id, slug: `p${id}`, accessControl: 0, enforced2fa: false, useShared: true, contributeShared: id === 1 },
    ]),
  );
  const languages = new Map([
    ['en', english],
    ['EN', english],
    ['cs', { id: 2, code: 'cs' }],
  ]);
  const memory: MemoryDeps = {
    store,
    index: new MemoryIndex(new MongoMemoryIndexStore(database.models), 64 * 1024 * 1024),
    files: testFiles,
    quotas,
    projects: {
      get: async (id) => projects.get(id) ?? null,
      languages: async (codes) =>
        new Map(codes.flatMap((code) => (languages.has(code) ? [[code, languages.get(code)!]] : []))),
    },
    now,
  };
  const ask = (
    text: string,
    threshold = 75,
    visible: Parameters<typeof lookUp>[2]['visible'] = { project: 1, shared: true },
  ) =>
    lookUp(memory, [text], { languages: { source: 'en', target: 'cs' }, threshold, limit: 10, visible }).then((found) =>
      found[0]!.map((m) => [m.similarity, m.entry.source, m.entry.target]),
    );
  return { store, memory, projects, ask };
}

describe('the store of the memory', () => {
  it('Each translation of a text is stored once per memory', async () => {
    const { store } = world();
    const entries = [entry('Open', 'Otevřít'), entry('Open', 'Otevřít', { origin: 'p/d' }), entry('Open', 'Otevřené')];
    expect(await store.add(entries, { now: 1, confirm: false })).toBe(2);
    expect(await store.add(entries, { now: 2, confirm: false })).toBe(0);
    expect(await store.add([entry('Open', 'Otevřít', { project: 2 })], { now: 2, confirm: false })).toBe(1);
    expect((await store.page({ visible: { project: 1 } }, 1, 10)).total).toBe(2);
    expect((await store.page({ visible: 'everything' }, 1, 2)).items).toHaveLength(2);
    expect((await store.page({ visible: {} }, 1, 10)).total).toBe(0);
  });

  it('Concurrent additions of an equal entry store it once', async () => {
    const { store } = world();
    const many = Array.from({ length: 50 }, (_, i) => entry(`Text ${i}`, `Překlad ${i}`));
    const added = await Promise.all(Array.from({ length: 4 }, () => store.add(many, { now: 1, confirm: true })));
    expect(added.reduce((a, b) => a + b)).toBe(50);
    expect((await store.page({ visible: 'everything' }, 1, 1)).total).toBe(50);
  });

  it('Removing a project deletes its private entries and keeps its shared ones', async () => {
    const { store } = world();
    await store.add([entry('Own', 'Vlastní'), entry('Given', 'Dané', { shared: true })], { now: 1, confirm: false });
    for (let twice = 0; twice < 2; twice++) await store.removeOfProject(1);
    const left = await store.page({ visible: 'everything' }, 1, 10);
    expect(left.items).toMatchObject([{ source: 'Given', project: 0, shared: true }]);
  });

  it('A project can contribute its entries to the shared memory and withdraw them', async () => {
    const { store } = world();
    await store.add([entry('A', 'B')], { now: 1, confirm: false });
    await store.setShared(1, true);
    expect((await store.page({ visible: { shared: true } }, 1, 10)).total).toBe(1);
    await store.setShared(1, false);
    expect((await store.page({ visible: { shared: true } }, 1, 10)).total).toBe(0);
  });

  it('Removing a user deletes the entries of the user', async () => {
    const { store } = world();
    await store.add([entry('A', 'B', { project: 0, user: 5 }), entry('A', 'B')], { now: 1, confirm: false });
    await store.removeOfUser(5);
    expect((await store.page({ visible: 'everything' }, 1, 10)).items).toMatchObject([{ project: 1 }]);
  });
});

describe('looking up', () => {
  it('A look-up returns similar texts by similarity, then newest first', async () => {
    const { store, ask } = world();
    await store.add([entry('Open file', 'Otevřít soubor')], { now: clock, confirm: true });
    await store.add([entry('Open files', 'Otevřít soubory'), entry('Close door', 'Zavřít')], {
      now: clock,
      confirm: true,
    });
    clock += 1000;
    await store.add([entry('Open file', 'Otevření souboru')], { now: clock, confirm: true });
    expect(await ask('Open file')).toEqual([
      [100, 'Open file', 'Otevření souboru'],
      [100, 'Open file', 'Otevřít soubor'],
      [90, 'Open files', 'Otevřít soubory'],
    ]);
    clock += 1000;
    // Confirming the older entry makes it the newest.
    await store.add([entry('Open file', 'Otevřít soubor')], { now: clock, confirm: true });
    expect((await ask('Open file'))[0]).toEqual([100, 'Open file', 'Otevřít soubor']);
    expect(await ask('Open file', 100)).toHaveLength(2);
    expect(await ask('Something else entirely')).toEqual([]);
  });

  it('A look-up reflects additions and deletions at once, also those of another process', async () => {
    const { ask, memory } = world();
    const other = world();
    expect(await ask('Hello')).toEqual([]);
    clock += 60_000;
    await other.store.add([entry('Hello', 'Ahoj')], { now: clock, confirm: true });
    expect(await ask('Hello')).toEqual([[100, 'Hello', 'Ahoj']]);
    await other.store.remove((await memory.store.find(entry('Hello', 'Ahoj')))!.id);
    expect(await ask('Hello')).toEqual([]);
  });

  it('A look-up returns only entries that the reader may use', async () => {
    const { store, ask } = world();
    await store.add(
      [
        entry('Text', 'cizí', { project: 2 }),
        entry('Text', 'sdílené', { project: 2, shared: true }),
        entry('Text', 'moje', { project: 0, user: 7 }),
      ],
      { now: clock, confirm: true },
    );
    const targets = async (visible: Parameters<typeof ask>[2]) => (await ask('Text', 75, visible)).map(([, , t]) => t);
    expect(await targets({ project: 1, shared: true })).toEqual(['sdílené']);
    expect(await targets({ project: 1 })).toEqual([]);
    expect(await targets({ project: 1, user: 7 })).toEqual(['moje']);
    expect((await targets('everything')).sort()).toEqual(['cizí', 'moje', 'sdílené']);
  });
});

describe('growing', () => {
  const component = {
    id: 10,
    project: 1,
    projectSlug: 'p1',
    path: 'cat/app',
    sourceLanguage: english,
    isGlossary: false,
  } as Component;

  async function translated(units: Partial<Unit>[], fields: { isSource?: boolean; glossary?: boolean } = {}) {
    const { memory, store, projects } = world();
    const translations = new MongoTranslationStore(database.models.translations, database.models.units);
    const unitStore = new MongoUnitStore(database.models.units, database.models.searchOpen);
    const ids = makeIds(database.models);
    const id = await ids.next('translation');
    const translation = sampleTranslation(id, { isSource: fields.isSource === true });
    await translations.insert(translation);
    const list = await Promise.all(
      units.map(async (unit, position) =>
        sampleUnit(translation, await ids.next('unit'), { position, state: 20, ...unit }),
      ),
    );
    await unitStore.insert(list);
    const catalog = {
      component: async () => ({ ...component, isGlossary: fields.glossary === true }),
      forget: () => undefined,
    };
    return { id, list, store, projects, parts: { ...memory, units: unitStore, translations, catalog } };
  }

  it('The memory learns the finished strings of a translation, and the edited strings of an edit', async () => {
    const { id, list, store, parts } = await translated([
      { source: ['One'], target: ['Jedna'] },
      { source: ['Two'], target: ['Dva'], state: 10 },
      { source: ['Day', 'Days'], target: ['den', 'dny', 'dnů'], state: 30 },
    ]);
    await learnFromUnits(parts, id, [list[0]!.id]);
    expect((await store.page({ visible: 'everything' }, 1, 10)).items).toMatchObject([
      { source: 'One', target: 'Jedna', origin: 'p1/cat/app', project: 1, shared: true, fromFile: false },
    ]);
    const pauses: number[] = [];
    for (let twice = 0; twice < 2; twice++) await learnFromTranslation(parts, id, async (ms) => void pauses.push(ms));
    expect((await store.page({ visible: 'everything' }, 1, 10)).items.map((e) => [e.source, e.target])).toEqual([
      ['One', 'Jedna'],
      ['Day', 'den'],
      ['Days', 'dnů'],
    ]);
    expect(pauses).toEqual([]);
  });

  it.each([
    ['source texts', { isSource: true }],
    ['glossaries', { glossary: true }],
  ])('The memory learns nothing from %s', async (_, fields) => {
    const { id, store, parts } = await translated([{ source: ['One'], target: ['Jedna'] }], fields);
    await learnFromTranslation(parts, id, async () => undefined);
    expect((await store.page({ visible: 'everything' }, 1, 10)).total).toBe(0);
  });

  it.each([
    ['a whole translation after an import', {}, 1],
    ['nothing when only the history of a translation changed', { unitsUnchanged: true }, 0],
  ])('The memory learns %s', async (_, facts, total) => {
    const { id, store, parts } = await translated([{ source: ['One'], target: ['Jedna'] }]);
    const event = newEvent('translation', 'translationUpdated', { translationId: id, ...facts }, id);
    const received = {
      ...decodeEvent(encodeEvent(event)),
      sequence: 1,
      attempt: 1,
    } as IncomingEvent<'translationUpdated'>;
    await memoryEdits(parts)([received]);
    await memoryImports(parts, async () => undefined)([received]);
    expect((await store.page({ visible: 'everything' }, 1, 10)).total).toBe(total);
  });

  it('Restricting access to a project withdraws its entries from the shared memory', async () => {
    const { id, store, parts, projects } = await translated([
      { source: ['One'], target: ['Jedna'] },
      { source: ['Two'], target: ['Dva'] },
    ]);
    const shared = async () =>
      (await store.page({ visible: { shared: true } }, 1, 10)).items.map(({ source }) => source);
    const list = await parts.units.ofTranslation(id);
    const learn = (source: string) =>
      learnFromUnits(
        parts,
        id,
        list.filter((unit) => unit.source[0] === source).map((unit) => unit.id),
      );
    const become = async (accessControl: number) => {
      projects.set(1, { ...projects.get(1)!, accessControl });
      const event = newEvent('catalog', 'projectUpdated', { projectId: 1, changed: ['access_control'] }, 1);
      const received = {
        ...decodeEvent(encodeEvent(event)),
        sequence: 1,
        attempt: 1,
      } as IncomingEvent<'projectUpdated'>;
      await memoryOwners(parts, { remove: async () => undefined })([received]);
    };
    await learn('One');
    expect(await shared()).toEqual(['One']);
    for (const hidden of [100, 200]) {
      await become(hidden);
      await learn('Two');
      expect(await shared()).toEqual([]);
    }
    await become(1);
    expect((await shared()).sort()).toEqual(['One', 'Two']);
  });

  it('The memory learns nothing from a deleted translation', async () => {
    const { parts } = await translated([]);
    await learnFromUnits(parts, 999_999_999, [1]);
  });
});

describe('files', () => {
  const admin = serviceCaller('test');
  const file = (bytes: string, filename: string) => ({
    filename,
    project: 1,
    shared: false,
    sourceLanguage: '',
    bytes: Buffer.from(bytes),
  });
  const wanted = { project: 1, scope: '', sourceLanguage: '', targetLanguage: '', origin: '' };
  const text = async (pieces: AsyncIterable<string>) => {
    let all = '';
    for await (const piece of pieces) all += piece;
    return all;
  };

  it.each(['tmx', 'json'])('Importing an exported %s file restores its entries', async (format) => {
    const { store, memory } = world();
    const entries = [entry('Čaj & <b>', 'Tea "x"'), entry('B', 'C')];
    await store.add(entries, { now: 1, confirm: false });
    const out = await text(await exportMemory(memory, admin, wanted, format));
    await database.models.memory.collection.deleteMany({});
    expect(await importMemory(memory, admin, file(out, `m.${format}`))).toEqual({
      added: 2,
      known: 0,
      skipped: 0,
      total: 2,
    });
    expect(await importMemory(memory, admin, file(out, `m.${format}`))).toMatchObject({ added: 0, known: 2 });
    const back = (await store.page({ visible: { project: 1 } }, 1, 10)).items;
    expect(back.map((e) => [e.source, e.target, e.fromFile])).toEqual(entries.map((e) => [e.source, e.target, true]));
  });

  it('The export of an empty memory is an empty list', async () => {
    const { memory } = world();
    expect(JSON.parse(await text(await exportMemory(memory, admin, wanted, 'json')))).toEqual([]);
  });

  it('Invalid files and formats are rejected with the problem', async () => {
    const { memory } = world();
    const problem = (bytes: string, name = 'm.json') =>
      importMemory(memory, admin, file(bytes, name)).then(
        () => 'taken',
        (error: { problems?: { attr: string; detail: string }[] }) =>
          error.problems?.map((p) => `${p.attr}: ${p.detail}`)[0],
      );
    expect(await problem('{')).toMatch(/^file: .*JSON/);
    expect(await problem('{}')).toMatch(/^file: .*array of entries/);
    expect(await problem('[{"source": 1}]')).toBe('file: Entry 1: source must be a text.');
    expect(await problem('<tmx', 'm.tmx')).toMatch(/^file: line 1/);
    expect(await problem('<html/>', 'm.tmx')).toMatch(/tmx/);
    await expect(exportMemory(memory, admin, wanted, 'xls')).rejects.toMatchObject({ problems: [{ attr: 'format' }] });
  });

  it('Invalid entries of a file are skipped and counted', async () => {
    const { memory } = world();
    const items = [
      { source: 'a', target: 'b', source_language: 'en', target_language: 'tlh' },
      { source: ' ', target: 'b', source_language: 'en', target_language: 'cs' },
      { source: 'a', target: 'b', source_language: 'en', target_language: 'EN' },
      { source: 'a', target: 'x\u0000y', source_language: 'en', target_language: 'cs' },
      { source: 'a\ud800', target: 'b', source_language: 'en', target_language: 'cs' },
      { source: 'a', target: 'b', source_language: 'en', target_language: 'cs', origin: '\u0000' },
      { source: 'a', target: 'b', source_language: 'EN', target_language: 'cs', origin: 'elsewhere' },
    ];
    expect(await importMemory(memory, admin, file(JSON.stringify(items), 'm.json'))).toEqual({
      added: 1,
      known: 0,
      skipped: 6,
      total: 7,
    });
  });
});

describe('the quota of a memory', () => {
  const own = (n: number) =>
    Array.from({ length: n }, (_, i) => ({
      source: `Own ${i}`,
      target: `Vlastní ${i}`,
      source_language: 'en',
      target_language: 'cs',
    }));
  const upload = (n: number) => ({
    ...{ filename: 'own.json', project: 0, shared: false, sourceLanguage: '' },
    bytes: Buffer.from(JSON.stringify(own(n))),
  });

  it('A file that exceeds the quota is rejected as a whole, but a file with existing entries is accepted again', async () => {
    const { memory, store } = world();
    const user = person(77);
    await expect(importMemory(memory, user, upload(quotas.perUser + 1))).rejects.toMatchObject({
      problems: [{ attr: 'file', code: 'quota', detail: expect.stringContaining('at most 1000 entries') }],
    });
    expect((await store.page({ visible: { user: 77 } }, 1, 1)).total).toBe(0);
    expect(await importMemory(memory, user, upload(quotas.perUser))).toMatchObject({ added: quotas.perUser });
    expect(await importMemory(memory, user, upload(quotas.perUser))).toMatchObject({ added: 0, known: quotas.perUser });
    await expect(importMemory(memory, user, upload(quotas.perUser + 1))).rejects.toMatchObject({ reason: 'INVALID' });
    const entry = { source: 'One', target: 'Jedna', sourceLanguage: english, targetLanguage: { id: 2, code: 'cs' } };
    await expect(
      addMemoryEntry(memory, user, { ...entry, origin: '', project: 0, shared: false }),
    ).rejects.toMatchObject({ problems: [{ attr: null, code: 'quota' }] });
  });
});
