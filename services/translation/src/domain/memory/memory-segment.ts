import { TimeSlice } from '@parlance/workload';
import { ByteReader, ByteWriter } from '../search/bytes';
import { lastAtMost } from '../search/last-at-most';
import { decodePostings, encodePostings } from '../search/postings';
import { gramsOf } from './grams';

/** Maximum number of texts of a segment; positions of postings fit. */
export const MAX_SEGMENT_TEXTS = 131_072;
/** Maximum of stored lengths (16 bits). */
const MAX_LENGTH = 65_535;
/** Size from which a chunk of postings is complete, in bytes. */
const CHUNK_BYTES = 8_192;

/** Approximate memory of a typed array without its elements. */
const TYPED_ARRAY_BYTES = 200;

/** The distinct source texts of a segment, as columns. The texts themselves are in the store of the memory. */
export interface SegmentTexts {
  /** Hashes of the texts. */
  sources: Float64Array;
  /** In UTF-16 code units. */
  lengths: Uint16Array;
  /** Numbers of distinct trigrams. */
  gramCounts: Uint16Array;
  /** Ascending positions of the texts of each owner. */
  byOwner: ReadonlyMap<number, Uint32Array>;
  /** First trigram of each stored chunk of postings. */
  firsts: Uint32Array;
}

/** Texts, and for each trigram the ascending positions of the texts that contain it. */
export interface Segment {
  texts: SegmentTexts;
  postings: ReadonlyMap<number, Uint8Array>;
}

/** A segment as documents. */
export interface EncodedSegment {
  texts: Buffer;
  chunks: Buffer[];
}

/** Memory of the columns, in bytes. */
export function sizeOf({ sources, byOwner, firsts }: SegmentTexts): number {
  let size = sources.length * 12 + firsts.length * 4;
  for (const positions of byOwner.values()) size += positions.byteLength + TYPED_ARRAY_BYTES;
  return size;
}

/** Collects texts for a segment. */
export class SegmentBuilder {
  private readonly positions = new Map<number, number>();
  private readonly lengths: number[] = [];
  private readonly gramCounts: number[] = [];
  private readonly owners: Set<number>[] = [];
  private readonly postings = new Map<number, number[]>();

  get size(): number {
    return this.positions.size;
  }

  /** Adds a text, or further owners of it. */
  add(source: number, text: string, owners: readonly number[]): void {
    const known = this.positions.get(source);
    if (known !== undefined) {
      for (const owner of owners) this.owners[known]!.add(owner);
      return;
    }
    const grams = gramsOf(text);
    const position = this.addText(source, Math.min(text.length, MAX_LENGTH), grams.size, owners);
    for (const gram of grams) this.addPosting(gram, position);
  }

  /**
   * Adds the texts of a segment that are not known yet.
   * @param ownersOf the current owners; undefined: the memory no longer has such a text
   */
  async merge(
    { texts, postings }: Segment,
    ownersOf: (source: number) => readonly number[] | undefined,
  ): Promise<void> {
    const moved = new Int32Array(texts.sources.length).fill(-1);
    texts.sources.forEach((source, at) => {
      const owners = ownersOf(source);
      if (!owners || this.positions.has(source)) return;
      moved[at] = this.addText(source, texts.lengths[at]!, texts.gramCounts[at]!, owners);
    });
    const slice = new TimeSlice();
    for (const [gram, list] of postings) {
      decodePostings(list, (at) => {
        if (moved[at]! >= 0) this.addPosting(gram, moved[at]!);
      });
      if (slice.isOver()) await slice.next();
    }
  }

  private addText(source: number, length: number, gramCount: number, owners: readonly number[]): number {
    const position = this.positions.size;
    this.positions.set(source, position);
    this.lengths.push(length);
    this.gramCounts.push(gramCount);
    this.owners.push(new Set(owners));
    return position;
  }

  private addPosting(gram: number, position: number): void {
    const list = this.postings.get(gram);
    if (list) list.push(position);
    else this.postings.set(gram, [position]);
  }

  async build(): Promise<Segment> {
    const positions = new OwnerPositions();
    this.owners.forEach((owners, at) => owners.forEach((owner) => positions.add(owner, at)));
    const texts: SegmentTexts = {
      sources: Float64Array.from(this.positions.keys()),
      lengths: Uint16Array.from(this.lengths),
      gramCounts: Uint16Array.from(this.gramCounts),
      byOwner: positions.build(),
      firsts: new Uint32Array(),
    };
    const writer = new ByteWriter();
    const postings = new Map<number, Uint8Array>();
    const slice = new TimeSlice();
    for (const [gram, list] of this.postings) {
      encodePostings(list, writer);
      postings.set(gram, writer.take());
      if (slice.isOver()) await slice.next();
    }
    return { texts, postings };
  }
}

