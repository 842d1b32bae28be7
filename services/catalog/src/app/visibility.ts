import { can, canOnSite, canSee, denialMessage, type AccessTarget, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component, Project } from '../domain/objects';
import type { CatalogSnapshot } from './caches/catalog-snapshot';
import type { RequestContext } from './deps';

/** The object that a permission is checked on. */
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

/** @throws PERMISSION_DENIED unless the caller is a service */
export function requireService(context: RequestContext): void {
  if (!context.caller.service) throw denied(context);
}

function denied(context: RequestContext, message?: string): ServiceError {
  return new ServiceError(context.caller.anonymous ? 'NOT_AUTHENTICATED' : 'PERMISSION_DENIED', { message });
}

/** Objects of the catalog that are hidden from a caller. */
export interface HiddenObjects {
  projects: ReadonlySet<number>;
  /** Hidden components of visible projects. */
  components: ReadonlySet<number>;
}

/** Objects hidden from the caller, according to an up-to-date snapshot. */
export function hiddenFrom({ caller }: RequestContext, snapshot: CatalogSnapshot): HiddenObjects {
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
  // Teams with a component list see only these components of a private project. The id -1 stands for "no other components".
  for (const id of snapshot.closed()) {
    if (projects.has(id) || sees(id, -1)) continue;
    for (const c of snapshot.componentsOf(id))
      if (!sees(id, c, snapshot.components.get(c)!.restricted)) components.add(c);
  }
  return { projects, components };
}
