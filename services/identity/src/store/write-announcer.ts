import { OutboxRelay, type EventBus } from '@parlance/events';
import { logger } from '@parlance/telemetry';
import type { AuditEntry } from '../domain/audit';
import type { AnnouncementSink, PendingAnnouncements } from './announcement-sink';
import type { MongoAuditStore } from './audit-store';
import { documentKey, type PendingAnnouncementsStore } from './pending-announcements-store';

/** Writes to these collections change what callers may do. */
const accessCollections = new Set(['users', 'groups', 'roles']);

/** How old an unrecorded audit entry is before the periodic pass takes it, in milliseconds. */
const AUDIT_GRACE_MS = 4_000;

/**
 * Passes on what writes announce: drops the gateways' caches, records the audit entries, publishes the events. The periodic pass
 * does the same for what a crash left behind.
 */
export class WriteAnnouncer implements AnnouncementSink {
  private readonly leftOutbox: OutboxRelay<string>;
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly bus: Pick<EventBus, 'publish'>,
    private readonly leftovers: PendingAnnouncementsStore,
    private readonly audit: MongoAuditStore,
    private readonly dropCaches: () => Promise<void>,
    /** Does what else follows from audit entries. Repeatable. */
    private readonly follow: (entries: readonly AuditEntry[]) => Promise<void> = () => Promise.resolve(),
  ) {
    const publish: EventBus['publish'] = async (event) => {
      // The process that wrote may have stopped before it could drop the caches.
      if (event.payloadName === 'accessChanged') await dropCaches();
      return bus.publish(event);
    };
    this.leftOutbox = new OutboxRelay({ publish }, leftovers);
  }

  async written(collection: string, documentId: number, pending: PendingAnnouncements): Promise<void> {
    if (accessCollections.has(collection)) await this.dropCaches();
    await this.passOn(documentKey(collection, documentId), pending);
  }

  /** The write is durable and holds what it announces, so a failure here is only logged: the periodic pass tries again. */
  private async passOn(key: string, { outbox, auditTrail }: PendingAnnouncements): Promise<void> {
    if (outbox.length === 0 && auditTrail.length === 0) return;
    try {
      await Promise.all([
        this.audit.record(auditTrail),
        this.follow(auditTrail),
        ...outbox.map((event) => this.bus.publish(event)),
      ]);
      const ids = outbox.map((e) => e.id);
      const uids = auditTrail.map((e) => e.uid);
      await this.leftovers.take(key, ids, uids);
    } catch (error) {
      logger.warn({ err: error }, 'what a write announces stays in its document for now');
    }
  }

  /** Passes on what is left of events and audit entries; answers how many events there were. */
  async relayOnce(graceMs = AUDIT_GRACE_MS): Promise<number> {
    for (const { key, entries } of await this.leftovers.pendingAudit(Date.now() - graceMs, 1000)) {
      await this.passOn(key, { outbox: [], auditTrail: entries });
    }
    return this.leftOutbox.relayOnce(graceMs);
  }

  start(everyMs = AUDIT_GRACE_MS): void {
    const run = () => {
      this.pass = this.relayOnce().catch((error: unknown) =>
        logger.warn({ err: error }, 'announcing what is left failed'),
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
