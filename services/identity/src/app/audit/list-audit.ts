import type { AuditEntry } from '../../domain/audit';
import type { AuditFilter, Page, PageRequest } from '../../domain/ports';
import type { RequestContext, Deps } from '../deps';
import { requireSuperuser } from '../rights';

/** An entry with the current names of its users. */
export type NamedAuditEntry = AuditEntry & { id: number };

export async function listAudit(
  deps: Pick<Deps, 'users' | 'audit'>,
  context: RequestContext,
  filter: AuditFilter,
  pageRequest: PageRequest,
): Promise<Page<NamedAuditEntry>> {
  requireSuperuser(context);
  const page = await deps.audit.list(filter, pageRequest);
  const ids = page.items.flatMap((e) => [e.actorId, ...(e.targetKind === 'user' ? [e.targetId] : [])]);
  const users = await deps.users.many([...new Set(ids.filter((id) => id !== 0))]);
  const names = new Map(users.map((u) => [u.id, u.username]));
  const items = page.items.map((entry) => ({
    ...entry,
    actorName: names.get(entry.actorId) ?? entry.actorName,
    targetName: entry.targetKind === 'user' ? (names.get(entry.targetId) ?? '') : entry.targetName,
  }));
  return { items, total: page.total };
}
