import { OutboxRelay, type EventBus } from '@parlance/events';
import { logger } from '@parlance/telemetry';
import type { AuditEntry } from '../../domain/audit';
import type { AnnouncementSink, PendingAnnouncements } from './announcement-sink';
import type { MongoAuditStore } from '../audit-store';
import { documentKey, type PendingAnnouncementsStore } from './pending-announcements-store';

/** Writes to these collections change permissions. Projects decide who sees their teams and bots. */
const accessCollections = new Set(['users', 'groups', 'roles', 'projects']);

/** Age of an unrecorded audit entry before the periodic pass handles it, in milliseconds. */
const AUDIT_GRACE_MS = 4_000;

/**
 * Publishes the announcements of writes: invalidates the gateways' caches, records audit entries, publishes events. The periodic
 * pass repeats this after a crash.
 */
export class WriteAnnouncer implements AnnouncementSink {
  private readonly outboxRelay: OutboxRelay<string>;
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly bus: Pick<EventBus, 'publish'>,
    private readonly pendingStore: PendingAnnouncementsStore,
    private readonly audit: MongoAuditStore,
    private readonly dropCaches: () => Promise<void>,
    /** Handles audit entries further. Idempotent. */
    private readonly follow: (entries: readonly AuditEntry[]) => Promise<void> = () => Promise.resolve(),
  ) {
    const publish: EventBus['publish'] = async (event) => {
      // The writing process may have crashed before it invalidated the caches.
      if (event.payloadName === 'accessChanged') await dropCaches();
      return bus.publish(event);
    };
    this.outboxRelay = new OutboxRelay({ publish }, pendingStore);
  }

  async announce(collection: string, documentId: number, pending: PendingAnnouncements): Promise<void> {
    if (accessCollections.has(collection)) await this.dropCaches();
    await this.publishPending(documentKey(collection, documentId), pending);
  }

  /** The write is durable and contains its announcements, so a failure is only logged: the periodic pass retries. */
  private async publishPending(key: string, { outbox, auditTrail }: PendingAnnouncements): Promise<void> {
    if (outbox.length === 0 && auditTrail.length === 0) return;
    try {
      await Promise.all([
        this.audit.record(auditTrail),
        this.follow(auditTrail),
        ...outbox.map((event) => this.bus.publish(event)),
      ]);
      const ids = outbox.map((e) => e.id);
      const uids = auditTrail.map((e) => e.uid);
      await this.pendingStore.take(key, ids, uids);
    } catch (error) {
      logger.warn({ err: error }, 'publishing announcements failed; the periodic pass retries');
    }
  }

  /** Publishes pending events and audit entries; returns the number of events. */
  async relayOnce(graceMs = AUDIT_GRACE_MS): Promise<number> {
    for (const { key, entries } of await this.pendingStore.pendingAudit(Date.now() - graceMs, 1000)) {
      await this.publishPending(key, { outbox: [], auditTrail: entries });
    }
    return this.outboxRelay.relayOnce(graceMs);
  }

  start(everyMs = AUDIT_GRACE_MS): void {
    const run = () => {
      this.pass = this.relayOnce().catch((error: unknown) =>
        logger.warn({ err: error }, 'publishing pending announcements failed'),
      );
    };
    run();
    this.timer = setInterval(run, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.pass;
  }
}