export async function encodeSegment({ texts, postings }: Segment): Promise<EncodedSegment> {
  const writer = new ByteWriter();
  const chunks: Buffer[] = [];
  const firsts: number[] = [];
  let last = 0;
  const slice = new TimeSlice();
  for (const [gram, list] of [...postings].sort(([a], [b]) => a - b)) {
    if (writer.length === 0) firsts.push((last = gram));
    writer.integer(gram - last);
    writer.integer(list.length);
    writer.bytes(list);
    last = gram;
    if (writer.length >= CHUNK_BYTES) chunks.push(writer.take());
    if (slice.isOver()) await slice.next();
  }
  if (writer.length > 0) chunks.push(writer.take());
  return { texts: encodeTexts({ ...texts, firsts: Uint32Array.from(firsts) }), chunks };
}

const HEADER_BYTES = 12;

function encodeTexts(texts: SegmentTexts): Buffer {
  const { sources, byOwner, firsts, lengths, gramCounts } = texts;
  const ofTexts = Array.from(sources, (): number[] => []);
  for (const [owner, positions] of byOwner) for (const at of positions) ofTexts[at]!.push(owner);
  const owners = Uint32Array.from(ofTexts.flat());
  // The position of each text's first owner, and the number of all owners.
  const ownerStarts = new Uint32Array(sources.length + 1);
  ofTexts.forEach(({ length }, at) => (ownerStarts[at + 1] = ownerStarts[at]! + length));
  const header = Buffer.alloc(HEADER_BYTES);
  [sources, owners, firsts].forEach(({ length }, i) => header.writeUInt32LE(length, i * 4));
  const columns = [sources, ownerStarts, owners, firsts, lengths, gramCounts];
  return Buffer.concat([
    header,
    ...columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ]);
}

/** @throws RangeError on damaged bytes */
export function decodeTexts(bytes: Buffer): SegmentTexts {
  const [texts, owners, firsts] = [0, 1, 2].map((i) => bytes.readUInt32LE(i * 4)) as [number, number, number];
  // A copy, because typed arrays must be aligned.
  const { buffer } = Uint8Array.from(bytes.subarray(HEADER_BYTES));
  let at = 0;
  const start = (byteLength: number): number => (at += byteLength) - byteLength;
  const sources = new Float64Array(buffer, start(texts * 8), texts);
  const ownerStarts = new Uint32Array(buffer, start((texts + 1) * 4), texts + 1);
  const ownerColumn = new Uint32Array(buffer, start(owners * 4), owners);
  const positions = new OwnerPositions();
  for (let text = 0; text < texts; text++)
    for (let i = ownerStarts[text]!; i < ownerStarts[text + 1]!; i++) positions.add(ownerColumn[i]!, text);
  return {
    // Copies of what is kept: the columns of owners are not.
    sources: sources.slice(),
    byOwner: positions.build(),
    firsts: new Uint32Array(buffer, start(firsts * 4), firsts).slice(),
    lengths: new Uint16Array(buffer, start(texts * 2), texts).slice(),
    gramCounts: new Uint16Array(buffer, start(texts * 2), texts).slice(),
  };
}

/** Collects the positions of the texts of each owner, in ascending order. */
class OwnerPositions {
  private readonly lists = new Map<number, number[]>();

  add(owner: number, at: number): void {
    const list = this.lists.get(owner);
    if (list) list.push(at);
    else this.lists.set(owner, [at]);
  }

  build(): Map<number, Uint32Array> {
    return new Map(Array.from(this.lists, ([owner, list]) => [owner, Uint32Array.from(list)]));
  }
}

/** Trigrams of a chunk with their postings. @throws RangeError on damaged bytes */
export function* postingsIn(first: number, chunk: Uint8Array): Generator<[number, Uint8Array]> {
  const { grams, starts, lengths } = directoryOf(first, chunk);
  for (const [i, gram] of grams.entries()) yield [gram, chunk.subarray(starts[i], starts[i]! + lengths[i]!)];
}

/** The trigrams of a chunk, ascending, and for each one the position and the length of its postings, in bytes. */
export interface ChunkDirectory {
  grams: Uint32Array;
  starts: Uint32Array;
  lengths: Uint32Array;
}

/** @param first its first trigram @throws RangeError on damaged bytes */
export function directoryOf(first: number, chunk: Uint8Array): ChunkDirectory {
  const [grams, starts, lengths]: [number[], number[], number[]] = [[], [], []];
  let gram = first;
  for (const reader = new ByteReader(chunk); !reader.atEnd;) {
    grams.push((gram += reader.integer()));
    lengths.push(reader.integer());
    starts.push(reader.at);
    reader.skip(lengths.at(-1)!);
  }
  return { grams: Uint32Array.from(grams), starts: Uint32Array.from(starts), lengths: Uint32Array.from(lengths) };
}

/** Memory of a directory, in bytes. */
export const directorySize = ({ grams }: ChunkDirectory): number => 3 * (TYPED_ARRAY_BYTES + grams.byteLength);

/** Where the postings of a trigram are in its chunk; undefined: the chunk has none. */
export function placeOf(
  { grams, starts, lengths }: ChunkDirectory,
  gram: number,
): { start: number; end: number } | undefined {
  const at = lastAtMost(grams, gram);
  return grams[at] === gram ? { start: starts[at]!, end: starts[at]! + lengths[at]! } : undefined;
}

/** The chunk that contains a trigram, if any does; -1: none. */
export const chunkOf = lastAtMost;
