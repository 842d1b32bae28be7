import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditTarget } from '../../domain/audit';
import type { Announcement } from '../../domain/ports';
import type { RequestContext, Deps } from '../deps';

/** What was done to what. */
export interface AuditAction {
  action: string;
  kind: AuditTarget;
  id: number;
  /** Name of what is no user. */
  name?: string;
  /** What changed; no secrets, no mail addresses. */
  details?: Record<string, unknown>;
}

/** The audit entry of a write. */
function auditEntry(deps: Pick<Deps, 'now'>, context: RequestContext, action: AuditAction): AuditEntry {
  return {
    uid: randomUUID(),
    timeMs: deps.now(),
    actorId: context.caller.userId,
    actorName: context.caller.service ?? '',
    action: action.action,
    targetKind: action.kind,
    targetId: action.id,
    targetName: action.name ?? '',
    details: action.details ?? {},
    clientAddress: context.clientAddress,
    requestId: context.requestId,
  };
}

/** What a write announces: its audit entry and whose rights it changes (nobody's when left out). */
export function announce(
  deps: Pick<Deps, 'now'>,
  context: RequestContext,
  action: AuditAction,
  accessChanged?: number[],
): Announcement {
  return { audit: [auditEntry(deps, context, action)], ...(accessChanged ? { accessChanged } : {}) };
}

/** Names of the fields in which two states differ, for audit details. */
export function changedFields<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): string[] {
  return fields.filter((f) => JSON.stringify(before[f]) !== JSON.stringify(after[f]));
}
