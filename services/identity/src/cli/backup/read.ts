import { BackupFiles } from './files';
import { readManifest, type Manifest, type StoredContent } from './manifest';
import { recordsOf } from './records';
import { BackupError, type BackupTarget } from './target';

/** A complete backup. */
export class StoredBackup {
  private constructor(
    readonly manifest: Manifest,
    private readonly files: BackupFiles,
  ) {}

  /** @throws BackupError if it is missing, incomplete, of another format, or encrypted with another passphrase */
  static async open(target: BackupTarget, passphrase: string | undefined): Promise<StoredBackup> {
    const { manifest, master } = await readManifest(target, passphrase);
    return new StoredBackup(manifest, new BackupFiles(target, master));
  }

  /** The records of a collection or the objects of a service. @throws BackupError if a file is missing or damaged */
  async *records({ files, dropped, documents }: StoredContent): AsyncGenerator<Buffer> {
    const skipped = new Set<number>();
    if (dropped) for await (const number of numbersOf(this.files.read(dropped))) skipped.add(number);
    let number = 0;
    let read = 0;
    for (const file of files)
      for await (const record of recordsOf(this.files.read(file))) {
        if (skipped.has(number++)) continue;
        read++;
        yield record;
      }
    if (read !== documents)
      throw new BackupError(`${files[0]?.name ?? 'a collection'}: ${read} records of ${documents} were found.`);
  }

  /** Reads everything. @throws BackupError @returns the number of records and bytes */
  async verify(): Promise<{ records: number; bytes: number }> {
    let records = 0;
    let bytes = 0;
    for (const { collections, objects } of Object.values(this.manifest.services)) {
      for (const content of [...Object.values(collections), ...(objects ? [objects] : [])]) {
        for await (const _record of this.records(content)) records++;
        for (const { size } of [...content.files, ...(content.dropped ? [content.dropped] : [])]) bytes += size;
      }
    }
    return { records, bytes };
  }
}

async function* numbersOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<number> {
  let waiting = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk]);
    const whole = waiting.length - (waiting.length % 4);
    for (let at = 0; at < whole; at += 4) yield waiting.readUInt32LE(at);
    waiting = waiting.subarray(whole);
  }
}
