import { createHash } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { decrypt, derivedKey, encrypt } from './encryption';
import { BackupError, type BackupTarget } from './target';

/** Level of gzip: higher ones take several times as long for a few percent. */
const LEVEL = 3;

/** A file of a backup, as the manifest records it. */
export interface StoredFile {
  /** Path within the backup. */
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Number of records. */
  records: number;
}

/** The files of a backup: compressed, and encrypted if there is a key. */
export class BackupFiles {
  constructor(
    private readonly target: Pick<BackupTarget, 'write' | 'read'>,
    private readonly master: Buffer | null,
  ) {}

  private keyOf(name: string): Buffer | null {
    return this.master && derivedKey(this.master, `file ${name}`);
  }

  /** Stores a new file. */
  async write(name: string, content: AsyncIterable<Buffer>): Promise<Pick<StoredFile, 'name' | 'size' | 'sha256'>> {
    const key = this.keyOf(name);
    const packed = piped(content, createGzip({ level: LEVEL }));
    const digest = createHash('sha256');
    let size = 0;
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const bytes of key ? encrypt(packed, key) : packed) {
        digest.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    }
    await this.target.write(name, counted());
    return { name, size, sha256: digest.digest('hex') };
  }

  /**
   * Reads a file and checks its size and hash.
   * @throws BackupError, at the latest after the last bytes
   */
  async *read(file: StoredFile): AsyncGenerator<Buffer> {
    const digest = createHash('sha256');
    let size = 0;
    async function* counted(stored: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const bytes of stored) {
        digest.update(bytes);
        size += bytes.length;
        yield bytes;
      }
    }
    const key = this.keyOf(file.name);
    try {
      const stored = counted(this.target.read(file.name));
      yield* piped(key ? decrypt(stored, key) : stored, createGunzip());
    } catch (error) {
      throw new BackupError(`${file.name}: ${reasonOf(error)}`, { cause: error });
    }
    if (size !== file.size || digest.digest('hex') !== file.sha256)
      throw new BackupError(`${file.name}: the content is not what the manifest records.`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof BackupError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code?.startsWith('Z_') ? 'the file is damaged.' : `${message}.`;
}

/** Sends a stream through a transformation; an error of either ends both. */
async function* piped(source: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  const input = Readable.from(source, { objectMode: false });
  input.on('error', (error) => transform.destroy(error));
  try {
    for await (const bytes of input.pipe(transform)) yield bytes as Buffer;
  } finally {
    input.destroy();
  }
}
