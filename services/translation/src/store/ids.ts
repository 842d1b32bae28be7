import type { Models } from './models';

/**
 * Hands out integer ids from blocks that are reserved in the store (hi-lo): no round trip for most ids, no reuse after a crash
 * (what is left of a block is lost, ids only grow).
 */
export class IdSource {
  private readonly blocks = new Map<string, { next: number; end: number }>();
  private readonly leasing = new Map<string, Promise<void>>();

  constructor(
    private readonly counters: Models['counters'],
    private readonly blockSize = 100,
  ) {}

  /** The next id of a kind. */
  async next(kind: string): Promise<number> {
    return (await this.range(kind, 1))[0]!;
  }

  /** As many ids as wanted, ascending and without gaps. */
  async range(kind: string, count: number): Promise<number[]> {
    for (;;) {
      const block = this.blocks.get(kind);
      if (block && block.end - block.next >= count) {
        const first = block.next;
        block.next += count;
        return Array.from({ length: count }, (_, i) => first + i);
      }
      let lease = this.leasing.get(kind);
      if (!lease) {
        lease = this.lease(kind, Math.max(this.blockSize, count)).finally(() => this.leasing.delete(kind));
        this.leasing.set(kind, lease);
      }
      await lease;
    }
  }

  private async lease(kind: string, size: number): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const before = await this.counters.collection.findOneAndUpdate(
          { _id: kind as never },
          { $inc: { next: size } },
          { upsert: true, returnDocument: 'after' },
        );
        const end = (before as unknown as { next: number }).next + 1;
        this.blocks.set(kind, { next: end - size, end });
        return;
      } catch (error) {
        // Two processes made the counter at the same moment: it is there now.
        if ((error as { code?: number }).code !== 11000 || attempt > 5) throw error;
      }
    }
  }
}
