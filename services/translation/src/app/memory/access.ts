import { can, canOnSite, isOpen, type AccessTarget, type Permission, type Principal } from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { MemoryEntry } from '../../domain/memory/entry';
import type { MemoryProject, MemorySight } from '../../domain/memory/ports';
import type { MemoryParts } from './parts';

/** Whether the caller looks after the memory of the whole site. */
export function managesMemory(principal: Principal): boolean {
  return canOnSite(principal, 'memory.manage');
}

const targetOf = ({ id, accessControl }: MemoryProject): AccessTarget => ({ projectId: id, accessControl });

/**
 * The project, when the caller holds one of the permissions on it.
 * @throws INVALID on field project, PERMISSION_DENIED
 */
export async function permittedProject(
  parts: MemoryParts,
  principal: Principal,
  id: number,
  permissions: readonly Permission[],
): Promise<MemoryProject> {
  const project = await parts.projects.get(id);
  if (!project) throw fieldErrors([{ attr: 'project', code: 'does_not_exist', detail: 'There is no such project.' }]);
  const held = permissions.some((permission) => can(principal, permission, targetOf(project)));
  if (!held && !managesMemory(principal)) throw new ServiceError('PERMISSION_DENIED');
  return project;
}

/** Whether all who use the shared memory get what a project learns: texts that not everybody may see stay among those who may. */
export const sharesTexts = ({ accessControl, contributeShared }: MemoryProject): boolean =>
  contributeShared && isOpen(accessControl);

/** Whether the caller holds one of the permissions on an entry, or it is the caller's own. */
async function holds(
  parts: MemoryParts,
  principal: Principal,
  entry: MemoryEntry,
  permissions: readonly Permission[],
): Promise<boolean> {
  if (managesMemory(principal)) return true;
  if (entry.user) return entry.user === principal.userId;
  const project = entry.project ? await parts.projects.get(entry.project) : null;
  return project !== null && permissions.some((permission) => can(principal, permission, targetOf(project)));
}

/**
 * An entry that the caller may see or, with other permissions, change. Who manages no memory learns nothing of what there is.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function permittedEntry(
  parts: MemoryParts,
  principal: Principal,
  id: number,
  permissions: readonly Permission[],
): Promise<MemoryEntry> {
  const entry = await parts.store.get(id);
  if (entry && (await holds(parts, principal, entry, permissions))) return entry;
  const manager = managesMemory(principal) || permissions.some((permission) => canOnSite(principal, permission));
  throw new ServiceError(!entry && manager ? 'NOT_FOUND' : 'PERMISSION_DENIED');
}

/**
 * What a list or file may hold.
 * @param scope '', own, project or shared
 * @throws INVALID on field scope or project, PERMISSION_DENIED
 */
export async function permittedSight(
  parts: MemoryParts,
  principal: Principal,
  { project, scope }: { project: number; scope: string },
): Promise<MemorySight> {
  if (!['', 'own', 'project', 'shared'].includes(scope))
    throw fieldErrors([{ attr: 'scope', code: 'invalid_choice', detail: `"${scope}" is not own, project or shared.` }]);
  if (scope === 'own') return { user: principal.userId };
  if (project) {
    await permittedProject(parts, principal, project, ['memory.edit', 'memory.delete']);
    return { project };
  }
  if (scope === 'project')
    throw fieldErrors([{ attr: 'project', code: 'required', detail: 'Name the project whose memory you want.' }]);
  if (!managesMemory(principal)) throw new ServiceError('PERMISSION_DENIED');
  return scope === 'shared' ? { shared: true } : 'everything';
}
