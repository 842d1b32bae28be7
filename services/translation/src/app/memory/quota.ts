import { fieldErrors } from '@parlance/errors';
import type { NewMemoryEntry } from '../../domain/memory/entry';
import type { MemoryDeps } from './deps';

/**
 * Checks the quota of the entries' owner. The shared memory, to which only site managers add, has no quota.
 * @param count entries to add, including existing ones
 * @param entries the same entries, read only if `count` exceeds the quota, to exclude existing ones
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
  const available = quota - (await store.count(project ? { project } : { user }, quota));
  if (count <= available) return;
  const newKeys = new Set<string>();
  for await (const batch of entries) {
    for (const key of await store.missing(batch)) newKeys.add(key);
    if (newKeys.size <= available) continue;
    const [whose, setting] = project
      ? ['a project', 'PARLANCE_MEMORY_ENTRIES_PER_PROJECT']
      : ['a user', 'PARLANCE_MEMORY_ENTRIES_PER_USER'];
    const detail = `The memory of ${whose} may contain at most ${quota} entries (${setting}); ${available} more are available.`;
    throw fieldErrors([{ attr, code: 'quota', detail }]);
  }
}
