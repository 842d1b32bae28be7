import type { AuditEntry } from '../../../src/domain/audit';
import type { AuditFilter, AuditStore, Page, PageRequest } from '../../../src/domain/ports';
import type { Announced } from './announced';
import { page } from './page';

export class MemoryAuditStore implements AuditStore {
  constructor(private readonly announced: Announced) {}

  record(entries: readonly AuditEntry[]): Promise<void> {
    this.announced.all.push({ audit: [...entries] });
    return Promise.resolve();
  }

  list(filter: AuditFilter, pageRequest: PageRequest): Promise<Page<AuditEntry & { id: number }>> {
    const entries = this.announced.audit.map((entry, index) => ({ ...entry, id: index + 1 }));
    const wanted = entries.filter(
      (e) =>
        (filter.actorId === undefined || e.actorId === filter.actorId) &&
        (!filter.action || e.action.startsWith(filter.action)) &&
        (!filter.target || (e.targetKind === filter.target.kind && e.targetId === filter.target.id)),
    );
    return Promise.resolve(page(wanted.reverse(), pageRequest));
  }

  forgetAddresses(actorId: number): Promise<void> {
    for (const entry of this.announced.audit) if (entry.actorId === actorId) entry.clientAddress = '';
    return Promise.resolve();
  }
}
