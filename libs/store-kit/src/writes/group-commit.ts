interface Waiting<Item, Result> {
  item: Item;
  done: (result: Result) => void;
  failed: (error: unknown) => void;
}

/** Group commit: items that arrive during a statement share the next one. A single item waits for no other. */
export class GroupCommit<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private running = false;

  /**
   * @param commit writes several items with one statement; returns their results in the same order. Idempotent: the items of a failed
   *   statement are written one by one, so that one that the store refuses does not fail the others.
   * @param most items of a statement
   */
  constructor(
    private readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  /** Writes an item. @returns its result */
  add(item: Item): Promise<Result> {
    return new Promise((done, failed) => {
      this.waiting.push({ item, done, failed });
      if (!this.running) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.most);
      try {
        await this.settle(group);
      } catch (error) {
        if (group.length === 1) group[0]!.failed(error);
        else await Promise.all(group.map((one) => this.settle([one]).catch((failure: unknown) => one.failed(failure))));
      }
    }
    this.running = false;
  }

  private async settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const results = await this.commit(group.map(({ item }) => item));
    group.forEach(({ done }, i) => done(results[i]!));
  }
}
