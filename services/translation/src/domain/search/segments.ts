/** Size of a segment, in bytes. */
const SEGMENT_BYTES = 8_192;
/** Log2 of the bits in a signature. The words of one language fill a quarter of them. */
const SIGNATURE_BITS = 12;
const SIGNATURE_WORDS = (1 << SIGNATURE_BITS) / 32;
/** Consecutive bytes that a bit stands for. */
const GRAM = 3;
const GRAM_MASK = 2 ** (8 * GRAM) - 1;

/** Calls `visit` with the bit of all consecutive bytes from `start` to `end`, exclusive. */
function visitBits(bytes: Buffer, start: number, end: number, visit: (bit: number) => void): void {
  let gram = 0;
  for (let at = start; at < end; at++) {
    gram = ((gram << 8) | bytes[at]!) & GRAM_MASK;
    if (at - start >= GRAM - 1) visit(Math.imul(gram, 0x9e3779b1) >>> (32 - SIGNATURE_BITS));
  }
}

/**
 * Segments of a dictionary, with the signatures by which a search skips those that cannot contain its text: a bit for each three
 * consecutive bytes, as in a Bloom filter with one hash function.
 */
export class Segments {
  /** Position of the line feed before the first token of each segment, then the end of the dictionary. */
  private readonly bounds: number[] = [];
  private readonly signatures: Uint32Array;

  /**
   * @param words tokens, each between two line feeds
   * @param positions of the first byte of each token
   */
  constructor(
    private readonly words: Buffer,
    positions: Uint32Array,
  ) {
    let next = 0;
    for (const position of positions) {
      if (position <= next) continue;
      this.bounds.push(position - 1);
      next = position + SEGMENT_BYTES;
    }
    this.bounds.push(words.length - 1);
    this.signatures = new Uint32Array((this.bounds.length - 1) * SIGNATURE_WORDS);
    for (let segment = 0; segment < this.bounds.length - 1; segment++) this.sign(segment);
  }

  private sign(segment: number): void {
    const start = segment * SIGNATURE_WORDS;
    visitBits(this.words, this.bounds[segment]!, this.bounds[segment + 1]! + 1, (bit) => {
      this.signatures[start + (bit >>> 5)]! |= 1 << (bit & 31);
    });
  }

  /** In bytes, without the dictionary. */
  get size(): number {
    return this.signatures.byteLength + this.bounds.length * 8;
  }

  /**
   * Parts of the dictionary that contain every occurrence of a text.
   * @param text a line feed only at its ends
   * @returns positions of the first byte and after the last one; no occurrence is in two parts
   */
  *candidates(text: Buffer): Generator<readonly [start: number, end: number]> {
    const bits: number[] = [];
    visitBits(text, 0, text.length, (bit) => bits.push(bit));
    for (let segment = 0; segment < this.bounds.length - 1; segment++)
      if (this.mayContain(segment, bits)) yield [this.bounds[segment]!, this.bounds[segment + 1]! + 1];
  }

  private mayContain(segment: number, bits: readonly number[]): boolean {
    const start = segment * SIGNATURE_WORDS;
    for (const bit of bits) if ((this.signatures[start + (bit >>> 5)]! & (1 << (bit & 31))) === 0) return false;
    return true;
  }
}
