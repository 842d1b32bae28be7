/** Largest number of inserted and deleted lines between two versions. The diff takes quadratic memory in it. */
const MAX_EDITS = 2000;

/** Replaced lines: from `at` up to `end` of the base, and from `from` up to `to` of the other version. */
interface Hunk {
  at: number;
  end: number;
  from: number;
  to: number;
}

/** Lines with their line ends. Latin-1 keeps every byte. */
const linesOf = (bytes: Buffer): string[] => (bytes.length === 0 ? [] : bytes.toString('latin1').split(/(?<=\n)/));

/** Whether git treats a file as binary. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);

/** Furthest position in the base on each diagonal that a number of edits reaches, from diagonal -edits in steps of 2. */
type Frontier = Int32Array;

/** Where the furthest path to a diagonal comes from: the next diagonal by an insertion, or the previous one by a deletion. */
function previous(last: Frontier, edits: number, diagonal: number): { inserted: boolean; x: number } {
  const at = (diagonal + edits) / 2;
  const [above, left] = [last[at] ?? -1, last[at - 1] ?? -1];
  const inserted = diagonal === -edits || (diagonal !== edits && left < above);
  return { inserted, x: inserted ? above : left };
}

/**
 * Frontiers by number of edits, until one reaches the end of both versions (Myers, "An O(ND) Difference Algorithm and Its Variations").
 * @returns null above MAX_EDITS
 */
function frontiers(base: readonly string[], other: readonly string[]): Frontier[] | null {
  const found: Frontier[] = [];
  for (let edits = 0; edits <= Math.min(MAX_EDITS, base.length + other.length); edits++) {
    const next = new Int32Array(edits + 1);
    found.push(next);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = 0;
      if (edits > 0) {
        const from = previous(found[edits - 1]!, edits, diagonal);
        x = from.inserted ? from.x : from.x + 1;
      }
      while (x < base.length && x - diagonal < other.length && base[x] === other[x - diagonal]) x++;
      next[(diagonal + edits) / 2] = x;
      if (x >= base.length && x - diagonal >= other.length) return found;
    }
  }
  return null;
}

/** The differences between two versions in order, with at least one common line between them; null: too many. */
function differences(base: readonly string[], other: readonly string[]): Hunk[] | null {
  let head = 0;
  while (head < base.length && head < other.length && base[head] === other[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(base.length, other.length) - head &&
    base[base.length - 1 - tail] === other[other.length - 1 - tail]
  )
    tail++;
  const [old, now] = [base.slice(head, base.length - tail), other.slice(head, other.length - tail)];
  const reached = frontiers(old, now);
  if (!reached) return null;
  const hunks: Hunk[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = reached.length - 1; edits > 0; edits--) {
    const { inserted, x: fromX } = previous(reached[edits - 1]!, edits, x - y);
    const fromY = fromX - (x - y) + (inserted ? -1 : 1);
    const [toX, toY] = inserted ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const following = hunks[0];
    if (following?.at === toX + head && following.from === toY + head) {
      following.at = fromX + head;
      following.from = fromY + head;
    } else hunks.unshift({ at: fromX + head, end: toX + head, from: fromY + head, to: toY + head });
    [x, y] = [fromX, fromY];
  }
  return hunks;
}

/** One side of a merge, read in the order of the base. */
class Side {
  private next = 0;
  /** Number of lines by which this side is ahead of the base, up to the next difference. */
  private shift = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly hunks: readonly Hunk[],
  ) {}

  /** Where the next difference begins in the base. */
  get at(): number {
    return this.hunks[this.next]?.at ?? Infinity;
  }

  /** Takes the next difference. @returns its end in the base */
  take(): number {
    const { at, end, from, to } = this.hunks[this.next++]!;
    this.shift += to - from - (end - at);
    return end;
  }

  /** A mark for `since`. */
  mark(): number {
    return this.shift;
  }

  /** This side's lines for a range of the base. @param before the mark at its start */
  since(before: number, at: number, end: number): readonly string[] {
    return this.lines.slice(at + before, end + this.shift);
  }
}

/**
 * Three-way merge of lines in this process, with the rules of `git merge-file`: changes of both sides conflict if they touch, unless they
 * are equal.
 * @returns null for a conflict or a binary file, undefined if the versions differ too much to be compared here
 */
export function mergeLines(base: Buffer, local: Buffer, upstream: Buffer): Buffer | null | undefined {
  if (isBinary(base) || isBinary(local) || isBinary(upstream)) return null;
  const [old, ours, theirs] = [linesOf(base), linesOf(local), linesOf(upstream)];
  const [oursChanged, theirsChanged] = [differences(old, ours), differences(old, theirs)];
  if (!oursChanged || !theirsChanged) return undefined;
  const sides = [new Side(ours, oursChanged), new Side(theirs, theirsChanged)] as const;
  const merged: string[] = [];
  let done = 0;
  for (;;) {
    const at = Math.min(sides[0].at, sides[1].at);
    for (const line of old.slice(done, at)) merged.push(line);
    if (at === Infinity) return Buffer.from(merged.join(''), 'latin1');
    const marks = sides.map((side) => side.mark());
    const taken = [false, false];
    let end = at;
    while (sides[0].at <= end || sides[1].at <= end) {
      const which = sides[0].at <= end ? 0 : 1;
      end = Math.max(end, sides[which].take());
      taken[which] = true;
    }
    const [one, other] = sides.map((side, index) => side.since(marks[index]!, at, end));
    if (taken[0] && taken[1] && one!.join('') !== other!.join('')) return null;
    for (const line of taken[0] ? one! : other!) merged.push(line);
    done = end;
  }
}
