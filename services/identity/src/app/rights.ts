import { can, canOnSite, hasSecondFactor, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Group } from '../domain/group';
import { ANONYMOUS_ID, type User } from '../domain/user';
import type { RequestContext, Identity } from './deps';

/** Whether the caller holds one of these permissions on the whole site. */
export function holds(context: RequestContext, ...permissions: Permission[]): boolean {
  return permissions.some((p) => canOnSite(context.caller, p));
}

/** @throws PERMISSION_DENIED, or NOT_AUTHENTICATED for anonymous callers */
export function refuse(context: RequestContext, message?: string): never {
  if (context.caller.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
  throw new ServiceError('PERMISSION_DENIED', message === undefined ? {} : { message });
}

export function requireOnSite(context: RequestContext, permission: Permission): void {
  if (!holds(context, permission)) refuse(context);
}

/** Superusers and the operator (who comes as a service) only. */
export function requireSuperuser(context: RequestContext): void {
  if (!context.caller.isSuperuser) refuse(context);
}

/** Calls that only processes of Parlance make. */
export function requireService(context: RequestContext): void {
  if (!context.caller.service) refuse(context, 'Only services may ask this.');
}

/** Whether the caller may manage a project's teams and tokens. */
export async function managesProject(on: Identity, context: RequestContext, projectId: number): Promise<boolean> {
  if (projectId === 0) return false;
  if (context.caller.isSuperuser && !context.caller.onlyProjects) return true;
  const project = await on.projects.get(projectId);
  // A project whose creation was not announced yet counts as private: only those who have it by name pass.
  const target = { projectId, accessControl: project?.accessControl ?? 100 };
  return can(context.caller, 'project.permissions', target);
}

/** Changing a team that requires a second factor takes one: else whoever is to have one could switch that off. */
export function requireTeamFactor(context: RequestContext, group: Pick<Group, 'enforced2fa'>): void {
  if (!group.enforced2fa || hasSecondFactor(context.caller)) return;
  refuse(context, 'This team requires a second factor: add and confirm one in second-factors/ of your user.');
}

/** Whether the caller may change a group itself. */
export async function managesGroup(on: Identity, context: RequestContext, group: Group): Promise<boolean> {
  return holds(context, 'group.edit') || managesProject(on, context, group.definingProject);
}

/** Whether the caller may change who is in a group. */
export async function managesMembers(on: Identity, context: RequestContext, group: Group): Promise<boolean> {
  return administers(context, group) || managesGroup(on, context, group);
}

export function administers(context: RequestContext, group: Group): boolean {
  return context.caller.userId !== 0 && group.admins.includes(context.caller.userId);
}

/** Whether the caller is shown that a group exists. */
export async function seesGroup(on: Identity, context: RequestContext, group: Group): Promise<boolean> {
  if (holds(context, 'group.view', 'group.edit') || administers(context, group)) return true;
  const groups = await groupIdsOf(on, context);
  return groups.includes(group.id) || managesProject(on, context, group.definingProject);
}

/** The groups that the caller is a member of; the anonymous user's for anonymous callers. */
export async function groupIdsOf(on: Identity, context: RequestContext): Promise<number[]> {
  return (await userOf(on, context))?.groups ?? [];
}

async function userOf(on: Identity, context: RequestContext): Promise<User | undefined> {
  if (context.caller.anonymous) return on.users.get(ANONYMOUS_ID);
  return context.caller.userId === 0 ? undefined : on.users.get(context.caller.userId);
}
