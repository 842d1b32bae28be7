import { ADDED, type Counters } from './counters';

const LAST_CHANGE = ADDED;
const AUTHOR_CHANGE = ADDED + 1;
const AUTHOR_ID = ADDED + 2;
const STRIDE = ADDED + 3;

/**
 * Counters of many objects in one typed array: about 240 bytes for each row, so that 100 000 translations stay small and
 * sums run over contiguous memory.
 */
export class CounterTable {
  private numbers = new Float64Array(64 * STRIDE);
  private authors: string[] = [];
  private free: number[] = [];
  private used = 0;

  /** A row of zeros. */
  allocate(): number {
    const row = this.free.pop() ?? this.used++;
    if ((row + 1) * STRIDE > this.numbers.length) {
      const larger = new Float64Array(this.numbers.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.clear(row);
    return row;
  }

  release(row: number): void {
    this.authors[row] = '';
    this.free.push(row);
  }

  clear(row: number): void {
    this.numbers.fill(0, row * STRIDE, (row + 1) * STRIDE);
    this.authors[row] = '';
  }

  set(row: number, counters: Counters): void {
    const at = row * STRIDE;
    for (let i = 0; i < ADDED; i++) this.numbers[at + i] = counters.added[i]!;
    this.numbers[at + LAST_CHANGE] = counters.lastChange;
    this.numbers[at + AUTHOR_CHANGE] = counters.lastAuthor ? counters.lastChange : 0;
    this.numbers[at + AUTHOR_ID] = counters.lastAuthor ? counters.lastAuthorId : 0;
    this.authors[row] = counters.lastAuthor;
  }

  /** Adds a row to another; keeps the newer last change and author. */
  add(target: number, row: number): void {
    const n = this.numbers;
    const to = target * STRIDE;
    const from = row * STRIDE;
    for (let i = 0; i < ADDED; i++) n[to + i]! += n[from + i]!;
    if (n[from + LAST_CHANGE]! > n[to + LAST_CHANGE]!) n[to + LAST_CHANGE] = n[from + LAST_CHANGE]!;
    if (!this.authors[row]) return;
    const newer = n[from + AUTHOR_CHANGE]! - n[to + AUTHOR_CHANGE]!;
    // Ties go to the higher id, so that a sum does not depend on the order of its parts.
    if (!this.authors[target] || newer > 0 || (newer === 0 && n[from + AUTHOR_ID]! > n[to + AUTHOR_ID]!)) {
      n[to + AUTHOR_CHANGE] = n[from + AUTHOR_CHANGE]!;
      n[to + AUTHOR_ID] = n[from + AUTHOR_ID]!;
      this.authors[target] = this.authors[row]!;
    }
  }

  get(row: number): Counters {
    const at = row * STRIDE;
    return {
      added: this.numbers.slice(at, at + ADDED),
      lastChange: this.numbers[at + LAST_CHANGE]!,
      lastAuthor: this.authors[row]!,
      lastAuthorId: this.numbers[at + AUTHOR_ID]!,
    };
  }
}
