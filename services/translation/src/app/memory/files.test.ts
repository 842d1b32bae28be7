import { FormatError } from '@parlance/formats';
import { translationMemory } from '../../../test/support/memory/memory-store';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { exportMemory, importMemory } from './files';

function start(quotas?: { perUser: number; perProject: number }) {
  const world = new StringsWorld();
  const memory = translationMemory(quotas);
  const ana = world.user(3, ['memory.edit']);
  const manager = world.user(5, ['memory.manage']);
  const give = (entries: object[], owner: { project?: number; shared?: boolean } = {}, caller = ana) => {
    const pair = { source_language: 'en', target_language: 'cs' };
    const bytes = Buffer.from(JSON.stringify(entries.map((entry) => ({ ...pair, ...entry }))));
    const request = { filename: 'a.json', sourceLanguage: '', bytes, project: 0, shared: false, ...owner };
    return importMemory(memory.deps, caller, request);
  };
  return { world, ...memory, ana, manager, give };
}

describe('importMemory', () => {
  it('by default the entries belong to the personal memory of the caller, with the file as their origin', async () => {
    const { store, give } = start();
    expect(await give([{ source: 'Hello', target: 'Ahoj' }])).toEqual({ added: 1, known: 0, skipped: 0, total: 1 });
    expect(store.entries()).toMatchObject([{ user: 3, project: 0, shared: false, origin: 'a.json', fromFile: true }]);
  });

  it('the origin that an entry names is kept', async () => {
    const { store, give } = start();
    await give([{ source: 'Hello', target: 'Ahoj', origin: 'q/web' }]);
    expect(store.entries()).toMatchObject([{ origin: 'q/web' }]);
  });

  it('the same file again adds no entries, and does not confirm the existing ones', async () => {
    const { store, clock, give } = start();
    const hello = { source: 'Hello', target: 'Ahoj' };
    await give([hello]);
    clock.now += 5;
    expect(await give([hello, { source: 'Bye', target: 'Sbohem' }])).toMatchObject({ added: 1, known: 1 });
    expect(store.entries().map(({ stamp }) => stamp)).toEqual([clock.now - 5, clock.now]);
  });

  it.each([
    ['an empty source', { source: ' ' }],
    ['an empty target', { target: '' }],
    ['a source above the length limit', { source: 'x'.repeat(10_001) }],
    ['a target above the length limit', { target: 'x'.repeat(10_001) }],
    ['a NUL character', { target: 'A\0' }],
    ['an origin that is not valid Unicode', { origin: '\ud800' }],
    ['an unknown language', { target_language: 'tlh' }],
    ['the same language on both sides', { target_language: 'en' }],
  ])('an entry with %s is skipped', async (_, more) => {
    const { store, give } = start();
    const good = { source: 'Hello', target: 'Ahoj' };
    expect(await give([{ ...good, ...more }, good])).toEqual({ added: 1, known: 0, skipped: 1, total: 2 });
    expect(store.entries()).toMatchObject([good]);
  });

  it('importMemory checks the permission on the owner before the file', async () => {
    const { world, manager, give } = start();
    const invalid = [{ source: 1 }];
    expect(await reasonOf(give(invalid, { project: 1 }, world.user(4, [])))).toBe('PERMISSION_DENIED');
    expect(await fieldsOf(give(invalid, { shared: true }))).toEqual(['shared:invalid']);
    expect(await fieldsOf(give(invalid, { shared: true }, manager))).toEqual(['file:invalid']);
  });

  it('a file above the quota adds no entries; existing entries do not count', async () => {
    const { store, give } = start({ perUser: 2, perProject: 2 });
    const of = (...targets: string[]) => targets.map((target) => ({ source: 'Hello', target }));
    await give(of('a'));
    expect(await fieldsOf(give(of('b', 'c')))).toEqual(['file:quota']);
    expect(store.entries()).toHaveLength(1);
    expect(await give(of('a', 'b'))).toMatchObject({ added: 1, known: 1 });
  });

  it('a file that its worker thread cannot process is a problem of the field', async () => {
    const { deps, give } = start();
    deps.files.memory = async () => {
      throw new FormatError('limit', 'the file is too large');
    };
    expect(await fieldsOf(give([]))).toEqual(['file:invalid']);
  });
});

describe('exportMemory', () => {
  const selection = { project: 0, scope: '', sourceLanguage: '', targetLanguage: '', origin: '' };
  async function textOf(parts: Promise<AsyncIterable<string>>): Promise<string> {
    let text = '';
    for await (const part of await parts) text += part;
    return text;
  }

  it('a TMX export contains the entries and can be imported again', async () => {
    const { deps, ana, store, give } = start();
    await give([{ source: 'Hello & bye', target: 'Ahoj' }]);
    const bytes = Buffer.from(await textOf(exportMemory(deps, ana, { ...selection, scope: 'own' }, 'tmx')));
    const request = { filename: 'b.tmx', sourceLanguage: '', bytes, project: 1, shared: false };
    expect(await importMemory(deps, ana, request)).toMatchObject({ added: 1, total: 1 });
    expect(store.entries((e) => e.project === 1)).toMatchObject([{ source: 'Hello & bye', target: 'Ahoj' }]);
  });

  it('a JSON export names the category of each entry: of a user, of a project, from a file, or learned', async () => {
    const { deps, manager, store, entry } = start();
    const owners = [
      { user: 3, project: 0 },
      { user: 0, project: 1 },
      { user: 0, project: 0, fromFile: true },
      { user: 0, project: 0 },
    ];
    const entries = owners.map((owner, i) => entry('Hello', `Ahoj ${i}`, owner));
    await store.add(entries, { now: 1, confirm: false });
    const exported = JSON.parse(await textOf(exportMemory(deps, manager, selection, 'json'))) as object[];
    expect(exported).toMatchObject([
      { category: 20_000_003 },
      { category: 10_000_001 },
      { category: 1 },
      { category: 2 },
    ]);
    expect(exported[0]).toEqual({
      source: 'Hello',
      target: 'Ahoj 0',
      source_language: 'en',
      target_language: 'cs',
      origin: 'p/app',
      category: 20_000_003,
    });
  });

  it('an empty JSON export is an empty array', async () => {
    const { deps, manager } = start();
    expect(JSON.parse(await textOf(exportMemory(deps, manager, selection, 'json')))).toEqual([]);
  });

  it('a caller exports only entries that they may list, in a known format', async () => {
    const { deps, ana, manager } = start();
    expect(await reasonOf(exportMemory(deps, ana, selection, 'json'))).toBe('PERMISSION_DENIED');
    expect(await fieldsOf(exportMemory(deps, manager, selection, 'csv'))).toEqual(['format:invalid_choice']);
  });
});
