import { Schema, type Connection, type Model } from 'mongoose';
import { KEEP_MS, LINES_MAX, type Mail, type MailPart } from '../domain/mail';
import type { MailStore, Page, PageRequest } from '../domain/ports';
import type { Ids } from './ids';
import { duplicatesIn, retried } from '@parlance/store-kit';

interface StoredMail extends Omit<Mail, 'key' | 'id'> {
  /** The mail's key. */
  _id: string;
  id: number;
  /** Sources already added, for idempotency. */
  sources: string[];
  /** Time at which the store deletes the mail. */
  expireAt: Date;
}

/** Maximum remembered sources of a mail; older sources of a larger digest cannot be repeated any more. */
const SOURCES_MAX = 2000;

function schema(): Schema<StoredMail> {
  const definition = new Schema<StoredMail>(
    {
      _id: String,
      id: Number,
      userId: Number,
      to: String,
      notification: String,
      frequency: Number,
      state: String,
      createdMs: Number,
      dueMs: Number,
      sentMs: Number,
      attempts: Number,
      error: String,
      lines: [String],
      count: Number,
      sources: [String],
      expireAt: Date,
    },
    { collection: 'mails', versionKey: false, id: false },
  );
  definition.index({ id: 1 }, { name: 'id' });
  definition.index({ state: 1, dueMs: 1 }, { name: 'due' });
  definition.index({ userId: 1, createdMs: -1 }, { name: 'user' });
  definition.index({ createdMs: -1, id: -1 }, { name: 'newest' });
  definition.index({ expireAt: 1 }, { name: 'expire', expireAfterSeconds: 0 });
  return definition;
}

function toMail({ _id, sources: _sources, expireAt: _expireAt, ...mail }: StoredMail): Mail {
  return { key: _id, ...mail };
}

export class MongoMailStore implements MailStore {
  private readonly model: Model<StoredMail>;

  constructor(
    connection: Connection,
    private readonly ids: Ids,
  ) {
    this.model = connection.model<StoredMail>('Mail', schema());
  }

  ensureIndexes(): Promise<void> {
    return this.model.createIndexes();
  }

  async add(source: string, parts: readonly MailPart[]): Promise<void> {
    for (const { key, lines, count, ...made } of parts) {
      const fresh = {
        ...made,
        id: await this.ids.next('mails'),
        state: 'waiting' as const,
        sentMs: 0,
        attempts: 0,
        error: '',
      };
      const expireAt = new Date(made.dueMs + KEEP_MS);
      const change = {
        $setOnInsert: { ...fresh, expireAt },
        $inc: { count },
        $push: { lines: { $each: lines, $slice: LINES_MAX }, sources: { $each: [source], $slice: -SOURCES_MAX } },
      };
      const unlessAdded = { _id: key, sources: { $ne: source } };
      // If the mail already has this source, the upsert fails with a duplicate key.
      await retried(() => this.model.updateOne(unlessAdded, change, { upsert: true }).exec()).catch(duplicatesIn);
    }
  }

  async list(userId: number | undefined, page: PageRequest): Promise<Page<Mail>> {
    const query = userId === undefined ? {} : { userId };
    const [mails, total] = await Promise.all([
      this.model
        .find(query)
        .sort({ createdMs: -1, id: -1 })
        .skip(page.skip)
        .limit(page.limit)
        .lean<StoredMail[]>()
        .exec(),
      this.model.countDocuments(query).exec(),
    ]);
    return { items: mails.map(toMail), total };
  }

  async claimDue(nowMs: number, untilMs: number): Promise<Mail | undefined> {
    const due = { state: 'waiting', dueMs: { $lte: nowMs } } as const;
    const claimed = await retried(() =>
      this.model
        .findOneAndUpdate(due, { $set: { dueMs: untilMs } }, { sort: { dueMs: 1 }, returnDocument: 'after' })
        .lean<StoredMail>()
        .exec(),
    );
    return claimed ? toMail(claimed) : undefined;
  }

  async settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void> {
    const { state, sentMs, error, dueMs, attempts } = result;
    await retried(() => this.model.updateOne({ id }, { $set: { state, sentMs, error, dueMs, attempts } }).exec());
  }

  async removeOf(userId: number): Promise<void> {
    await retried(() => this.model.deleteMany({ userId }).exec());
  }
}
