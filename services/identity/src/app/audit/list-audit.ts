import type { AuditEntry } from '../../domain/audit';
import type { AuditFilter, Page, Slice } from '../../domain/ports';
import type { RequestContext, Identity } from '../deps';
import { requireSuperuser } from '../rights';

/** An entry with the names that its users have now. */
export type NamedAuditEntry = AuditEntry & { id: number };

export async function listAudit(
  on: Identity,
  context: RequestContext,
  filter: AuditFilter,
  slice: Slice,
): Promise<Page<NamedAuditEntry>> {
  requireSuperuser(context);
  const page = await on.audit.list(filter, slice);
  const ids = page.items.flatMap((e) => [e.actorId, ...(e.targetKind === 'user' ? [e.targetId] : [])]);
  const users = await on.users.many([...new Set(ids.filter((id) => id !== 0))]);
  const names = new Map(users.map((u) => [u.id, u.username]));
  const items = page.items.map((entry) => ({
    ...entry,
    actorName: names.get(entry.actorId) ?? entry.actorName,
    targetName: entry.targetKind === 'user' ? (names.get(entry.targetId) ?? '') : entry.targetName,
  }));
  return { items, total: page.total };
}
