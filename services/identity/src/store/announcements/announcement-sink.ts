import type { OutgoingEvent } from '@parlance/events';
import { newEvent } from '@parlance/events';
import type { AuditEntry } from '../../domain/audit';
import type { Announcement } from '../../domain/ports';

/** Pending events and audit entries of a document, stored in the same write. */
export interface PendingAnnouncements {
  outbox: OutgoingEvent[];
  auditTrail: AuditEntry[];
}

/** Events and audit entries of a write. */
export function pendingOf(announcement: Announcement): PendingAnnouncements {
  const outbox: OutgoingEvent[] = [];
  if (announcement.accessChanged) {
    const key = announcement.accessChanged[0] ?? 0;
    outbox.push(newEvent('identity', 'accessChanged', { userIds: announcement.accessChanged }, key));
  }
  if (announcement.userDeleted) {
    outbox.push(newEvent('identity', 'userDeleted', announcement.userDeleted, announcement.userDeleted.userId));
  }
  return { outbox, auditTrail: announcement.audit };
}

/** Publishes announcements of writes. */
export interface AnnouncementSink {
  /** Called between each write and its response. */
  announce(collection: string, documentId: number, pending: PendingAnnouncements): Promise<void>;
}
