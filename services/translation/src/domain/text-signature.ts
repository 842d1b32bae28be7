import type { Required } from '@parlance/search';
import type { Unit } from './unit';

/** 32-bit words of a signature. Texts of 60 characters set a fifth of the bits. */
const WORDS = 16;
const BITS = WORDS * 32;

/** Case folding at least as coarse as that of case-insensitive searches. */
function folded(text: string): string {
  // Lower case first: only then do all forms of a letter have the same upper case.
  return text.toLowerCase().toUpperCase();
}

/** Sets a bit for each trigram. */
function setBits(text: string, bits: Uint32Array, offset: number): void {
  const string = folded(text);
  for (let at = 0; at + 3 <= string.length; at++) {
    const hash =
      Math.imul(string.charCodeAt(at), 0x9e3779b1) ^
      Math.imul(string.charCodeAt(at + 1), 0x85ebca6b) ^
      Math.imul(string.charCodeAt(at + 2), 0xc2b2ae35);
    const bit = (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) % BITS;
    bits[offset + (bit >>> 5)]! |= 1 << (bit & 31);
  }
}

type Test = (bits: Uint32Array, offset: number) => boolean;

/** @returns null when any unit may fulfil it */
function testFor(required: Required): Test | null {
  switch (required.type) {
    case 'any':
      return null;
    case 'text': {
      const wanted = new Uint32Array(WORDS);
      setBits(required.value, wanted, 0);
      const words = [...wanted.keys()].filter((word) => wanted[word] !== 0);
      if (words.length === 0) return null;
      return (bits, offset) => {
        for (const word of words) if ((bits[offset + word]! & wanted[word]!) >>> 0 !== wanted[word]) return false;
        return true;
      };
    }
    case 'and': {
      const tests = required.children.map(testFor).filter((test) => test !== null);
      return tests.length === 0 ? null : (bits, offset) => tests.every((test) => test(bits, offset));
    }
    case 'or': {
      const tests = required.children.map(testFor);
      if (tests.includes(null)) return null;
      return (bits, offset) => tests.some((test) => test!(bits, offset));
    }
  }
}

/** Necessary condition on the texts of a unit, derived from a query. */
export class TextRequirement {
  private constructor(readonly holds: Test) {}

  /** @returns null when the query requires no text of at least three characters, so that signatures cannot exclude any unit */
  static of(required: Required): TextRequirement | null {
    const test = testFor(required);
    return test && new TextRequirement(test);
  }
}

/**
 * Bloom filters of the trigrams of source, target and context of a translation's units, 512 bits each. A unit without the bits of a text
 * does not contain the text. Valid for one version of the translation and later ones whose writes are reported.
 */
export class TextSignatures {
  /** Ascending; `bits` has their signatures in the same order. */
  private readonly ids: Float64Array;
  private readonly bits: Uint32Array;
  /** Versions reported ahead of the next one. */
  private readonly ahead = new Set<number>();
  private writtenUnits = 0;

  private filled = 0;

  /**
   * @param reflectedVersion version of the translation, read before its units
   * @param capacity how many units it has
   */
  constructor(
    private reflectedVersion: number,
    capacity: number,
  ) {
    this.ids = new Float64Array(capacity);
    this.bits = new Uint32Array(capacity * WORDS);
  }

  /** Adds a unit; they come in the order of their ids. */
  add(unit: Pick<Unit, 'id' | 'source' | 'target' | 'context'>): void {
    const slot = this.filled++;
    this.ids[slot] = unit.id;
    for (const text of [...unit.source, ...unit.target, unit.context]) setBits(text, this.bits, slot * WORDS);
  }

  get version(): number {
    return this.reflectedVersion;
  }

  get size(): number {
    return this.ids.length;
  }

  /** Whether so many units were written since that the signatures exclude too few. */
  get isStale(): boolean {
    return this.writtenUnits > 50 + this.size / 10;
  }

  /**
   * Reports a write that led to a version: the units match every text from now on.
   * @returns false when a unit is unknown
   */
  recordWrite(version: number, units: readonly number[]): boolean {
    for (const unit of units) {
      const slot = this.slotOf(unit);
      if (this.ids[slot] !== unit) return false;
      this.bits.fill(0xffffffff, slot * WORDS, (slot + 1) * WORDS);
      this.writtenUnits++;
    }
    this.ahead.add(version);
    while (this.ahead.delete(this.reflectedVersion + 1)) this.reflectedVersion++;
    return true;
  }

  /** Adds the units between two positions that may meet a requirement. */
  candidates({ holds }: TextRequirement, found: number[], from = 0, to = this.size): void {
    for (let slot = from; slot < Math.min(to, this.size); slot++)
      if (holds(this.bits, slot * WORDS)) found.push(this.ids[slot]!);
  }

  /** Position of a unit, by binary search. */
  private slotOf(unit: number): number {
    let [from, to] = [0, this.ids.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.ids[middle]! < unit) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
