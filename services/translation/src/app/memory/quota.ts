import { fieldErrors } from '@parlance/errors';
import type { NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryDeps } from './deps';

/**
 * Checks that new entries fit into their owner's memory. The shared memory of the site, which only its managers fill, has no quota.
 * @param count entries to add, including those that may be there already
 * @param entries the same, to tell the new ones apart where there is not enough room for all
 * @throws INVALID on the field
 */
export async function requireQuota(
  { store, quotas }: Pick<MemoryDeps, 'store' | 'quotas'>,
  { project, user }: Pick<NewMemoryEntry, 'project' | 'user'>,
  count: number,
  entries: AsyncIterable<readonly NewMemoryEntry[]>,
  attr: string | null,
): Promise<void> {
  const quota = project ? quotas.perProject : user ? quotas.perUser : Infinity;
  if (quota === Infinity) return;
  const room = quota - (await store.count(project ? { project } : { user }, quota));
  if (count <= room) return;
  const fresh = new Set<string>();
  for await (const batch of entries) {
    for (const key of await store.missing(batch)) fresh.add(key);
    if (fresh.size <= room) continue;
    const [whose, setting] = project
      ? ['the project', 'PARLANCE_MEMORY_ENTRIES_PER_PROJECT']
      : ['a user', 'PARLANCE_MEMORY_ENTRIES_PER_USER'];
    const detail = `The memory of ${whose} holds at most ${quota} entries (${setting}); there is room for ${Math.max(0, room)} more.`;
    throw fieldErrors([{ attr, code: 'quota', detail }]);
  }
}
