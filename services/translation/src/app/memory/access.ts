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
import type { MemoryProject, VisibleEntries } from '../../domain/memory/ports';
import type { MemoryDeps } from './deps';

export function managesMemory(caller: Caller): boolean {
  return canOnSite(caller, 'memory.manage');
}

/** Reading needs no second factor. */
type AccessMode = 'read' | 'write';

const targetOf = ({ id, accessControl, enforced2fa }: MemoryProject, mode: AccessMode): AccessTarget => ({
  projectId: id,
  accessControl,
  enforced2fa: mode === 'write' && enforced2fa,
});

/**
 * The project, when the caller holds one of the permissions on it.
 * @param generation catalog generation of a read; see MemoryProjects
 * @throws INVALID on field project, PERMISSION_DENIED
 */
export async function permittedProject(
  deps: MemoryDeps,
  caller: Caller,
  id: number,
  permissions: readonly Permission[],
  mode: AccessMode,
  generation?: string,
): Promise<MemoryProject> {
  const project = await deps.projects.get(id, generation);
  if (!project) throw fieldErrors([{ attr: 'project', code: 'does_not_exist', detail: 'The project does not exist.' }]);
  if (!mayUse(caller, project, permissions, mode)) {
    const message = denialMessage(caller, targetOf(project, mode));
    throw new ServiceError('PERMISSION_DENIED', { message });
  }
  return project;
}

/** A site manager may use the memory of every project, but needs a second factor to change that of a project that requires one. */
function mayUse(caller: Caller, project: MemoryProject, permissions: readonly Permission[], mode: AccessMode): boolean {
  const target = targetOf(project, mode);
  if (managesMemory(caller)) return !lacksSecondFactor(caller, target);
  return permissions.some((permission) => can(caller, permission, target));
}

/** Whether a project contributes to the shared memory. Projects with restricted access never do. */
export const sharesTexts = ({ accessControl, contributeShared }: MemoryProject): boolean =>
  contributeShared && isOpen(accessControl);

/** Whether the caller holds one of the permissions on an entry, or owns it. */
async function mayUseEntry(
  deps: MemoryDeps,
  caller: Caller,
  entry: MemoryEntry,
  permissions: readonly Permission[],
  mode: AccessMode,
  generation?: string,
): Promise<boolean> {
  const project = entry.project ? await deps.projects.get(entry.project, generation) : null;
  if (project) return mayUse(caller, project, permissions, mode);
  return managesMemory(caller) || (entry.user !== 0 && entry.user === caller.userId);
}

/**
 * An entry on which the caller holds one of the permissions. Only managers can distinguish missing from forbidden entries.
 * @param generation catalog generation of a read; see MemoryProjects
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function permittedEntry(
  deps: MemoryDeps,
  caller: Caller,
  id: number,
  permissions: readonly Permission[],
  mode: AccessMode,
  generation?: string,
): Promise<MemoryEntry> {
  const entry = await deps.store.get(id);
  if (entry && (await mayUseEntry(deps, caller, entry, permissions, mode, generation))) return entry;
  const manager = managesMemory(caller) || permissions.some((permission) => canOnSite(caller, permission));
  throw new ServiceError(!entry && manager ? 'NOT_FOUND' : 'PERMISSION_DENIED');
}

/**
 * The entries that the caller may list or export.
 * @param scope '', own, project or shared
 * @throws INVALID on field scope or project, PERMISSION_DENIED
 */
export async function visibleEntries(
  deps: MemoryDeps,
  caller: Caller,
  { project, scope }: { project: number; scope: string },
): Promise<VisibleEntries> {
  if (!['', 'own', 'project', 'shared'].includes(scope))
    throw fieldErrors([
      { attr: 'scope', code: 'invalid_choice', detail: `"${scope}" is not valid. Use own, project or shared.` },
    ]);
  if (scope === 'own') return { user: caller.userId };
  if (project) {
    await permittedProject(deps, caller, project, ['memory.edit', 'memory.delete'], 'read');
    return { project };
  }
  if (scope === 'project')
    throw fieldErrors([{ attr: 'project', code: 'required', detail: 'The scope "project" requires a project.' }]);
  if (!managesMemory(caller)) throw new ServiceError('PERMISSION_DENIED');
  return scope === 'shared' ? { shared: true } : 'everything';
}
