import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditTarget } from '../domain/audit';
import type { Announcement } from '../domain/ports';
import type { Caller, Identity } from './identity';

/** What was done to what. */
export interface Deed {
  action: string;
  kind: AuditTarget;
  id: number;
  /** Name of what is no user. */
  name?: string;
  /** What changed; no secrets, no mail addresses. */
  details?: Record<string, unknown>;
}

/** The audit entry of a write. */
function auditEntry(on: Pick<Identity, 'now'>, caller: Caller, deed: Deed): AuditEntry {
  return {
    uid: randomUUID(),
    timeMs: on.now(),
    actorId: caller.principal.userId,
    actorName: caller.principal.service ?? '',
    action: deed.action,
    targetKind: deed.kind,
    targetId: deed.id,
    targetName: deed.name ?? '',
    details: deed.details ?? {},
    clientAddress: caller.clientAddress,
    requestId: caller.requestId,
  };
}

/** What a write announces: its audit entry and whose rights it changes (nobody's when left out). */
export function announce(
  on: Pick<Identity, 'now'>,
  caller: Caller,
  deed: Deed,
  accessChanged?: number[],
): Announcement {
  return { audit: [auditEntry(on, caller, deed)], ...(accessChanged ? { accessChanged } : {}) };
}

/** Names of the fields in which two states differ, for audit details. */
export function changedFields<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): string[] {
  return fields.filter((f) => JSON.stringify(before[f]) !== JSON.stringify(after[f]));
}
