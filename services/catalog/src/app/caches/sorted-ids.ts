/** A set of ids in ascending order. New ids are usually the highest, so adding is cheap. */
export class SortedIds {
  private readonly known = new Set<number>();
  private list: number[] = [];
  private tidy = true;

  add(id: number): void {
    if (this.known.has(id)) return;
    this.known.add(id);
    if (this.tidy && (this.list.length === 0 || id > this.list.at(-1)!)) this.list.push(id);
    else this.tidy = false;
  }

  remove(id: number): void {
    if (this.known.delete(id)) this.tidy = false;
  }

  clear(): void {
    this.known.clear();
    this.list = [];
    this.tidy = true;
  }

  /** Must not be modified; valid until the next add or remove. */
  all(): readonly number[] {
    if (!this.tidy) {
      this.list = [...this.known].sort((a, b) => a - b);
      this.tidy = true;
    }
    return this.list;
  }
}
