import { ByteWriter } from './bytes';
import { encodePostings } from './postings';

/** Size from which a chunk of postings or a part of a dictionary is complete, in bytes. */
const CHUNK_BYTES = 8_192;
const PART_BYTES = 262_144;

/** Writes dictionaries and postings of a block. Tokens come in ascending order. */
export class BlockWriter {
  private readonly postings = new ByteWriter();
  private readonly single = new ByteWriter();
  private words: string[] = [];
  private wordBytes = 0;
  private starts: number[] = [];
  private chunkBegins = true;
  parts = 0;

  /** @param write receives documents of one part; its key is the part, or the part and a chunk */
  constructor(private readonly write: (key: string, data: Buffer, starts?: number[]) => Promise<void>) {}

  async addOffsets(token: string, offsets: readonly number[]): Promise<void> {
    encodePostings(offsets, this.single);
    await this.add(token, this.single.take());
  }

  async add(token: string, postings: Uint8Array): Promise<void> {
    if (postings.length === 0) return;
    if (this.chunkBegins) {
      this.starts.push(this.words.length);
      this.chunkBegins = false;
    }
    this.words.push(token);
    this.wordBytes += token.length + 1;
    this.postings.integer(postings.length);
    this.postings.bytes(postings);
    if (this.postings.length >= CHUNK_BYTES) await this.endChunk();
    if (this.wordBytes >= PART_BYTES) await this.endPart();
  }

  private async endChunk(): Promise<void> {
    if (this.chunkBegins) return;
    this.chunkBegins = true;
    await this.write(`${this.parts}.${this.starts.length - 1}`, this.postings.take());
  }

  private async endPart(): Promise<void> {
    await this.endChunk();
    if (this.words.length === 0) return;
    await this.write(String(this.parts), Buffer.from(`\n${this.words.join('\n')}\n`), this.starts);
    this.parts++;
    this.words = [];
    this.wordBytes = 0;
    this.starts = [];
  }

  async end(): Promise<void> {
    await this.endPart();
  }
}
