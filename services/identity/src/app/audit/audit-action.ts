import { randomUUID } from 'node:crypto';
import type { AuditEntry, AuditTarget } from '../../domain/audit';
import type { Announcement } from '../../domain/ports';
import type { RequestContext, Deps } from '../deps';

/** An audited action and its target. */
export interface AuditAction {
  action: string;
  /** Default: the caller. */
  actorId?: number;
  kind: AuditTarget;
  id: number;
  /** Name of a target that is not a user. */
  name?: string;
  /** What changed; no secrets, no mail addresses. */
  details?: Record<string, unknown>;
}

/** The audit entry of a write. */
function auditEntry(deps: Pick<Deps, 'now'>, context: RequestContext, action: AuditAction): AuditEntry {
  return {
    uid: randomUUID(),
    timeMs: deps.now(),
    actorId: action.actorId ?? context.caller.userId,
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

/** The announcement of a write. @param accessChanged users whose permissions change; empty: all; absent: none */
export function announce(
  deps: Pick<Deps, 'now'>,
  context: RequestContext,
  action: AuditAction,
  accessChanged?: number[],
): Announcement {
  return { audit: [auditEntry(deps, context, action)], ...(accessChanged ? { accessChanged } : {}) };
}

/** Records an action that writes to no document with an audit trail. Called before the action, so that a crash leaves none unrecorded. */
export async function recordAudit(
  deps: Pick<Deps, 'audit' | 'now'>,
  context: RequestContext,
  action: AuditAction,
): Promise<void> {
  await deps.audit.record([auditEntry(deps, context, action)]);
}

/** Names of the fields in which two states differ, for audit details. */
export function changedFields<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): string[] {
  return fields.filter((f) => JSON.stringify(before[f]) !== JSON.stringify(after[f]));
}
