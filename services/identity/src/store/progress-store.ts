import type { Connection, Model } from 'mongoose';
import type { ProgressStore } from '../domain/ports';
import { documentSchema, duplicatesIn, required, type DocumentOf } from '@parlance/store-kit';

/** Progress of work that is done once by all processes. */
const progress = documentSchema('progress', {
  /** The work's name. */
  _id: required(String),
  reached: required(Number),
  planned: required(Number),
  /** No other process may claim the work before this time. */
  claimedUntilMs: required(Number),
});
type StoredProgress = DocumentOf<typeof progress>;

export class MongoProgressStore implements ProgressStore {
  private readonly model: Model<StoredProgress>;

  constructor(connection: Connection) {
    this.model = connection.model<StoredProgress>('Progress', progress);
  }

  async claim(work: string, from: number, nowMs: number, untilMs: number) {
    const begin = { $setOnInsert: { reached: from, planned: from, claimedUntilMs: 0 } };
    // Another process may create the document concurrently.
    await this.model.updateOne({ _id: work }, begin, { upsert: true }).exec().catch(duplicatesIn);
    const free = { _id: work, claimedUntilMs: { $lte: nowMs } };
    const claimed = await this.model
      .findOneAndUpdate(free, { $set: { claimedUntilMs: untilMs } }, { returnDocument: 'after' })
      .lean<StoredProgress>()
      .exec();
    return claimed ? { reached: claimed.reached, planned: claimed.planned } : undefined;
  }

  async plan(work: string, to: number): Promise<void> {
    await this.model.updateOne({ _id: work }, { $set: { planned: to } }).exec();
  }

  async release(work: string, reached: number): Promise<void> {
    await this.model.updateOne({ _id: work }, { $set: { reached, claimedUntilMs: 0 } }).exec();
  }
}
