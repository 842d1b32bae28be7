import { makeIds } from '../../src/store/ids';
import { lookUp } from '../../src/app/memory/look-up';
import { MemoryIndex } from '../../src/app/memory/memory-index';
import { MemoryIndexer } from '../../src/app/memory/memory-indexer';
import type { NewMemoryEntry } from '../../src/domain/memory/entry';
import type { VisibleEntries } from '../../src/domain/memory/ports';
import { similarity } from '../../src/domain/memory/similarity';
import type { FreshEntry } from '../../src/domain/memory/index-ports';
import { MongoMemoryIndexStore } from '../../src/store/indexes/memory-index-store';
import { MongoMemoryStore } from '../../src/store/memory-store';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const database = useDatabase();
beforeEach(async () => {
  for (const model of Object.values(database.models)) await model.collection.deleteMany({});
});

const languages = { source: 'en', target: 'cs' };

function entry(source: string, fields: Partial<NewMemoryEntry> = {}): NewMemoryEntry {
  return {
    source,
    target: `Překlad: ${source}`,
    sourceLanguage: { id: 1, code: 'en' },
    targetLanguage: { id: 2, code: 'cs' },
    origin: 'p/c',
    project: 1,
    user: 0,
    fromFile: false,
    shared: false,
    ...fields,
  };
}

/** A process: its stores, its index and its indexer. */
function replica(graceMs = 0, indexStore = new MongoMemoryIndexStore(database.models)) {
  const store = new MongoMemoryStore(database.models.memory, makeIds(database.models), uncached);
  const indexer = new MemoryIndexer({ store: indexStore, now: () => Date.now() }, { everyMs: 1_000, graceMs });
  const index = new MemoryIndex(indexStore, 16 * 1024 * 1024);
  return {
    store,
    indexStore,
    index,
    add: (...entries: NewMemoryEntry[]) => store.add(entries, { now: Date.now(), confirm: false }),
    async pass() {
      await database.models.searchState.collection.deleteOne({ _id: 'memory lease' as never });
      await indexer.pass();
    },
    indexer,
    /** Sources that a look-up finds. */
    async find(text: string, visible: VisibleEntries = { project: 1, shared: true }, limit = 10): Promise<string[]> {
      const [found] = await lookUp({ store, index }, [text], { languages, threshold: 70, limit, visible });
      return found!.map((match) => match.entry.source);
    },
  };
}

const freshCount = () => database.models.memory.collection.countDocuments({ fresh: { $gt: 0 } });
const segmentCount = () => database.models.memorySegments.collection.countDocuments();

it('A look-up finds entries of another replica at once, before and after they are indexed and merged', async () => {
  const [one, two] = [replica(), replica()];
  await one.pass();
  for (let n = 0; n < 20; n++) {
    await one.add(entry(`Open the file number ${n}`));
    expect(await two.find(`Open the file number ${n}!`)).toContain(`Open the file number ${n}`);
    await one.pass();
    expect(await two.find(`Open the file number ${n}!`)).toContain(`Open the file number ${n}`);
  }
  expect(await freshCount()).toBe(0);
  expect(await segmentCount()).toBeLessThan(8);
  expect(await two.find('Open the file number', undefined, 50)).toHaveLength(20);
});

it('A look-up reads no marks up to the time at which the indexer found none, and finds newer entries', async () => {
  const [one, two] = [replica(), replica()];
  await one.pass();
  await one.add(entry('Open the file'));
  expect(await two.find('Open the file!')).toEqual(['Open the file']);
  await one.indexStore.noteCleared(Date.now() + 60_000);
  await two.indexStore.isReady();
  expect(await two.indexStore.freshSources('en>cs', 'everything', 10)).toEqual([]);
  await one.indexStore.noteCleared(0);
  await one.pass();
  expect(await two.find('Open the file!')).toEqual(['Open the file']);
});

it('Only entries that the reader may use are candidates, also after a project shares or withdraws its entries', async () => {
  const one = replica();
  for (let project = 2; project < 100; project++)
    await one.add(...Array.from({ length: 3 }, (_, n) => entry(`Save the file ${n}${project}`, { project })));
  await one.add(entry('Save the file (me)'), entry('Save the file (us)', { project: 0, user: 7 }));
  await one.pass();
  expect(await one.find('Save the file', { project: 1 }, 1)).toEqual(['Save the file (me)']);
  expect(await one.find('Save the file', { user: 7 }, 1)).toEqual(['Save the file (us)']);
  expect(await one.find('Save the file', { shared: true }, 1)).toEqual([]);
  await one.store.setShared(50, true);
  const shared = [0, 1, 2].map((n) => `Save the file ${n}50`);
  expect((await one.find('Save the file 950', { shared: true })).sort()).toEqual(shared);
  await one.pass();
  expect((await one.find('Save the file 950', { shared: true })).sort()).toEqual(shared);
  await one.store.setShared(50, false);
  expect(await one.find('Save the file 950', { shared: true })).toEqual([]);
});

it('Deleted entries are not found, and a merge drops their texts', async () => {
  const one = replica();
  for (let n = 0; n < 3; n++) {
    await one.add(entry(`Close the door ${n}`), entry(`Leave the room ${n}`, { project: 2 }));
    await one.pass();
  }
  await one.store.removeOfProject(2);
  expect(await one.find('Leave the room', 'everything')).toEqual([]);
  await one.add(entry('Close the door 3'));
  await one.pass();
  const segments = await one.indexStore.segments('en>cs');
  expect(segments.map(({ size }) => size)).toEqual([4]);
  expect(await one.find('Close the door')).toHaveLength(4);
});

