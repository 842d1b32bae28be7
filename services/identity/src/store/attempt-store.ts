import type { Connection, Model } from 'mongoose';
import {
  documentSchema,
  driverCollection,
  isDuplicateKey,
  LOST_RACE,
  optimisticUpdate,
  required,
  type DocumentOf,
} from '@parlance/store-kit';
import { attemptsNow, FORGET_ATTEMPTS_MS, nextAttemptMs } from '../domain/sign-in/attempts';
import type { AttemptStore } from '../domain/ports';

const attempt = documentSchema('attempts', {
  /** Kind of attempt, and account or network. */
  _id: required(String),
  count: required(Number),
  lastMs: required(Number),
  /** Incremented by each write. */
  version: required(Number),
  expireAt: required(Date),
});
attempt.index({ expireAt: 1 }, { name: 'expire', expireAfterSeconds: 0 });
type StoredAttempts = DocumentOf<typeof attempt>;

export const attemptModel = (connection: Connection) => connection.model<StoredAttempts>('Attempt', attempt);

export class MongoAttemptStore implements AttemptStore {
  private readonly model: Model<StoredAttempts>;

  constructor(connection: Connection) {
    this.model = attemptModel(connection);
  }

  count(key: string, free: number, nowMs: number): Promise<{ counted: boolean; nextMs: number }> {
    return optimisticUpdate(async () => {
      const stored = await this.model.findOne({ _id: key }).lean<StoredAttempts>().exec();
      const current = attemptsNow(stored ?? undefined, nowMs);
      const waitMs = nextAttemptMs(current, free);
      if (waitMs > nowMs) return { counted: false, nextMs: waitMs };
      const next = { count: current.count + 1, lastMs: nowMs };
      if (!(await this.write(key, stored?.version, next))) return LOST_RACE;
      return { counted: true, nextMs: nextAttemptMs(next, free) };
    });
  }

  /** @param version of the document that was read; undefined: there was none @returns false if another writer was first */
  private async write(
    key: string,
    version: number | undefined,
    next: { count: number; lastMs: number },
  ): Promise<boolean> {
    const fields = { ...next, version: (version ?? 0) + 1, expireAt: new Date(next.lastMs + FORGET_ATTEMPTS_MS) };
    if (version !== undefined)
      return (await this.model.updateOne({ _id: key, version }, { $set: fields }).exec()).matchedCount === 1;
    try {
      await driverCollection(this.model).insertOne({ _id: key, ...fields });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async refund(key: string): Promise<void> {
    const change = { $inc: { count: -1, version: 1 } } as const;
    await this.model.updateOne({ _id: key, count: { $gt: 0 } }, change).exec();
  }

  async forget(key: string): Promise<void> {
    await this.model.deleteMany({ _id: key }).exec();
  }
}
