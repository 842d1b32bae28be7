/** Trigrams of a text that are indexed; of a long text, only the beginning. */
const MAX_GRAMS = 256;
/** Bits of a trigram's hash. The exact comparison later excludes texts found by a collision. */
const GRAM_BITS = 17;

/** Hashes of the distinct trigrams of a text, ignoring case and repeated white space. */
export function gramsOf(text: string): Set<number> {
  const padded = `  ${text.toLowerCase().replace(/\s+/g, ' ').trim()} `;
  const grams = new Set<number>();
  for (let at = 0; at + 3 <= padded.length && grams.size < MAX_GRAMS; at++) {
    const mixed =
      Math.imul(padded.charCodeAt(at), 0x9e3779b1) ^
      Math.imul(padded.charCodeAt(at + 1), 0x85ebca6b) ^
      Math.imul(padded.charCodeAt(at + 2), 0xc2b2ae35);
    grams.add(Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> (32 - GRAM_BITS));
  }
  return grams;
}
