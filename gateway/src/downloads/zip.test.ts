import { fromBuffer, type Entry } from 'yauzl';
import { memberName, zipStream, type ZipMember } from './zip';

async function* text(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

function unzip(bytes: Buffer): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error || !zip) return reject(error);
      const files: Record<string, string> = {};
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, async (failure, stream) => {
          if (failure || !stream) return reject(failure);
          files[entry.fileName] = (await collect(stream as AsyncIterable<Buffer>)).toString();
          zip.readEntry();
        });
      });
      zip.on('end', () => resolve(files));
      zip.readEntry();
    });
  });
}

describe('zipStream', () => {
  it('zipStream contains every member in order', async () => {
    async function* members(): AsyncGenerator<ZipMember> {
      yield { name: 'p/c/cs.po', modifiedMs: 0, chunks: text('a', 'b') };
      yield { name: 'p/c/de.po', modifiedMs: Date.UTC(2026, 0, 1), chunks: text('x'.repeat(500_000)) };
      yield { name: 'empty', modifiedMs: 0, chunks: text() };
    }
    expect(await unzip(await collect(zipStream(members())))).toEqual({
      'p/c/cs.po': 'ab',
      'p/c/de.po': 'x'.repeat(500_000),
      empty: '',
    });
  });

  it('zipStream can create an empty archive', async () => {
    async function* members(): AsyncGenerator<ZipMember> {}
    expect(await unzip(await collect(zipStream(members())))).toEqual({});
  });

  it('zipStream fails if a member fails', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('a');
      throw new Error('the repository is unavailable');
    }
    async function* members(): AsyncGenerator<ZipMember> {
      yield { name: 'a', modifiedMs: 0, chunks: broken() };
    }
    await expect(collect(zipStream(members()))).rejects.toThrow('the repository is unavailable');
  });

  it('zipStream stops its members if the reader stops', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.alloc(65536, Math.random().toString());
      } finally {
        closed = true;
      }
    }
    async function* members(): AsyncGenerator<ZipMember> {
      yield { name: 'a', modifiedMs: 0, chunks: endless() };
    }
    for await (const chunk of zipStream(members())) if (chunk.length > 0) break;
    expect(closed).toBe(true);
  });

  it('zipStream confines members to the folder of the archive', () => {
    expect(memberName('/../a/./..\\b//c')).toBe('a/b/c');
  });
});
