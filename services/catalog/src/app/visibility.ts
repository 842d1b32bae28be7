import { can, canOnSite, canSee, denialMessage, type AccessTarget, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component, Project } from '../domain/objects';
import type { Directory } from './caches/catalog-snapshot';
import type { RequestContext } from './deps';

/** What a permission is looked up on. */
export function targetOf(project: Project, component?: Component): AccessTarget {
  const { accessControl, enforced_2fa: enforced2fa } = project.settings;
  const target: AccessTarget = { projectId: project.id, accessControl, enforced2fa };
  return component ? { ...target, componentId: component.id, restricted: component.settings.restricted } : target;
}

/** @throws PERMISSION_DENIED */
export function demand(context: RequestContext, permission: Permission, target: AccessTarget): void {
  if (!can(context.caller, permission, target)) throw denied(context, denialMessage(context.caller, target));
}

/** @throws PERMISSION_DENIED */
export function demandOnSite(context: RequestContext, permission: Permission): void {
  if (!canOnSite(context.caller, permission)) throw denied(context);
}

/** @throws PERMISSION_DENIED unless a process of the system asks for itself */
export function demandProcess(context: RequestContext): void {
  if (!context.caller.service) throw denied(context);
}

function denied(context: RequestContext, message?: string): ServiceError {
  return new ServiceError(context.caller.anonymous ? 'NOT_AUTHENTICATED' : 'PERMISSION_DENIED', { message });
}

/** What a caller may see of the catalog: all but these. */
export interface Hidden {
  projects: ReadonlySet<number>;
  /** Components of projects that are not hidden. */
  components: ReadonlySet<number>;
}

/** What the caller may not see, by a directory that is up to date. */
export function hiddenFrom({ caller }: RequestContext, directory: Directory): Hidden {
  const projects = new Set<number>();
  const components = new Set<number>();
  const sees = (projectId: number, componentId?: number, restricted = false) => {
    const accessControl = directory.projects.get(projectId)?.accessControl ?? 0;
    return canSee(caller, {
      projectId,
      accessControl,
      ...(componentId === undefined ? {} : { componentId, restricted }),
    });
  };
  if (caller.onlyProjects) {
    for (const id of directory.projectIds.all()) if (!sees(id)) projects.add(id);
  } else {
    if (caller.isSuperuser) return { projects, components };
    for (const id of directory.closed()) if (!sees(id)) projects.add(id);
  }
  for (const id of directory.restricted()) {
    const { projectId } = directory.components.get(id)!;
    if (!projects.has(projectId) && !sees(projectId, id, true)) components.add(id);
  }
  // Teams that list components open only these of a closed project: the others stay hidden. No component has the id -1.
  for (const id of directory.closed()) {
    if (projects.has(id) || sees(id, -1)) continue;
    for (const c of directory.componentsOf(id))
      if (!sees(id, c, directory.components.get(c)!.restricted)) components.add(c);
  }
  return { projects, components };
}
