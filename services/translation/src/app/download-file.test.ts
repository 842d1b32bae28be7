import { convert } from '@parlance/formats';
import { parseQuery } from '@parlance/search';
import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import type { Component } from '../domain/component';
import type { Unit } from '../domain/unit';
import { fieldsOf, reasonOf, StringsWorld } from '../../test/support/memory/world';
import { UnitCache } from './caches/unit-cache';
import { applyEdits } from './commit/apply-edits';
import { Downloader, type DownloadDeps } from './download-file';
import { SearchBudget } from './search/search-budget';

const po = (text: string) => `msgid ""\nmsgstr "Language: cs\\n"\n\nmsgid "Hello"\nmsgstr "${text}"\n`;
const author = { userId: 3, username: 'ana', fullName: 'Ana', email: 'ana@example.com' };
const pending = (text: string, state = 20): Partial<Unit> => ({
  target: [text],
  state,
  edits: [{ id: `edit ${text}`, author, target: [text], state, time: 1 }],
});

/** A component whose repository has the file cs.po, and a process that renders downloads. */
function start(fields: Partial<Unit> = {}, settings: Partial<Component> = {}) {
  const world = new StringsWorld();
  const { czech } = world.component(1, settings);
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, position: 2, ...fields });
  world.string(1, 8, 'Bye', { position: 1 });
  const repository = new Map([['cs.po', po('Ahoj')]]);
  const reads: string[] = [];
  const sent: string[] = [];
  const hooks = { afterRead: async () => {} };
  const deps: DownloadDeps = {
    ...world.deps,
    unitCache: new UnitCache(world.units),
    files: {
      applyEdits: async (file) => applyEdits(file),
      convert: async (format, items, unitOf, options) => convert(format, items.map(unitOf), options),
    },
    repositoryFiles: {
      readFile: async (_component, path, known) => {
        reads.push(path);
        const text = repository.get(path);
        if (known && text === known.revision) return known;
        if (text !== undefined) sent.push(path);
        await hooks.afterRead();
        return text === undefined ? null : { bytes: Buffer.from(text), revision: text };
      },
    },
    // Finds the translated strings, whatever the query: the store evaluates queries.
    search: {
      parse: (q) => {
        const found = {
          query: parseQuery(q),
          stable: true,
          required: { type: 'any' as const },
          regex: false,
          ofUnitsAlone: true,
        };
        return q === '' ? null : found;
      },
      query: async () => ({ kind: 'search', query: parseQuery('state:=translated'), resolved: new Map() }),
    },
    searchBudget: new SearchBudget({ total: 1, perCaller: 1, lingerMs: 0 }),
  };
  const downloader = new Downloader(deps);
  const ana = world.user(3, ['translation.download']);
  const get = (request: { format?: string; q?: string; translation?: number } = {}, caller = ana) =>
    downloader.download(caller, { translation: 11, format: '', q: '', ...request }, '', {
      key: 'user:3',
      signal: new AbortController().signal,
    });
  const text = async (request = {}) => (await get(request)).bytes.toString();
  let version = 1;
  /** Stores another pending edit, as a writer of another process does. */
  const edit = async (target: string) => {
    const stored = (await world.units.get(7))!;
    world.units.put({ ...stored, ...pending(target), version: stored.version + 1 });
    world.translations.put({ ...czech, version: ++version });
  };
  return { world, repository, reads, sent, hooks, get, text, edit };
}

