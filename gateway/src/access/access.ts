import {
  can,
  canOnSite,
  canSee,
  denialMessage,
  lacksSecondFactor,
  type AccessTarget,
  type Permission,
  type Caller,
} from '@parlance/access';
import type { catalog } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import type { Call } from '../routing/call';
import type { ComponentView } from '../directory/component-view';
import type { Access } from './definition';

export function projectTarget(project: catalog.Project__Output): AccessTarget {
  return { projectId: project.id, accessControl: project.accessControl, enforced2fa: project.enforced_2fa };
}

export function componentTarget({ component, project }: ComponentView, languageCode?: string): AccessTarget {
  return {
    ...projectTarget(project),
    componentId: component.id,
    restricted: component.restricted,
    ...(languageCode === undefined ? {} : { languageCode }),
  };
}

/** Whether the caller may see the owner of the component's repository; always true for the component's own repository. */
export function seesRepositoryOwner(caller: Caller, { component: c }: ComponentView): boolean {
  if (c.linkedComponentId === 0) return true;
  return canSee(caller, {
    projectId: c.linkedProjectId,
    accessControl: c.linkedAccessControl,
    componentId: c.linkedComponentId,
    restricted: c.linkedRestricted,
  });
}

/** The error for a denied request: 401 for anonymous callers, 403 for others. */
export function denied(call: Call, message?: string): ServiceError {
  return new ServiceError(call.caller.anonymous ? 'NOT_AUTHENTICATED' : 'PERMISSION_DENIED', { message });
}

/** The same for an object; the message names a missing second factor. */
export function deniedOn(call: Call, target: AccessTarget): ServiceError {
  return denied(call, denialMessage(call.caller, target));
}

/**
 * Checks the second factor for changes whose permission does not come from the project alone, such as those of its teams.
 * @param id 0: no project
 * @throws PERMISSION_DENIED if the project requires a second factor that the caller does not have
 */
export async function requireProjectFactor(call: Call, id: number): Promise<void> {
  const project = id ? (await call.directory.projectsById([id])).get(id) : undefined;
  if (!project) return;
  const target = projectTarget(project);
  if (lacksSecondFactor(call.caller, target)) throw deniedOn(call, target);
}

/** @throws NOT_AUTHENTICATED, PERMISSION_DENIED unless the caller holds the permission on the object */
export function requireOn(call: Call, permission: Permission, target: AccessTarget): void {
  if (!can(call.caller, permission, target)) throw deniedOn(call, target);
}

/** Reading needs no second factor, even if it requires a permission to change. */
const readsOnly = ({ request: { method } }: Call): boolean => method === 'GET' || method === 'HEAD';

/** @throws NOT_AUTHENTICATED, PERMISSION_DENIED */
export async function checkAccess(call: Call, access: Access, target: AccessTarget | undefined): Promise<void> {
  if (access === 'anyone') return;
  if (access === 'signed-in') {
    if (call.caller.anonymous) throw denied(call);
    return;
  }
  if (access === 'person') {
    if (call.caller.anonymous || call.caller.onlyProjects) throw denied(call);
    return;
  }
  if ('site' in access) {
    await access.of?.(call);
    if (!canOnSite(call.caller, access.site)) throw denied(call);
    return;
  }
  if ('ways' in access) {
    if (access.decide) await access.decide(call);
    else if (call.caller.anonymous) throw denied(call);
    return;
  }
  if ('cases' in access) {
    if (call.caller.anonymous) throw denied(call);
    return;
  }
  const found = access.of ? await access.of(call) : target;
  if (!found) throw new Error('the path of the endpoint names no object to check the permission on');
  const object = readsOnly(call) ? { ...found, enforced2fa: false } : found;
  if (access.people && call.caller.onlyProjects) throw denied(call, 'Project tokens cannot be used here.');
  if (!access.any.some((permission) => can(call.caller, permission, object))) {
    const message = denialMessage(call.caller, object);
    throw access.anonymousForbidden ? new ServiceError('PERMISSION_DENIED', { message }) : denied(call, message);
  }
}

/** Throws NOT_FOUND if the object is hidden from the caller. */
export function requireVisible(call: Call, target: AccessTarget): void {
  if (!canSee(call.caller, target)) throw new ServiceError('NOT_FOUND');
}
