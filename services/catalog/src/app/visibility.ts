import { can, canOnSite, canSee, denialMessage, type AccessTarget, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component, Project } from '../domain/objects';
import type { CatalogSnapshot } from './caches/catalog-snapshot';
import type { RequestContext } from './deps';

/** What a permission is looked up on. */
export function targetOf(project: Project, component?: Component): AccessTarget {
  const { accessControl, enforced_2fa: enforced2fa } = project.settings;
  const target: AccessTarget = { projectId: project.id, accessControl, enforced2fa };
  return component ? { ...target, componentId: component.id, restricted: component.settings.restricted } : target;
}

/** @throws PERMISSION_DENIED */
export function requirePermission(context: RequestContext, permission: Permission, target: AccessTarget): void {
  if (!can(context.caller, permission, target)) throw denied(context, denialMessage(context.caller, target));
}

/** @throws PERMISSION_DENIED */
export function requireSitePermission(context: RequestContext, permission: Permission): void {
  if (!canOnSite(context.caller, permission)) throw denied(context);
}

/** @throws PERMISSION_DENIED unless a process of the system asks for itself */
export function requireService(context: RequestContext): void {
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
export function hiddenFrom({ caller }: RequestContext, snapshot: CatalogSnapshot): Hidden {
  const projects = new Set<number>();
  const components = new Set<number>();
  const sees = (projectId: number, componentId?: number, restricted = false) => {
    const accessControl = snapshot.projects.get(projectId)?.accessControl ?? 0;
    return canSee(caller, {
      projectId,
      accessControl,
      ...(componentId === undefined ? {} : { componentId, restricted }),
    });
  };
  if (caller.onlyProjects) {
    for (const id of snapshot.projectIds.all()) if (!sees(id)) projects.add(id);
  } else {
    if (caller.isSuperuser) return { projects, components };
    for (const id of snapshot.closed()) if (!sees(id)) projects.add(id);
  }
  for (const id of snapshot.restricted()) {
    const { projectId } = snapshot.components.get(id)!;
    if (!projects.has(projectId) && !sees(projectId, id, true)) components.add(id);
  }
  // Teams that list components open only these of a closed project: the others stay hidden. No component has the id -1.
  for (const id of snapshot.closed()) {
    if (projects.has(id) || sees(id, -1)) continue;
    for (const c of snapshot.componentsOf(id))
      if (!sees(id, c, snapshot.components.get(c)!.restricted)) components.add(c);
  }
  return { projects, components };
}
