import type { AuditEntry } from '../../../src/domain/audit';
import type { Announcement } from '../../../src/domain/ports';

/** Recorded announcements in order; the audit store reads from it. */
export class Announced {
  readonly all: Announcement[] = [];
  get audit(): AuditEntry[] {
    return this.all.flatMap((a) => a.audit);
  }
}
