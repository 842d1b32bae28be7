import type { Connection, Model } from 'mongoose';
import { KEEP_MS, LINES_MAX, PASSWORD_RESET, SECURITY, type Mail, type MailPart } from '../domain/notifications/mail';
import type { MailStore, Page, PageRequest } from '../domain/ports';
import { frequencies, notificationNames } from '../domain/notifications/subscription';
import type { Ids } from './ids';
import { documentSchema, duplicatesIn, optional, required, type DocumentOf } from '@parlance/store-kit';

/** Maximum remembered sources of a mail; older sources of a larger digest cannot be repeated any more. */
const SOURCES_MAX = 2000;

const mail = documentSchema('mails', {
  /** The mail's key. */
  _id: required(String),
  id: required(Number),
  /** 0: the recipient has no account. */
  userId: required(Number),
  /** Absent: the user's address. */
  to: optional(String),
  notification: required(String, { enum: [...notificationNames, SECURITY, PASSWORD_RESET] as const }),
  frequency: required(Number, { enum: Object.values(frequencies) }),
  state: required(String, { enum: ['waiting', 'sent', 'failed', 'kept'] }),
  createdMs: required(Number),
  dueMs: required(Number),
  sentMs: required(Number),
  attempts: required(Number, { min: 0 }),
  error: required(String),
  lines: required([String]),
  count: required(Number, { min: 0 }),
  sealedLink: optional(String),
  /** Sources already added, for idempotency. */
  sources: required([String]),
  /** Time at which the store deletes the mail. */
  expireAt: required(Date),
});
mail.index({ id: 1 }, { name: 'id' });
mail.index({ state: 1, dueMs: 1 }, { name: 'due' });
mail.index({ userId: 1, createdMs: -1 }, { name: 'user' });
mail.index({ createdMs: -1, id: -1 }, { name: 'newest' });
mail.index({ expireAt: 1 }, { name: 'expire', expireAfterSeconds: 0 });
type StoredMail = DocumentOf<typeof mail>;

function toMail({ _id, sources: _sources, expireAt: _expireAt, ...rest }: StoredMail): Mail {
  return { key: _id, ...rest };
}

export const mailModel = (connection: Connection) => connection.model<StoredMail>('Mail', mail);

export class MongoMailStore implements MailStore {
  private readonly model: Model<StoredMail>;

  constructor(
    connection: Connection,
    private readonly ids: Ids,
  ) {
    this.model = mailModel(connection);
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
      await this.model.updateOne(unlessAdded, change, { upsert: true }).exec().catch(duplicatesIn);
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
    const claimed = await this.model
      .findOneAndUpdate(due, { $set: { dueMs: untilMs } }, { sort: { dueMs: 1 }, returnDocument: 'after' })
      .lean<StoredMail>()
      .exec();
    return claimed ? toMail(claimed) : undefined;
  }

  async settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void> {
    const { state, sentMs, error, dueMs, attempts } = result;
    await this.model.updateOne({ id }, { $set: { state, sentMs, error, dueMs, attempts } }).exec();
  }

  async removeOf(userId: number): Promise<void> {
    await this.model.deleteMany({ userId }).exec();
  }
}
