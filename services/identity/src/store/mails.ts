import { Schema, type Connection, type Model } from 'mongoose';
import type { Mail } from '../domain/mail';
import type { MailStore, Page, Slice } from '../domain/ports';

type StoredMail = Omit<Mail, 'key' | 'id'> & { _id: string; id: number };

function schema(): Schema<StoredMail> {
  const definition = new Schema<StoredMail>(
    {
      _id: String,
      id: Number,
      userId: Number,
      to: String,
      subject: String,
      body: String,
      state: String,
      createdMs: Number,
      dueMs: Number,
      sentMs: Number,
      attempts: Number,
      error: String,
      notification: String,
      frequency: Number,
    },
    { collection: 'mails', versionKey: false, id: false },
  );
  definition.index({ state: 1, dueMs: 1 }, { name: 'due' });
  definition.index({ userId: 1, createdMs: -1 }, { name: 'user' });
  definition.index({ createdMs: -1, id: -1 }, { name: 'newest' });
  return definition;
}

export class MongoMailStore implements MailStore {
  private readonly model: Model<StoredMail>;

  constructor(connection: Connection) {
    this.model = connection.model<StoredMail>('Mail', schema());
  }

  ensureIndexes(): Promise<void> {
    return this.model.createIndexes();
  }

  async list(userId: number | undefined, slice: Slice): Promise<Page<Mail>> {
    const query = userId === undefined ? {} : { userId };
    const [mails, total] = await Promise.all([
      this.model
        .find(query)
        .sort({ createdMs: -1, id: -1 })
        .skip(slice.skip)
        .limit(slice.limit)
        .lean<StoredMail[]>()
        .exec(),
      this.model.countDocuments(query).exec(),
    ]);
    return { items: mails.map(({ _id, ...mail }) => ({ key: _id, ...mail })), total };
  }

  async removeOf(userId: number): Promise<void> {
    await this.model.deleteMany({ userId }).exec();
  }
}
