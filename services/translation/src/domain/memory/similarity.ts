import { distance as wholeDistance } from 'fastest-levenshtein';

/** Size of the distance matrix beyond which a bit-parallel algorithm is faster, although it cannot stop early. */
const MANY_CELLS = 100_000;

/** Similarity of texts that differ only in case or white space, in percent. */
const NEARLY_EQUAL = 99;

/**
 * Similarity of two texts in percent: 100 for equal texts, else the share of characters outside the Levenshtein distance.
 * @param atLeast lower similarities are returned as 0
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
 * Levenshtein distance, or a number above `limit` if it exceeds `limit`. Computes only the diagonal band of the matrix that a distance
 * within the limit can use.
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
