import { IRREGULAR, LONG, type TokenTest } from './tokens';
import { ByteReader } from './bytes';
import { lastAtMost } from './last-at-most';
import { decodePostings } from './postings';
import { Segments } from './segments';
import type { UnitSet } from './unit-set';

/** A part of a block's sorted dictionary. */
export interface StoredPart {
  /** Tokens, each between two line feeds. */
  words: Buffer;
  /** Ranks of the first tokens of its chunks of postings. */
  starts: readonly number[];
}

/** Tokens by rank. */
export const tokensOf = ({ words }: Pick<StoredPart, 'words'>): string[] =>
  words.length < 3 ? [] : words.toString('utf8', 1, words.length - 1).split('\n');

const LINE_FEED = 10;
const IRREGULAR_BYTE = IRREGULAR.charCodeAt(0);

/** Tokens that a test selects, by rank. */
export interface Hits {
  regular: Set<number>;
  irregular: Set<number>;
}

/** Tokens, for instance of a part of a dictionary, prepared for tests. */
export class DictionaryPart {
  /** Positions of the first byte of each token. */
  private readonly positions: Uint32Array;
  private readonly segments: Segments;
  /** Whether a token is a bigram of a very long word. */
  readonly hasLongWords: boolean;

  constructor(private readonly part: StoredPart) {
    const { words } = part;
    let count = 0;
    for (const byte of words) if (byte === LINE_FEED) count++;
    this.positions = new Uint32Array(Math.max(0, count - 1));
    for (let at = 0, rank = 0; rank < this.positions.length; rank++) {
      at = words.indexOf(LINE_FEED, at) + 1;
      this.positions[rank] = at;
    }
    this.segments = new Segments(words, this.positions);
    this.hasLongWords = words.includes(`\n${LONG}`) || words.includes(`\n${IRREGULAR}${LONG}`);
  }

  get size(): number {
    return this.part.words.length + this.positions.byteLength + this.segments.size;
  }

  /** Chunk and position within the chunk of a token. */
  locate(rank: number): { chunk: number; position: number } {
    const chunk = lastAtMost(this.part.starts, rank);
    return { chunk, position: rank - this.part.starts[chunk]! };
  }

  /** Tokens that a test selects, ignoring its alternative. */
  select({ at, text }: Pick<TokenTest, 'at' | 'text'>): Hits {
    const hits: Hits = { regular: new Set(), irregular: new Set() };
    if (text === null) return hits;
    const end = at === 'end' || at === 'whole' ? '\n' : '';
    if (at === 'anywhere' || at === 'end') this.find(text + end, 0, hits);
    else for (const prefix of ['\n', `\n${IRREGULAR}`]) this.find(prefix + text + end, 1, hits);
    return hits;
  }

  /** @param shift offset of the match's position within its token */
  private find(needle: string, shift: number, { regular, irregular }: Hits): void {
    const { words } = this.part;
    const bytes = Buffer.from(needle);
    for (const [start, end] of this.segments.candidates(bytes)) {
      const segment = words.subarray(start, end);
      for (let at = segment.indexOf(bytes); at >= 0; at = segment.indexOf(bytes, at + 1)) {
        const rank = lastAtMost(this.positions, start + at + shift);
        (words[this.positions[rank]!] === IRREGULAR_BYTE ? irregular : regular).add(rank);
      }
    }
  }
}

/** Adds the units of some tokens of a chunk to a set. @param positions within the chunk, ascending */
export function addPostings(chunk: Uint8Array, positions: readonly number[], set: UnitSet): void {
  const reader = new ByteReader(chunk);
  let next = 0;
  for (const position of positions) {
    for (; next < position; next++) reader.skip(reader.integer());
    decodePostings(reader.bytes(reader.integer()), (offset) => set.add(offset));
    next++;
  }
}

/** Postings of all tokens of a chunk, in order. */
export function* postingsOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (const reader = new ByteReader(chunk); !reader.atEnd;) yield reader.bytes(reader.integer());
}
