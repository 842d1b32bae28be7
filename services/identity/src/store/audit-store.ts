import type { Connection, Model } from 'mongoose';
import type { AuditEntry } from '../domain/audit';
import type { AuditFilter, AuditStore, Page, PageRequest } from '../domain/ports';
import { auditFields } from './announcements/announcement-fields';
import type { Ids } from './ids';
import { documentSchema, duplicatesIn, required, type DocumentOf } from '@parlance/store-kit';

const entry = documentSchema('audit', { _id: required(String), id: required(Number), ...auditFields });
entry.index({ timeMs: -1, id: -1 }, { name: 'newest' });
entry.index({ actorId: 1, timeMs: -1 }, { name: 'actor' });
entry.index({ targetKind: 1, targetId: 1, timeMs: -1 }, { name: 'target' });
type StoredEntry = DocumentOf<typeof entry>;

export const auditModel = (connection: Connection) => connection.model<StoredEntry>('AuditEntry', entry);

export class MongoAuditStore implements AuditStore {
  private readonly model: Model<StoredEntry>;

  constructor(
    connection: Connection,
    private readonly ids: Ids,
  ) {
    this.model = auditModel(connection);
  }

  /** Adds entries; existing ones are unchanged. */
  async record(entries: readonly AuditEntry[]): Promise<void> {
    for (const { uid, ...entry } of entries) {
      const id = await this.ids.next('audit');
      // The periodic pass and the writing process may record the same entry concurrently.
      await this.model
        .updateOne({ _id: uid }, { $setOnInsert: { ...entry, id } }, { upsert: true })
        .exec()
        .catch(duplicatesIn);
    }
  }

  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry & { id: number }>> {
    const query = {
      ...(filter.actorId === undefined ? {} : { actorId: filter.actorId }),
      ...(filter.action ? { action: { $gte: filter.action, $lt: `${filter.action}\u{10ffff}` } } : {}),
      ...(filter.target
        ? { targetKind: filter.target.kind as AuditEntry['targetKind'], targetId: filter.target.id }
        : {}),
    };
    const [entries, total] = await Promise.all([
      this.model
        .find(query)
        .sort({ timeMs: -1, id: -1 })
        .skip(page.skip)
        .limit(page.limit)
        .lean<StoredEntry[]>()
        .exec(),
      this.model.countDocuments(query).exec(),
    ]);
    return { items: entries.map(({ _id, ...entry }) => ({ uid: _id, ...entry })), total };
  }

  async forgetAddresses(actorId: number): Promise<void> {
    await this.model.updateMany({ actorId }, { $set: { clientAddress: '' } }).exec();
  }
}
