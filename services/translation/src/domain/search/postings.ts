import { ByteReader, ByteWriter } from './bytes';

/** Units with consecutive ids that share an index document: 2^18. */
export const BLOCK_BITS = 18;
export const BLOCK_SIZE = 1 << BLOCK_BITS;
const WORDS = BLOCK_SIZE / 32;
const NO_WORDS = new Uint32Array(0);

export const blockOf = (unit: number): number => Math.floor(unit / BLOCK_SIZE);
export const offsetOf = (unit: number): number => unit % BLOCK_SIZE;

/**
 * A set of the units of a block: one bit for each offset. It grows with the largest offset that is added, because blocks of small
 * installations are mostly empty.
 */
export class UnitSet {
  constructor(private bits: Uint32Array = NO_WORDS) {}

  private reserve(words: number): void {
    if (words <= this.bits.length) return;
    const larger = new Uint32Array(Math.min(WORDS, Math.max(words, this.bits.length * 2)));
    larger.set(this.bits);
    this.bits = larger;
  }

  /** @param offset below `BLOCK_SIZE` */
  add(offset: number): void {
    const word = offset >>> 5;
    if (word >= this.bits.length) this.reserve(word + 1);
    this.bits[word]! |= 1 << (offset & 31);
  }

  addRange(start: number, length: number): void {
    let at = start;
    const end = start + length;
    this.reserve((end + 31) >>> 5);
    for (; at < end && (at & 31) !== 0; at++) this.add(at);
    for (; at + 32 <= end; at += 32) this.bits[at >>> 5] = 0xffffffff;
    for (; at < end; at++) this.add(at);
  }

  delete(offset: number): void {
    const word = offset >>> 5;
    if (word < this.bits.length) this.bits[word]! &= ~(1 << (offset & 31));
  }

  has(offset: number): boolean {
    const word = offset >>> 5;
    return word < this.bits.length && (this.bits[word]! & (1 << (offset & 31))) !== 0;
  }

  clone(): UnitSet {
    return new UnitSet(this.bits.slice());
  }

  union(other: UnitSet): this {
    this.reserve(other.bits.length);
    for (let at = 0; at < other.bits.length; at++) this.bits[at]! |= other.bits[at]!;
    return this;
  }

  intersect(other: UnitSet): this {
    if (this.bits.length > other.bits.length) this.bits = this.bits.slice(0, other.bits.length);
    for (let at = 0; at < this.bits.length; at++) this.bits[at]! &= other.bits[at]!;
    return this;
  }

  subtract(other: UnitSet): this {
    const common = Math.min(this.bits.length, other.bits.length);
    for (let at = 0; at < common; at++) this.bits[at]! &= ~other.bits[at]!;
    return this;
  }

  get isEmpty(): boolean {
    // A callback for each word takes several times as long.
    for (const word of this.bits) if (word !== 0) return false;
    return true;
  }

  get bytes(): number {
    return this.bits.byteLength;
  }

  get size(): number {
    let size = 0;
    for (const word of this.bits) size += ones(word);
    return size;
  }

  /** Offsets in ascending order. @param skip offsets to omit @param limit maximum number of offsets */
  offsets(skip = 0, limit = Infinity): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.bits.length && found.length < limit; word++) {
      let left = this.bits[word]!;
      if (left === 0) continue;
      const count = ones(left);
      if (count <= skip) {
        skip -= count;
        continue;
      }
      for (; left !== 0 && found.length < limit; left &= left - 1) {
        if (skip > 0) skip--;
        else found.push(word * 32 + (31 - Math.clz32(left & -left)));
      }
    }
    return found;
  }
}

function ones(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Postings of a word: differences of ascending offsets. */
export function encodePostings(offsets: readonly number[], writer: ByteWriter): void {
  let last = -1;
  for (const offset of offsets) {
    writer.integer(offset - last - 1);
    last = offset;
  }
}

/** Calls `visit` with each offset. */
export function decodePostings(postings: Uint8Array, visit: (offset: number) => void): void {
  let last = -1;
  let value = 0;
  let factor = 1;
  for (const byte of postings) {
    value += (byte & 0x7f) * factor;
    if (byte >= 0x80) factor *= 0x80;
    else {
      last += value + 1;
      if (last >= BLOCK_SIZE) throw new RangeError('index: invalid posting');
      visit(last);
      value = 0;
      factor = 1;
    }
  }
}

/** A run of consecutive units of one translation. */
export interface Run {
  start: number;
  length: number;
  translation: number;
}

export function encodeRuns(runs: readonly Run[]): Buffer {
  const writer = new ByteWriter();
  let end = 0;
  for (const { start, length, translation } of runs) {
    writer.integer(start - end);
    writer.integer(length);
    writer.integer(translation);
    end = start + length;
  }
  return writer.take();
}

export function decodeRuns(bytes: Uint8Array): Run[] {
  const reader = new ByteReader(bytes);
  const runs: Run[] = [];
  for (let end = 0; !reader.atEnd;) {
    const start = end + reader.integer();
    const length = reader.integer();
    runs.push({ start, length, translation: reader.integer() });
    end = start + length;
  }
  return runs;
}

/** A unit that was written after the postings of its block. */
export interface Amendment {
  offset: number;
  tokens: readonly string[];
}

export function encodeAmendments(amendments: readonly Amendment[]): Buffer {
  const writer = new ByteWriter();
  for (const { offset, tokens } of amendments) {
    const text = Buffer.from(tokens.join('\n'));
    writer.integer(offset);
    writer.integer(text.length);
    writer.bytes(text);
  }
  return writer.take();
}

export function decodeAmendments(bytes: Uint8Array): Amendment[] {
  const reader = new ByteReader(bytes);
  const amendments: Amendment[] = [];
  while (!reader.atEnd) {
    const offset = reader.integer();
    const text = Buffer.from(reader.bytes(reader.integer())).toString();
    amendments.push({ offset, tokens: text === '' ? [] : text.split('\n') });
  }
  return amendments;
}
