import { can, canOnSite, canSee, denialMessage, type AccessTarget, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component, Project } from '../domain/objects';
import type { Directory } from './directory';
import type { Actor } from './parts';

/** What a permission is looked up on. */
export function targetOf(project: Project, component?: Component): AccessTarget {
  const { accessControl, enforced_2fa: enforced2fa } = project.settings;
  const target: AccessTarget = { projectId: project.id, accessControl, enforced2fa };
  return component ? { ...target, componentId: component.id, restricted: component.settings.restricted } : target;
}

/** @throws PERMISSION_DENIED */
export function demand(actor: Actor, permission: Permission, target: AccessTarget): void {
  if (!can(actor.principal, permission, target)) throw denied(actor, denialMessage(actor.principal, target));
}

/** @throws PERMISSION_DENIED */
export function demandOnSite(actor: Actor, permission: Permission): void {
  if (!canOnSite(actor.principal, permission)) throw denied(actor);
}

/** @throws PERMISSION_DENIED unless a process of the system asks for itself */
export function demandProcess(actor: Actor): void {
  if (!actor.principal.service) throw denied(actor);
}

function denied(actor: Actor, message?: string): ServiceError {
  return new ServiceError(actor.principal.anonymous ? 'NOT_AUTHENTICATED' : 'PERMISSION_DENIED', { message });
}

/** What a caller may see of the catalog: all but these. */
export interface Hidden {
  projects: ReadonlySet<number>;
  /** Components of projects that are not hidden. */
  components: ReadonlySet<number>;
}

/** What the caller may not see, by a directory that is up to date. */
export function hiddenFrom({ principal }: Actor, directory: Directory): Hidden {
  const projects = new Set<number>();
  const components = new Set<number>();
  const sees = (projectId: number, componentId?: number, restricted = false) => {
    const accessControl = directory.projects.get(projectId)?.accessControl ?? 0;
    return canSee(principal, {
      projectId,
      accessControl,
      ...(componentId === undefined ? {} : { componentId, restricted }),
    });
  };
  if (principal.onlyProjects) {
    for (const id of directory.projectIds.all()) if (!sees(id)) projects.add(id);
  } else {
    if (principal.isSuperuser) return { projects, components };
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
