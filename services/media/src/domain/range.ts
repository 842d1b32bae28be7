/** An HTTP byte range: first and last (inclusive), first alone, or a number of last bytes. */
export interface WantedRange {
  first?: number;
  last?: number;
  suffix?: number;
}

/**
 * Resolves a range against an object's size; undefined if the range lies outside.
 * @throws RangeError for an empty or contradictory range
 */
export function sliceOf(size: number, range?: WantedRange): { offset: number; length: number } | undefined {
  if (!range) return { offset: 0, length: size };
  const { first, last, suffix } = range;
  const numbers = [first, last, suffix].filter((n) => n !== undefined);
  if (numbers.some((n) => !Number.isSafeInteger(n) || n < 0))
    throw new RangeError('A range must consist of whole numbers.');
  if (suffix !== undefined) {
    if (numbers.length > 1) throw new RangeError('A range must have either a suffix or a first byte.');
    if (suffix === 0 || size === 0) return undefined;
    const length = Math.min(suffix, size);
    return { offset: size - length, length };
  }
  if (first === undefined || (last !== undefined && last < first))
    throw new RangeError('A range must have a first byte and a last byte after it.');
  if (first >= size) return undefined;
  return { offset: first, length: Math.min(last ?? size - 1, size - 1) - first + 1 };
}
