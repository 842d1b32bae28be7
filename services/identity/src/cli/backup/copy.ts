import { DocumentIndex } from './document-index';
import type { BackupFiles, StoredFile } from './files';
import type { StoredContent } from './manifest';

/** A record to store, or to recognize as stored. */
export interface Candidate {
  id: Buffer;
  /** Changes when the record does. */
  content: Buffer;
  /** The record; undefined: it was deleted meanwhile. */
  record: () => Promise<Buffer | undefined> | Buffer;
}

/** A collection, or the objects of a service, copied in passes: the first pass stores everything, later passes only changes. */
export class Copy {
  private readonly index = new DocumentIndex();
  private readonly files: StoredFile[] = [];
  private passes = 0;

  /** @param name path of the files within the backup */
  constructor(
    private readonly target: BackupFiles,
    readonly name: string,
  ) {}

  /** Number of stored records that are not dropped. */
  get documents(): number {
    return this.index.live;
  }

  /** Stores new and changed records, and drops those that the source does not have any more. */
  async pass(source: AsyncIterable<Candidate>): Promise<void> {
    this.passes++;
    const before = this.index.stored;
    this.index.beginPass();
    const reader = this.changed(source);
    const first = await reader.next();
    if (!first.done) {
      async function* all() {
        yield first.value as Buffer;
        yield* reader;
      }
      const file = await this.target.write(`${this.name}.${this.passes}`, all());
      this.files.push({ ...file, records: this.index.stored - before });
    }
    this.index.endPass();
  }

  private async *changed(source: AsyncIterable<Candidate>): AsyncGenerator<Buffer> {
    for await (const { id, content, record } of source) {
      if (this.index.knows(id, content)) continue;
      const bytes = await record();
      if (!bytes) continue;
      this.index.note(id, content);
      yield bytes;
    }
  }

  /** Whether the last pass saw every stored record once: true if no document was written during the pass. */
  get complete(): boolean {
    return this.index.seenInPass === this.index.live;
  }

  /** Writes the numbers of dropped records. @returns the entry of the manifest */
  async finish(): Promise<StoredContent> {
    const { dropped } = this.index;
    let file: StoredFile | null = null;
    if (dropped.length > 0) {
      const numbers = Buffer.alloc(dropped.length * 4);
      dropped.sort((a, b) => a - b).forEach((number, i) => numbers.writeUInt32LE(number, i * 4));
      async function* content() {
        yield await Promise.resolve(numbers);
      }
      file = { ...(await this.target.write(`${this.name}.dropped`, content())), records: dropped.length };
    }
    return { documents: this.documents, files: this.files, dropped: file };
  }
}
