import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Copy, type Candidate } from './copy';
import { BackupFiles } from './files';
import { FORMAT, newKey, readManifest, writeManifest, type Manifest } from './manifest';
import { StoredBackup } from './read';
import { batchesOf, decodeObject, encodeObject, idOf, recordsOf } from './records';
import { BackupError, FolderTarget } from './target';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A BSON document {_id: id, text}. */
function documentOf(id: number, text: string): Buffer {
  const value = Buffer.from(`${text}\0`);
  const bytes = Buffer.alloc(4 + 9 + 10 + value.length + 1);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.write('\x10_id\0', 4, 'latin1');
  bytes.writeInt32LE(id, 9);
  bytes.write('\x02text\0', 13, 'latin1');
  bytes.writeInt32LE(value.length, 19);
  value.copy(bytes, 23);
  return bytes;
}

async function* stream<T>(...items: T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

async function* candidates(documents: Iterable<Buffer>): AsyncGenerator<Candidate> {
  for (const document of documents)
    yield await Promise.resolve({ id: idOf(document), content: document, record: () => document });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Stores passes over one collection as a backup. */
async function store(passes: readonly Buffer[][], passphrase?: string): Promise<Copy> {
  const { master, encryption } = passphrase === undefined ? { master: null, encryption: null } : newKey(passphrase);
  const copy = new Copy(new BackupFiles(new FolderTarget(folder), master), 'catalog/projects');
  for (const documents of passes) await copy.pass(candidates(documents));
  const manifest: Manifest = {
    product: 'parlance',
    format: FORMAT,
    version: '1.2.3',
    id: 'b1',
    started: '2026-01-01T00:00:00.000Z',
    finished: '2026-01-01T00:00:01.000Z',
    read_only: { from: '', until: '', milliseconds: 1 },
    event_sequence: 7,
    encryption,
    services: { catalog: { key_fingerprint: '', collections: { projects: await copy.finish() }, objects: null } },
  };
  await writeManifest(new FolderTarget(folder), manifest, master);
  return copy;
}

async function load(passphrase?: string): Promise<Buffer[]> {
  const backup = await StoredBackup.open(new FolderTarget(folder), passphrase);
  return collect(backup.records(backup.manifest.services['catalog']!.collections['projects']!));
}

/** Comparing digests is faster than comparing bytes one by one. */
const digests = (documents: readonly Buffer[]) =>
  documents.map((document) => createHash('sha256').update(document).digest('hex'));
const byId = (documents: readonly Buffer[]) => [...documents].sort((a, b) => a.readInt32LE(9) - b.readInt32LE(9));
const many = (from: number, to: number, text = 'text') =>
  Array.from({ length: to - from }, (_, i) => documentOf(from + i, `${text} ${from + i}`));

/** Flips a bit in the middle of a file. */
function damage(name: string): void {
  const bytes = readFileSync(join(folder, name));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(folder, name), bytes);
}

const DATA = 'catalog/projects.1';

describe('passes over a collection', () => {
  it('the last pass decides: changed, new and deleted documents', async () => {
    const first = many(0, 5_000);
    const second = [...many(0, 10), documentOf(10, 'changed'), ...many(20, 5_000), ...many(6_000, 6_005)];
    const copy = await store([first, second]);
    expect(copy.complete).toBe(true);
    expect(digests(byId(await load()))).toEqual(digests(byId(second)));
  });

  it('a document that returns with its old content is stored again', async () => {
    const all = many(0, 3);
    await store([all, all.slice(1), all]);
    expect(byId(await load())).toEqual(all);
  });

  it('a document that a pass sees twice, because it moved during the pass, is loaded once', async () => {
    const copy = await store([[documentOf(1, 'old'), documentOf(2, 'b'), documentOf(1, 'new')]]);
    expect(copy.complete).toBe(false);
    expect(byId(await load())).toEqual([documentOf(1, 'new'), documentOf(2, 'b')]);
  });

  it('an object that was deleted before it could be read is not stored', async () => {
    const copy = new Copy(new BackupFiles(new FolderTarget(folder), null), 'media/~objects');
    const deleted = { id: Buffer.from('a'), content: Buffer.from('1'), record: () => Promise.resolve(undefined) };
    await copy.pass(stream<Candidate>(deleted, { ...deleted, id: Buffer.from('b'), record: () => documentOf(1, 'b') }));
    expect(copy.documents).toBe(1);
    expect((await copy.finish()).files).toMatchObject([{ records: 1 }]);
  });

  it('an empty collection has no file', async () => {
    await store([[], []]);
    expect(await load()).toEqual([]);
  });
});

describe.each([
  ['without a passphrase', undefined],
  ['with a passphrase', 'correct horse'],
])('a backup %s', (_name, passphrase) => {
  it('a backup is read as it was written', async () => {
    const documents = [...many(0, 2_000), documentOf(9_999, 'x'.repeat(3_000_000))];
    await store([documents], passphrase);
    expect(digests(await load(passphrase))).toEqual(digests(documents));
    expect(await (await StoredBackup.open(new FolderTarget(folder), passphrase)).verify()).toMatchObject({
      records: 2_001,
    });
  });

  it.each<[string, () => void]>([
    ['flipped bit', () => damage(DATA)],
    ['file that was cut off', () => truncateSync(join(folder, DATA), 1_000)],
    ['file without content', () => truncateSync(join(folder, DATA), 0)],
    ['longer file', () => appendFileSync(join(folder, DATA), 'x')],
    ['missing file', () => unlinkSync(join(folder, DATA))],
    ['damaged list of dropped documents', () => damage('catalog/projects.dropped')],
    ['missing second pass', () => unlinkSync(join(folder, 'catalog/projects.2'))],
  ])('a %s is found', async (_damage, act) => {
    await store([many(0, 5_000), many(1_000, 6_000)], passphrase);
    const backup = await StoredBackup.open(new FolderTarget(folder), passphrase);
    act();
    await expect(backup.verify()).rejects.toThrow(BackupError);
  });

  it('a damaged, incomplete or missing manifest is refused', async () => {
    await store([many(0, 10)], passphrase);
    const whole = readFileSync(join(folder, 'manifest.json'), 'utf8');
    const open = () => StoredBackup.open(new FolderTarget(folder), passphrase);
    for (const text of [whole.replace('1.2.3', '1.2.4'), whole.slice(0, -10), whole.slice(0, 100), '']) {
      writeFileSync(join(folder, 'manifest.json'), text);
      await expect(open()).rejects.toThrow(BackupError);
    }
    unlinkSync(join(folder, 'manifest.json'));
    await expect(open()).rejects.toThrow('it is not a backup, or not a complete one');
    await expect(StoredBackup.open(new FolderTarget(join(folder, 'missing')), passphrase)).rejects.toThrow(
      'it is not a backup',
    );
  });

  it('another version of the format is refused', async () => {
    await store([[]], passphrase);
    const whole = readFileSync(join(folder, 'manifest.json'), 'utf8');
    writeFileSync(join(folder, 'manifest.json'), whole.replace('"format": 1', '"format": 2'));
    await expect(StoredBackup.open(new FolderTarget(folder), passphrase)).rejects.toThrow('format 2');
  });
});

describe('encryption', () => {
  it('an encrypted backup needs the same passphrase', async () => {
    await store([many(0, 10)], 'right');
    await expect(readManifest(new FolderTarget(folder), 'wrong')).rejects.toThrow('The passphrase is wrong');
    await expect(readManifest(new FolderTarget(folder), undefined)).rejects.toThrow('give --passphrase-file');
  });

  it('encryption hides the content and binds files to their names', async () => {
    await store([many(0, 1_000, 'secret'), many(0, 1_000, 'public')], 'right');
    const [first, second] = [DATA, 'catalog/projects.2'].map((name) => readFileSync(join(folder, name)));
    expect(first!.includes('secret')).toBe(false);
    const { manifest, master } = await readManifest(new FolderTarget(folder), 'right');
    const [file] = manifest.services['catalog']!.collections['projects']!.files;
    writeFileSync(join(folder, DATA), second!);
    await expect(collect(new BackupFiles(new FolderTarget(folder), master).read(file!))).rejects.toThrow('damaged');
  });
});

describe('records', () => {
  it('records are found in chunks of any size', async () => {
    const records = [...many(0, 50), documentOf(99, 'y'.repeat(5_000))];
    const bytes = Buffer.concat(records);
    for (const size of [1, 3, 7, 100, 4_096, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      expect(digests(await collect(recordsOf(stream(...chunks))))).toEqual(digests(records));
    }
  });

  it('damaged and truncated records are rejected', async () => {
    await expect(collect(recordsOf(stream(Buffer.alloc(8))))).rejects.toThrow('damaged');
    await expect(collect(recordsOf(stream(documentOf(1, 'x').subarray(0, 12))))).rejects.toThrow('within a record');
    expect(() => idOf(Buffer.from('\x10\0\0\0\x10xid\0\x01\0\0\0\0\0', 'latin1'))).toThrow('its id');
  });

  it('records are joined into batches of bounded size', async () => {
    const records = many(0, 40_000);
    const batches = await collect(batchesOf(stream(...records)));
    expect(Buffer.concat(batches).equals(Buffer.concat(records))).toBe(true);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(600_000);
  });

  it('records hold objects with their key and type', async () => {
    const object = { key: 'a/b.png', contentType: 'image/png', bytes: randomBytes(1_000) };
    const [record] = await collect(recordsOf(stream(encodeObject(object))));
    expect(decodeObject(record!)).toEqual(object);
  });
});
