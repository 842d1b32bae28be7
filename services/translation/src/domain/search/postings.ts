import { ByteReader, ByteWriter } from './bytes';

/** Units with consecutive ids that share an index document: 2^18. */
export const BLOCK_BITS = 18;
export const BLOCK_SIZE = 1 << BLOCK_BITS;

export const blockOf = (unit: number): number => Math.floor(unit / BLOCK_SIZE);
export const offsetOf = (unit: number): number => unit % BLOCK_SIZE;

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
    end = start + length;
    if (end > BLOCK_SIZE) throw new RangeError('index: invalid run');
    runs.push({ start, length, translation: reader.integer() });
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
