import {
  can,
  canOnSite,
  denialMessage,
  isOpen,
  lacksSecondFactor,
  type AccessTarget,
  type Permission,
  type Caller,
} from '@parlance/access';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { MemoryEntry } from '../../domain/memory/entry';
import type { MemoryProject, MemorySight } from '../../domain/memory/ports';
import type { MemoryDeps } from './deps';

/** Whether the caller looks after the memory of the whole site. */
export function managesMemory(caller: Caller): boolean {
  return canOnSite(caller, 'memory.manage');
}

/** Reading needs no second factor. */
type Use = 'read' | 'write';

const targetOf = ({ id, accessControl, enforced2fa }: MemoryProject, use: Use): AccessTarget => ({
  projectId: id,
  accessControl,
  enforced2fa: use === 'write' && enforced2fa,
});

/**
 * The project, when the caller holds one of the permissions on it.
 * @throws INVALID on field project, PERMISSION_DENIED
 */
export async function permittedProject(
  deps: MemoryDeps,
  caller: Caller,
  id: number,
  permissions: readonly Permission[],
  use: Use,
): Promise<MemoryProject> {
  const project = await deps.projects.get(id);
  if (!project) throw fieldErrors([{ attr: 'project', code: 'does_not_exist', detail: 'There is no such project.' }]);
  if (!mayUse(caller, project, permissions, use)) {
    const message = denialMessage(caller, targetOf(project, use));
    throw new ServiceError('PERMISSION_DENIED', { message });
  }
  return project;
}

/** Who manages the memory of the site may use every project's, but without a second factor not change those that require one. */
function mayUse(caller: Caller, project: MemoryProject, permissions: readonly Permission[], use: Use): boolean {
  const target = targetOf(project, use);
  if (managesMemory(caller)) return !lacksSecondFactor(caller, target);
  return permissions.some((permission) => can(caller, permission, target));
}

/** Whether all who use the shared memory get what a project learns: texts that not everybody may see stay among those who may. */
export const sharesTexts = ({ accessControl, contributeShared }: MemoryProject): boolean =>
  contributeShared && isOpen(accessControl);

/** Whether the caller holds one of the permissions on an entry, or it is the caller's own. */
async function holds(
  deps: MemoryDeps,
  caller: Caller,
  entry: MemoryEntry,
  permissions: readonly Permission[],
  use: Use,
): Promise<boolean> {
  const project = entry.project ? await deps.projects.get(entry.project) : null;
  if (project) return mayUse(caller, project, permissions, use);
  return managesMemory(caller) || (entry.user !== 0 && entry.user === caller.userId);
}

/**
 * An entry that the caller may see or, with other permissions, change. Who manages no memory learns nothing of what there is.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function permittedEntry(
  deps: MemoryDeps,
  caller: Caller,
  id: number,
  permissions: readonly Permission[],
  use: Use,
): Promise<MemoryEntry> {
  const entry = await deps.store.get(id);
  if (entry && (await holds(deps, caller, entry, permissions, use))) return entry;
  const manager = managesMemory(caller) || permissions.some((permission) => canOnSite(caller, permission));
  throw new ServiceError(!entry && manager ? 'NOT_FOUND' : 'PERMISSION_DENIED');
}

/**
 * What a list or file may hold.
 * @param scope '', own, project or shared
 * @throws INVALID on field scope or project, PERMISSION_DENIED
 */
export async function permittedSight(
  deps: MemoryDeps,
  caller: Caller,
  { project, scope }: { project: number; scope: string },
): Promise<MemorySight> {
  if (!['', 'own', 'project', 'shared'].includes(scope))
    throw fieldErrors([{ attr: 'scope', code: 'invalid_choice', detail: `"${scope}" is not own, project or shared.` }]);
  if (scope === 'own') return { user: caller.userId };
  if (project) {
    await permittedProject(deps, caller, project, ['memory.edit', 'memory.delete'], 'read');
    return { project };
  }
  if (scope === 'project')
    throw fieldErrors([{ attr: 'project', code: 'required', detail: 'Name the project whose memory you want.' }]);
  if (!managesMemory(caller)) throw new ServiceError('PERMISSION_DENIED');
  return scope === 'shared' ? { shared: true } : 'everything';
}
