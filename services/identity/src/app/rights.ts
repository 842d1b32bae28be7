import { can, canOnSite, hasSecondFactor, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Group } from '../domain/permissions/group';
import { ANONYMOUS_ID, type User } from '../domain/user';
import type { RequestContext, Deps } from './deps';

/** Whether the caller holds one of these permissions on the whole site. */
export function holdsOnSite(context: RequestContext, ...permissions: Permission[]): boolean {
  return permissions.some((p) => canOnSite(context.caller, p));
}

/** @throws PERMISSION_DENIED, or NOT_AUTHENTICATED for anonymous callers */
export function denyAccess(context: RequestContext, message?: string): never {
  if (context.caller.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
  throw new ServiceError('PERMISSION_DENIED', message === undefined ? {} : { message });
}

export function requireOnSite(context: RequestContext, permission: Permission): void {
  if (!holdsOnSite(context, permission)) denyAccess(context);
}

/** Admits superusers and services; the operator's command authenticates as a service. */
export function requireSuperuser(context: RequestContext): void {
  if (!context.caller.isSuperuser) denyAccess(context);
}

/** Admits services only. */
export function requireService(context: RequestContext): void {
  if (!context.caller.service) denyAccess(context, 'Only services may make this call.');
}

/** Whether the caller may manage a project's teams and tokens. */
export async function managesProject(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  projectId: number,
): Promise<boolean> {
  if (projectId === 0) return false;
  if (context.caller.isSuperuser && !context.caller.onlyProjects) return true;
  const project = await deps.projects.get(projectId);
  // A project whose creation event has not arrived counts as private.
  const target = { projectId, accessControl: project?.accessControl ?? 100 };
  return can(context.caller, 'project.permissions', target);
}

/** Changing a team that requires a second factor requires one; otherwise its members could remove the requirement. */
export function requireSecondFactorOfTeam(context: RequestContext, group: Pick<Group, 'enforced2fa'>): void {
  if (!group.enforced2fa || hasSecondFactor(context.caller)) return;
  denyAccess(context, 'This team requires a second factor: add and confirm one in second-factors/ of your user.');
}

/** Whether the caller may change a group itself. */
export async function managesGroup(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  group: Group,
): Promise<boolean> {
  return holdsOnSite(context, 'group.edit') || managesProject(deps, context, group.definingProject);
}

/** Whether the caller may add and remove members. */
export async function managesMembers(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  group: Group,
): Promise<boolean> {
  return isGroupAdmin(context, group) || managesGroup(deps, context, group);
}

export function isGroupAdmin(context: RequestContext, group: Group): boolean {
  return context.caller.userId !== 0 && group.admins.includes(context.caller.userId);
}

/** Whether the caller may see the group. */
export async function seesGroup(
  deps: Pick<Deps, 'users' | 'projects'>,
  context: RequestContext,
  group: Group,
): Promise<boolean> {
  if (holdsOnSite(context, 'group.view', 'group.edit') || isGroupAdmin(context, group)) return true;
  const groups = await callersGroupIds(deps, context);
  return groups.includes(group.id) || managesProject(deps, context, group.definingProject);
}

/** The groups that the caller is a member of; the anonymous user's for anonymous callers. */
export async function callersGroupIds(deps: Pick<Deps, 'users'>, context: RequestContext): Promise<number[]> {
  return (await callersUser(deps, context))?.groups ?? [];
}

async function callersUser(deps: Pick<Deps, 'users'>, context: RequestContext): Promise<User | undefined> {
  if (context.caller.anonymous) return deps.users.get(ANONYMOUS_ID);
  return context.caller.userId === 0 ? undefined : deps.users.get(context.caller.userId);
}
