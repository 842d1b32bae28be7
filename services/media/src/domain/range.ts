/** A byte range as HTTP knows it: first and last (inclusive), first alone, or the last so many bytes. */
export interface WantedRange {
  first?: number;
  last?: number;
  suffix?: number;
}

/**
 * Resolves a range against an object's size; undefined when the range lies outside of it.
 * @throws RangeError for an empty or contradictory range
 */
export function sliceOf(size: number, range?: WantedRange): { offset: number; length: number } | undefined {
  if (!range) return { offset: 0, length: size };
  const { first, last, suffix } = range;
  const numbers = [first, last, suffix].filter((n) => n !== undefined);
  if (numbers.some((n) => !Number.isSafeInteger(n) || n < 0))
    throw new RangeError('A range consists of whole numbers.');
  if (suffix !== undefined) {
    if (numbers.length > 1) throw new RangeError('A range is either a suffix or has a first byte.');
    if (suffix === 0 || size === 0) return undefined;
    const length = Math.min(suffix, size);
    return { offset: size - length, length };
  }
  if (first === undefined || (last !== undefined && last < first))
    throw new RangeError('A range has a first byte, and a last one after it.');
  if (first >= size) return undefined;
  return { offset: first, length: Math.min(last ?? size - 1, size - 1) - first + 1 };
}
