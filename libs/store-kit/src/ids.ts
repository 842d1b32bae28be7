import { isDuplicateKey, retried } from './retry';

/** The collection that holds a counter a sequence: {_id: sequence, last: last id that was given away}. */
export interface CounterCollection {
  updateOne(filter: object, update: object, options: object): Promise<unknown>;
  findOneAndUpdate(filter: object, update: object, options: object): Promise<unknown>;
}

/**
 * Hands out integer ids from blocks that are reserved in the store (hi-lo): no round trip for most ids, no id twice; what a process
 * did not use of its block when it ends is skipped.
 */
export class BlockIds<Sequence extends string = string> {
  private readonly blocks = new Map<Sequence, { next: number; last: number }>();
  private readonly leasing = new Map<Sequence, Promise<void>>();

  /**
   * @param blockSize ids that are reserved at once
   * @param above sequences that do not begin at 1: the ids up to here are given otherwise
   */
  constructor(
    private readonly counters: CounterCollection,
    private readonly blockSize = 20,
    private readonly above: Partial<Record<Sequence, number>> = {},
  ) {}

  /** The next id of a sequence. */
  async next(sequence: Sequence): Promise<number> {
    return (await this.range(sequence, 1))[0]!;
  }

  /** As many ids as wanted, ascending and without gaps. */
  async range(sequence: Sequence, count: number): Promise<number[]> {
    for (;;) {
      const block = this.blocks.get(sequence);
      if (block && block.last - block.next + 1 >= count) {
        const first = block.next;
        block.next += count;
        return Array.from({ length: count }, (_, i) => first + i);
      }
      let lease = this.leasing.get(sequence);
      if (!lease) {
        lease = this.lease(sequence, Math.max(this.blockSize, count)).finally(() => this.leasing.delete(sequence));
        this.leasing.set(sequence, lease);
      }
      await lease;
    }
  }

  private async lease(sequence: Sequence, size: number): Promise<void> {
    const counter = { _id: sequence };
    const begin = { $setOnInsert: { last: this.above[sequence] ?? 0 } };
    const raise = () => this.counters.findOneAndUpdate(counter, { $inc: { last: size } }, { returnDocument: 'after' });
    let raised = (await retried(raise)) as { last: number } | null;
    if (!raised) {
      await retried(() => this.counters.updateOne(counter, begin, { upsert: true })).catch((error: unknown) => {
        // Two processes at the very first id: one of them made the counter.
        if (!isDuplicateKey(error)) throw error;
      });
      raised = (await retried(raise)) as { last: number } | null;
    }
    if (!raised) throw new Error(`the counter ${sequence} has gone`);
    this.blocks.set(sequence, { next: raised.last - size + 1, last: raised.last });
  }
}
