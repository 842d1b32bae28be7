export interface DiffPart {
  op: 'equal' | 'delete' | 'insert';
  text: string;
}

/** Words, white space, and other characters one by one. */
const TOKENS = /[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu;
/** Cells of the comparison table: bounds its time and memory. Longer texts are compared by their common start and end only. */
const MAX_CELLS = 1_000_000;

/** How one text becomes another, word by word. Equal parts and deletions together are `before`, equal parts and insertions `after`. */
export function textDiff(before: string, after: string): DiffPart[] {
  const [left, right] = [before.match(TOKENS) ?? [], after.match(TOKENS) ?? []];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const [removed, added] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const parts: DiffPart[] = left.slice(0, start).map((text) => ({ op: 'equal', text }));
  parts.push(...(removed.length * added.length > MAX_CELLS ? replaced(removed, added) : compared(removed, added)));
  parts.push(...left.slice(left.length - end).map((text): DiffPart => ({ op: 'equal', text })));
  return joined(parts);
}

const replaced = (removed: readonly string[], added: readonly string[]): DiffPart[] => [
  { op: 'delete', text: removed.join('') },
  { op: 'insert', text: added.join('') },
];

/** Along a longest common subsequence. */
function compared(removed: readonly string[], added: readonly string[]): DiffPart[] {
  const width = added.length + 1;
  // lengths[i * width + j]: length for removed from i and added from j on.
  const lengths = new Uint32Array((removed.length + 1) * width);
  for (let i = removed.length - 1; i >= 0; i--)
    for (let j = added.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        removed[i] === added[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const parts: DiffPart[] = [];
  let [i, j] = [0, 0];
  while (i < removed.length || j < added.length) {
    if (i < removed.length && removed[i] === added[j]) {
      parts.push({ op: 'equal', text: removed[i]! });
      i++;
      j++;
    } else if (
      j === added.length ||
      (i < removed.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    )
      parts.push({ op: 'delete', text: removed[i++]! });
    else parts.push({ op: 'insert', text: added[j++]! });
  }
  return parts;
}

/** Joins neighbours of one kind. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const { op, text } of parts) {
    if (text === '') continue;
    const last = result.at(-1);
    if (last?.op === op) last.text += text;
    else result.push({ op, text });
  }
  return result;
}
