import type { Models } from './models';

/**
 * Hands out integer ids from blocks that are reserved in the store (hi-lo): no reuse after a crash, ids only grow within a process.
 */
export class IdSource {
  private next = 1;
  private end = 0;
  private leasing: Promise<void> | undefined;

  constructor(
    private readonly counters: Models['counters'],
    private readonly kind: string,
    private readonly blockSize = 20,
  ) {}

  async take(): Promise<number> {
    while (this.next > this.end) await (this.leasing ??= this.lease().finally(() => (this.leasing = undefined)));
    return this.next++;
  }

  private async lease(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const counter = await this.counters.collection.findOneAndUpdate(
          { _id: this.kind as never },
          { $inc: { last: this.blockSize } },
          { upsert: true, returnDocument: 'after' },
        );
        this.end = (counter as unknown as { last: number }).last;
        this.next = this.end - this.blockSize + 1;
        return;
      } catch (error) {
        // Two processes made the counter at the same moment: it is there now.
        if ((error as { code?: number }).code !== 11000 || attempt > 5) throw error;
      }
    }
  }
}
