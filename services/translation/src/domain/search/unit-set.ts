import { BLOCK_SIZE } from './postings';

/** Offsets in a page: 2^13. A rare word has few pages, and the units of a translation are mostly whole pages. */
const PAGE_BITS = 13;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_WORDS = PAGE_SIZE / 32;
const PAGES = BLOCK_SIZE / PAGE_SIZE;

/** One bit for each offset. */
type Bits = Uint32Array;
/** Stands for every page that contains all of its offsets. Never changed: see `change`. */
const FULL: Bits = new Uint32Array(PAGE_WORDS).fill(0xffffffff);

/** Place of an offset's word within its page. */
const wordOf = (offset: number): number => (offset & (PAGE_SIZE - 1)) >>> 5;

/** A set of the units of a block, by offset. Takes little memory and time if it contains no or all offsets of most pages. */
export class UnitSet {
  /** Undefined: contains no offset of the page. */
  private readonly pages = new Array<Bits | undefined>(PAGES).fill(undefined);

  /** The bits of a page, to be changed. */
  private change(page: number): Bits {
    const bits = this.pages[page];
    if (bits !== undefined && bits !== FULL) return bits;
    return (this.pages[page] = bits === undefined ? new Uint32Array(PAGE_WORDS) : bits.slice());
  }

  /** @param offset below `BLOCK_SIZE` */
  add(offset: number): void {
    this.change(offset >>> PAGE_BITS)[wordOf(offset)]! |= 1 << (offset & 31);
  }

  addRange(start: number, length: number): void {
    const end = start + length;
    for (let at = start; at < end;) {
      const page = at >>> PAGE_BITS;
      const first = at & (PAGE_SIZE - 1);
      const last = Math.min(PAGE_SIZE, first + end - at);
      if (last - first === PAGE_SIZE) this.pages[page] = FULL;
      else addBits(this.change(page), first, last);
      at += last - first;
    }
  }

  delete(offset: number): void {
    if (!this.has(offset)) return;
    this.change(offset >>> PAGE_BITS)[wordOf(offset)]! &= ~(1 << (offset & 31));
  }

  has(offset: number): boolean {
    const bits = this.pages[offset >>> PAGE_BITS];
    return bits !== undefined && (bits[wordOf(offset)]! & (1 << (offset & 31))) !== 0;
  }

  clone(): UnitSet {
    return new UnitSet().union(this);
  }

  union(other: UnitSet): this {
    for (let page = 0; page < PAGES; page++) {
      const [ours, theirs] = [this.pages[page], other.pages[page]];
      if (theirs === undefined || ours === FULL) continue;
      if (theirs === FULL) this.pages[page] = FULL;
      else if (ours === undefined) this.pages[page] = theirs.slice();
      else for (let at = 0; at < PAGE_WORDS; at++) ours[at]! |= theirs[at]!;
    }
    return this;
  }

  intersect(other: UnitSet): this {
    for (let page = 0; page < PAGES; page++) {
      const [ours, theirs] = [this.pages[page], other.pages[page]];
      if (ours === undefined || theirs === FULL) continue;
      if (theirs === undefined) this.pages[page] = undefined;
      else if (ours === FULL) this.pages[page] = theirs.slice();
      else for (let at = 0; at < PAGE_WORDS; at++) ours[at]! &= theirs[at]!;
    }
    return this;
  }

  subtract(other: UnitSet): this {
    for (let page = 0; page < PAGES; page++) {
      const theirs = other.pages[page];
      if (this.pages[page] === undefined || theirs === undefined) continue;
      if (theirs === FULL) {
        this.pages[page] = undefined;
        continue;
      }
      const ours = this.change(page);
      for (let at = 0; at < PAGE_WORDS; at++) ours[at]! &= ~theirs[at]!;
    }
    return this;
  }

  get isEmpty(): boolean {
    return this.pages.every((bits) => bits === undefined || bits.every((word) => word === 0));
  }

  /** Memory of the set, in bytes. */
  get bytes(): number {
    return this.pages.reduce((sum, bits) => sum + (bits === undefined || bits === FULL ? 8 : 8 + bits.byteLength), 0);
  }

  get size(): number {
    let size = 0;
    for (const bits of this.pages)
      if (bits === FULL) size += PAGE_SIZE;
      else if (bits !== undefined) for (let at = 0; at < PAGE_WORDS; at++) size += ones(bits[at]!);
    return size;
  }

  /** Offsets in ascending order. @param skip offsets to omit @param limit maximum number of offsets */
  offsets(skip = 0, limit = Infinity): number[] {
    const found: number[] = [];
    for (const [page, bits] of this.pages.entries()) {
      if (bits === undefined) continue;
      if (bits === FULL && skip >= PAGE_SIZE) {
        skip -= PAGE_SIZE;
        continue;
      }
      for (let word = 0; word < PAGE_WORDS && found.length < limit; word++) {
        let left = bits[word]!;
        if (left === 0) continue;
        const count = ones(left);
        if (count <= skip) {
          skip -= count;
          continue;
        }
        for (; left !== 0 && found.length < limit; left &= left - 1) {
          if (skip > 0) skip--;
          else found.push(page * PAGE_SIZE + word * 32 + (31 - Math.clz32(left & -left)));
        }
      }
    }
    return found;
  }
}

/** Adds the offsets of a page from `first` to `last`, exclusive. */
function addBits(bits: Bits, first: number, last: number): void {
  let at = first;
  for (; at < last && (at & 31) !== 0; at++) bits[at >>> 5]! |= 1 << (at & 31);
  for (; at + 32 <= last; at += 32) bits[at >>> 5] = 0xffffffff;
  for (; at < last; at++) bits[at >>> 5]! |= 1 << (at & 31);
}

function ones(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
