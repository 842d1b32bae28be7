/** Index of the last of some ascending values that is at most as large, by binary search; -1: none. */
export function lastAtMost(values: ArrayLike<number>, value: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (values[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
