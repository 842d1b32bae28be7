import { distance as wholeDistance } from 'fastest-levenshtein';

/** Cells of a table of distances beyond which a bit-parallel algorithm, which cannot stop early, is faster. */
const MANY_CELLS = 100_000;

/** Texts that differ only in case or white space are this similar, in percent. */
const NEARLY_EQUAL = 99;

/**
 * How similar two texts are, in percent: 100 is equal; else the share of characters that need no edit to make one out of the other.
 * @param atLeast what is less similar need not be told apart: 0 is answered
 */
export function similarity(a: string, b: string, atLeast: number): number {
  if (a === b) return 100;
  const longest = Math.max(a.length, b.length);
  const allowed = Math.floor((longest * (100 - atLeast)) / 100);
  if (folded(a) === folded(b)) return NEARLY_EQUAL;
  const distance = editDistance(a, b, allowed);
  return distance > allowed ? 0 : Math.min(NEARLY_EQUAL, Math.floor((100 * (longest - distance)) / longest));
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/**
 * Levenshtein distance, or something larger than `limit` when it is larger than that. Only the cells that a distance within the limit
 * can pass through are looked at.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let start = 0;
  let [endA, endB] = [a.length, b.length];
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const [rows, columns] = [endA - start, endB - start];
  if (rows === 0 || columns === 0) return rows + columns;
  const far = limit + 1;
  if (rows * Math.min(columns, 2 * limit + 1) > MANY_CELLS)
    return Math.min(far, wholeDistance(a.slice(start, endA), b.slice(start, endB)));
  let before = new Uint32Array(columns + 1).fill(far);
  let now = new Uint32Array(columns + 1).fill(far);
  for (let column = 0; column <= Math.min(columns, limit); column++) before[column] = column;
  for (let row = 1; row <= rows; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(columns, row + limit);
    now.fill(far, Math.max(0, first - 1), Math.min(columns, last + 1) + 1);
    if (row <= limit) now[0] = row;
    let best = now[first - 1]!;
    const character = a.charCodeAt(start + row - 1);
    for (let column = first; column <= last; column++) {
      const kept = before[column - 1]! + (b.charCodeAt(start + column - 1) === character ? 0 : 1);
      const cost = Math.min(kept, before[column]! + 1, now[column - 1]! + 1, far);
      now[column] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return far;
    [before, now] = [now, before];
  }
  return before[columns]!;
}
