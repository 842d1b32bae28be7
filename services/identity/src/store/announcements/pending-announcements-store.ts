import type { OutboxEntry, OutboxStore, OutgoingEvent } from '@parlance/events';
import type { Connection } from 'mongoose';
import type { AuditEntry } from '../../domain/audit';
import type { PendingAnnouncements } from './announcement-sink';
import { countUpTo } from '@parlance/store-kit';

type Announcing = Partial<PendingAnnouncements> & { _id: number };

/** Collections with announcements. */
const collections = ['users', 'groups', 'roles'] as const;

/** Key of a document across collections. */
export function documentKey(collection: string, id: number): string {
  return `${collection}:${id}`;
}

function parse(key: string): { collection: string; id: number } {
  const [collection, id] = key.split(':') as [string, string];
  return { collection, id: Number(id) };
}

/** Filter of documents with events from before a time. */
const unpublished = (beforeMs: number) => ({ 'outbox.id': { $gt: '' }, 'outbox.timeMs': { $lt: beforeMs } });

/** Finds and removes pending announcements of documents. */
export class PendingAnnouncementsStore implements OutboxStore<string> {
  constructor(private readonly connection: Connection) {}

  async pending(beforeMs: number, limit: number): Promise<OutboxEntry<string>[]> {
    const found: OutboxEntry<string>[] = [];
    for (const name of collections) {
      if (found.length >= limit) break;
      const documents = await this.collection(name)
        .find(unpublished(beforeMs), { projection: { outbox: 1 } })
        .limit(limit - found.length)
        .toArray();
      for (const document of documents) {
        const events = (document.outbox ?? []).filter((e: OutgoingEvent) => e.timeMs < beforeMs);
        found.push({ documentId: documentKey(name, document._id), events });
      }
    }
    return found;
  }

  count(beforeMs: number, limit: number): Promise<number> {
    const all = collections.map((name) => this.collection(name));
    return countUpTo(all, unpublished(beforeMs), limit);
  }

  remove(key: string, eventIds: string[]): Promise<void> {
    return this.take(key, eventIds, []);
  }

  /** Removes published announcements from a document. */
  async take(key: string, eventIds: string[], auditUids: string[]): Promise<void> {
    const { collection, id } = parse(key);
    const pull = {
      ...(eventIds.length > 0 ? { outbox: { id: { $in: eventIds } } } : {}),
      ...(auditUids.length > 0 ? { auditTrail: { uid: { $in: auditUids } } } : {}),
    };
    await this.collection(collection).updateOne({ _id: id }, { $pull: pull });
  }

  /** Audit entries stored with their documents but not recorded yet. */
  async pendingAudit(beforeMs: number, limit: number): Promise<{ key: string; entries: AuditEntry[] }[]> {
    const found: { key: string; entries: AuditEntry[] }[] = [];
    for (const name of collections) {
      if (found.length >= limit) break;
      const documents = await this.collection(name)
        .find(
          { 'auditTrail.uid': { $gt: '' }, 'auditTrail.timeMs': { $lt: beforeMs } },
          { projection: { auditTrail: 1 } },
        )
        .limit(limit - found.length)
        .toArray();
      for (const d of documents) found.push({ key: documentKey(name, d._id), entries: d.auditTrail ?? [] });
    }
    return found;
  }

  private collection(name: string) {
    return this.connection.collection<Announcing>(name);
  }
}
