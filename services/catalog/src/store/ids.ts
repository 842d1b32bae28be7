import type { Ids } from '../domain/ports';
import type { Models } from './models';
import { isDuplicate } from './write';

/**
 * Hands out integer ids from blocks that are reserved in the store (hi-lo): no round trip for most ids, no reuse after a crash
 * (what is left of a block is lost, ids only grow).
 */
export class IdSource implements Ids {
  private readonly blocks = new Map<string, { next: number; end: number }>();
  private readonly leasing = new Map<string, Promise<void>>();

  constructor(
    private readonly counters: Models['counters'],
    private readonly blockSize = 20,
  ) {}

  async next(kind: Parameters<Ids['next']>[0]): Promise<number> {
    return this.range(kind, 1);
  }

  /** The first of as many ids as wanted, which follow each other. */
  async range(kind: string, count: number): Promise<number> {
    for (;;) {
      const block = this.blocks.get(kind);
      if (block && block.end - block.next >= count) {
        const first = block.next;
        block.next += count;
        return first;
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
        const after = await this.counters
          .findOneAndUpdate({ _id: kind }, { $inc: { next: size } }, { upsert: true, returnDocument: 'after' })
          .lean();
        const end = after.next! + 1;
        this.blocks.set(kind, { next: end - size, end });
        return;
      } catch (error) {
        // Two processes made the counter at the same moment: it is there now.
        if (!isDuplicate(error) || attempt > 5) throw error;
      }
    }
  }
}
