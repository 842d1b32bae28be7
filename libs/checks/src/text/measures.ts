/** Number of code points. Allocates no array: the function runs for every checked translation. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count--;
      index++;
    }
  }
  return count;
}

/** Number of occurrences of a substring that do not overlap. */
export function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + part.length)) count++;
  return count;
}

/** Whether two lists are equal as multisets. */
export function haveSameItems(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const sorted = [...right].sort();
  return [...left].sort().every((item, index) => item === sorted[index]);
}
