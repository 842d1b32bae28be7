import type { Connection, Model } from 'mongoose';
import { Schema } from 'mongoose';
import { retried } from './retry';

interface Counter {
  _id: string;
  next: number;
}

/**
 * Integer ids from block leases: one write to the store gives a block, so allocation is no hot spot. Ids are never given twice;
 * what a process did not use of its block when it stops is skipped.
 */
export class IdSource {
  private readonly counters: Model<Counter>;
  private readonly blocks = new Map<string, { next: number; end: number }>();
  private readonly leasing = new Map<string, Promise<void>>();

  constructor(
    connection: Connection,
    private readonly blockSize = 20,
  ) {
    const schema = new Schema<Counter>({ _id: String, next: Number }, { collection: 'counters', versionKey: false });
    this.counters = connection.model<Counter>('Counter', schema);
  }

  /** @param first the first id of a sequence that was never used */
  async take(sequence: string, first: number): Promise<number> {
    for (;;) {
      const block = this.blocks.get(sequence);
      if (block && block.next < block.end) return block.next++;
      let lease = this.leasing.get(sequence);
      if (!lease) {
        lease = this.lease(sequence, first).finally(() => this.leasing.delete(sequence));
        this.leasing.set(sequence, lease);
      }
      await lease;
    }
  }

  async takeMany(sequence: string, first: number, count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await this.take(sequence, first));
    return ids;
  }

  private async lease(sequence: string, first: number): Promise<void> {
    await this.counters
      .updateOne({ _id: sequence }, { $setOnInsert: { next: first } }, { upsert: true })
      .catch((error: unknown) => {
        // Two processes at the very first id: one of them made the counter.
        if ((error as { code?: number }).code !== 11000) throw error;
      });
    const grow = { $inc: { next: this.blockSize } };
    const after = await retried(() =>
      this.counters.findOneAndUpdate({ _id: sequence }, grow, { returnDocument: 'after', lean: true }).exec(),
    );
    if (!after) throw new Error(`the counter ${sequence} has gone`);
    this.blocks.set(sequence, { next: after.next - this.blockSize, end: after.next });
  }
}