describe('download of the file', () => {
  it('a download contains the edits that are not committed yet', async () => {
    const { get } = start(pending('Nazdar'));
    const file = await get();
    expect(file).toMatchObject({ filename: 'p-app-cs.po', contentType: 'text/x-gettext-catalog' });
    expect(file.bytes.toString()).toBe(po('Nazdar'));
  });

  it('a download contains only edits that the commit policy allows', async () => {
    const onlyApproved = { commitPolicy: 30, translationReview: true };
    expect(await start(pending('Nazdar'), onlyApproved).text()).toBe(po('Ahoj'));
    expect(await start(pending('Nazdar', 30), onlyApproved).text()).toBe(po('Nazdar'));
  });

  it('a download does not contain strings that were removed', async () => {
    const { world, text } = start();
    const { key } = (await world.units.get(7))!;
    await world.units.removeMany([7]);
    await world.removals.add([{ id: 'unit 7', component: 1, translation: 11, key, author, time: 1 }]);
    expect(await text()).not.toContain('Hello');
  });

  it('a file is rendered once for each version of the translation', async () => {
    const { reads, get, edit } = start(pending('Nazdar'));
    const one = await get();
    const getAgain = async () => expect((await get()).etag).toBe(one.etag);
    expect(await lookupsDuring(metricsText, 'downloads', getAgain)).toEqual({ hits: 1, misses: 0 });
    expect(reads).toEqual(['cs.po']);
    await edit('Čau');
    const getOther = async () => {
      const other = await get();
      expect(other.bytes.toString()).toBe(po('Čau'));
      expect(other.etag).not.toBe(one.etag);
    };
    expect(await lookupsDuring(metricsText, 'downloads', getOther)).toEqual({ hits: 0, misses: 1 });
  });

  it('an edit that is committed during the download is not missing', async () => {
    const { world, repository, hooks, text } = start(pending('Nazdar'));
    hooks.afterRead = async () => {
      const stored = (await world.units.get(7))!;
      world.units.put({ ...stored, edits: [] });
      repository.set('cs.po', po('Nazdar'));
    };
    expect(await text()).toBe(po('Nazdar'));
  });

  it('the bytes of the file are sent again only after a commit', async () => {
    const { repository, sent, text, edit } = start(pending('Nazdar'));
    await text();
    await edit('Čau');
    expect(await text()).toBe(po('Čau'));
    expect(sent).toEqual(['cs.po']);
    repository.set('cs.po', `# Committed\n${po('Čau')}`);
    await edit('Nazdárek');
    expect(await text()).toBe(`# Committed\n${po('Nazdárek')}`);
    expect(sent).toEqual(['cs.po', 'cs.po']);
  });

  it('the source translation of a bilingual component is its base file', async () => {
    const { repository, get } = start({}, { newBase: 'app.pot' });
    repository.set('app.pot', po(''));
    expect(await get({ translation: 10 })).toMatchObject({ filename: 'p-app-en.pot' });
    expect(await reasonOf(start().get({ translation: 10 }))).toBe('NOT_FOUND');
  });

  it('a download requires the permission and the file', async () => {
    const { world, repository, get } = start();
    expect(await reasonOf(get({}, world.user(4, [])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(get({ translation: 99 }))).toBe('NOT_FOUND');
    repository.clear();
    expect(await reasonOf(get())).toBe('NOT_FOUND');
  });

  it('a file of the repository that edits cannot be applied to is a problem of the file', async () => {
    const { repository, get } = start(pending('Nazdar'));
    repository.set('cs.po', 'msgid "');
    expect(await fieldsOf(get())).toEqual(['file:invalid']);
  });
});

describe('download in another format', () => {
  it('a download in another format contains all strings in the order of the file', async () => {
    const { get } = start();
    const file = await get({ format: 'csv' });
    expect(file).toMatchObject({ filename: 'p-app-cs.csv', contentType: 'text/csv; charset=utf-8' });
    const lines = file.bytes.toString().split('\n');
    expect([lines.findIndex((l) => l.includes('Bye')), lines.findIndex((l) => l.includes('Ahoj'))]).toEqual([1, 2]);
  });

  it.each(['csv', 'xliff'])('a download as %s contains an edit of another process', async (format) => {
    const { text, edit } = start();
    await text({ format });
    await edit('Čau');
    expect(await text({ format })).toContain('Čau');
  });

  it('a query filters the strings and requires a format', async () => {
    const { get, text } = start();
    const found = await text({ format: 'csv', q: 'state:translated' });
    expect([found.includes('Ahoj'), found.includes('Bye')]).toEqual([true, false]);
    expect(await fieldsOf(get({ q: 'state:translated' }))).toEqual(['q:invalid']);
  });

  it('unknown formats are rejected', async () => {
    expect(await fieldsOf(start().get({ format: 'doc' }))).toEqual(['format:invalid_choice']);
  });
});
