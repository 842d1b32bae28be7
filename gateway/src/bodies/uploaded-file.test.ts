import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiveFile, SPOOL_BYTES } from './uploaded-file';

const part = { name: 'file', filename: 'x.po', type: 'text/plain' };
// A directory of its own: gateways of other tests spool uploads as well.
const former = process.env['TMPDIR'];
const folder = mkdtempSync(join(tmpdir(), 'parlance-spool-'));
beforeAll(() => {
  process.env['TMPDIR'] = folder;
});
afterAll(() => {
  if (former === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = former;
  rmSync(folder, { recursive: true });
});
const temporary = () => readdirSync(folder);

async function* pieces(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += 100_000) yield Buffer.alloc(Math.min(100_000, size - at), at / 100_000);
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const list: Buffer[] = [];
  for await (const chunk of chunks) list.push(chunk);
  return Buffer.concat(list);
}

describe('a file of a form', () => {
  it.each([0, 10, SPOOL_BYTES, SPOOL_BYTES + 1, 5 * SPOOL_BYTES])(
    'an uploaded file of %d bytes is returned unchanged each time it is read',
    async (size) => {
      const releases: (() => void)[] = [];
      let inMemory = size;
      let onDisk = 0;
      const file = await receiveFile(part, pieces(size), {
        memory: { shrink: (bytes) => (inMemory -= bytes) },
        disk: { grow: (bytes) => (onDisk += bytes) },
        atEnd: (release) => releases.push(release),
      });
      const wanted = await all(pieces(size));
      expect(file.size).toBe(size);
      expect([inMemory, onDisk]).toEqual(size > SPOOL_BYTES ? [0, size] : [size, 0]);
      expect((await all(file.chunks())).equals(wanted)).toBe(true);
      expect((await all(file.chunks())).equals(wanted)).toBe(true);
      // Large files are on disk and unlinked while open, so that no file is left behind.
      expect(releases).toHaveLength(size > SPOOL_BYTES ? 1 : 0);
      expect(temporary()).toEqual([]);
      for (const release of releases) release();
    },
  );

  it('an aborted upload closes its file', async () => {
    const releases: (() => void)[] = [];
    let onDisk = 0;
    const grow = (bytes: number) => {
      onDisk += bytes;
      if (onDisk > 2 * SPOOL_BYTES) throw new Error('too much');
    };
    const leases = { memory: { shrink: () => undefined }, disk: { grow }, atEnd: (r: () => void) => releases.push(r) };
    await expect(receiveFile(part, pieces(9 * SPOOL_BYTES), leases)).rejects.toThrow('too much');
    expect(releases).toHaveLength(1);
    for (const release of releases) release();
    expect(temporary()).toEqual([]);
  });
});