it('Entries of a version without an index are found at once, and indexed', async () => {
  const one = replica(3_600_000);
  await one.add(...Array.from({ length: 30 }, (_, n) => entry(`Print page ${n}`)));
  await database.models.memory.collection.updateMany({}, { $unset: { fresh: '' } });
  expect(await one.find('Print page', undefined, 50)).toHaveLength(30);
  await one.pass();
  expect([await freshCount(), await segmentCount()]).toEqual([0, 1]);
  // A process of that version adds an entry while it stops.
  await one.add(entry('Print page old'));
  await database.models.memory.collection.updateMany({ fresh: { $gt: 0 } }, { $unset: { fresh: '' } });
  await replica(0).pass();
  expect(await one.find('Print page old!')).toContain('Print page old');
  expect(await one.find('Print page', undefined, 50)).toHaveLength(31);
});

it('A change of an entry while it is indexed keeps it marked', async () => {
  class Interrupted extends MongoMemoryIndexStore {
    override async clearFresh(entries: readonly FreshEntry[]): Promise<void> {
      await one.store.setShared(1, true);
      await super.clearFresh(entries);
    }
  }
  const one = replica();
  await one.pass();
  await one.add(entry('Copy the text'));
  const other = replica(0, new Interrupted(database.models));
  // The mark of the change is new in each pass of this indexer: the first one shares the entry, later ones find nothing to share.
  await other.pass();
  expect(await freshCount()).toBe(1);
  await one.pass();
  expect(await freshCount()).toBe(0);
  expect(await one.find('Copy the texts', { shared: true })).toEqual(['Copy the text']);
});

it('A crash between segment and marks loses no entry', async () => {
  class Crashing extends MongoMemoryIndexStore {
    override clearFresh(): Promise<void> {
      return Promise.reject(new Error('crash'));
    }
  }
  const one = replica();
  await one.pass();
  await one.add(entry('Move the folder'));
  await expect(replica(0, new Crashing(database.models)).pass()).rejects.toThrow('crash');
  await one.pass();
  expect(await one.find('Move the folders')).toEqual(['Move the folder']);
});

it.each(['memorydocuments', 'searchstate'])('Look-ups find the same after the loss of %s', async (collection) => {
  const one = replica();
  await one.add(...Array.from({ length: 30 }, (_, n) => entry(`Rename folder ${n}`)));
  await one.pass();
  await database.models.memory.db.collection(collection).deleteMany({});
  const two = replica();
  expect(await two.find('Rename folder', undefined, 50)).toHaveLength(30);
  await two.pass();
  expect(await freshCount()).toBe(0);
  expect(await replica().find('Rename folder', undefined, 50)).toHaveLength(30);
});

it('Look-ups over many projects find what a comparison with every visible entry finds', async () => {
  const one = replica();
  await one.pass();
  const nouns = ['file', 'folder', 'page', 'user', 'project', 'message', 'account', 'image', 'link', 'report'];
  const verbs = ['Open', 'Close', 'Delete', 'Rename', 'Export', 'Import', 'Share', 'Copy', 'Move', 'Print'];
  const ends = ['now', 'in the background', 'for everyone', 'without asking again', 'from the list'];
  const textOf = (n: number): string =>
    `${verbs[n % 10]} the ${nouns[(n * 7) % 10]} ${ends[(n * 3) % 5]} (${(n * 7919) % 1000})`;
  const entries = Array.from({ length: 20_000 }, (_, n) =>
    entry(textOf(n), { project: 1 + (n % 500), shared: n % 500 < 100 }),
  );
  for (let at = 0; at < entries.length; at += 4_000) {
    await one.add(...entries.slice(at, at + 4_000));
    await one.pass();
  }
  const visible = { project: 300, shared: true };
  const candidates = [...new Set(entries.filter((e) => e.project === 300 || e.shared).map((e) => e.source))];
  let [expected, found] = [0, 0];
  for (let n = 0; n < 100; n++) {
    const text = textOf(n * 197).replace('the', 'this');
    const best = candidates
      .map((source) => similarity(text, source, 70))
      .filter((percent) => percent >= 70)
      .sort((a, b) => b - a)
      .slice(0, 5);
    const [matches] = await lookUp(one, [text], { languages, threshold: 70, limit: 5, visible });
    const left = matches!.map((match) => match.similarity);
    for (const percent of best) {
      const at = left.findIndex((each) => each >= percent);
      expected++;
      if (at < 0) continue;
      found++;
      left.splice(at, 1);
    }
  }
  expect(expected).toBeGreaterThan(300);
  expect(found / expected).toBeGreaterThanOrEqual(0.99);
});

it('An indexer that is stopped lets another process go on at once', async () => {
  const [one, two] = [replica(), replica()];
  await one.indexer.pass();
  await one.add(entry('Undo'));
  await two.indexer.pass();
  expect(await freshCount()).toBe(1);
  await one.indexer.stop();
  await two.indexer.pass();
  expect(await freshCount()).toBe(0);
});
