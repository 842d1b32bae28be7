import { can, canOnSite, hasSecondFactor, type Permission } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Group } from '../domain/group';
import { ANONYMOUS_ID, type User } from '../domain/user';
import type { Caller, Identity } from './identity';

/** Whether the caller holds one of these permissions on the whole site. */
export function holds(caller: Caller, ...permissions: Permission[]): boolean {
  return permissions.some((p) => canOnSite(caller.principal, p));
}

/** @throws PERMISSION_DENIED, or NOT_AUTHENTICATED for anonymous callers */
export function refuse(caller: Caller, message?: string): never {
  if (caller.principal.anonymous) throw new ServiceError('NOT_AUTHENTICATED');
  throw new ServiceError('PERMISSION_DENIED', message === undefined ? {} : { message });
}

export function requireOnSite(caller: Caller, permission: Permission): void {
  if (!holds(caller, permission)) refuse(caller);
}

/** Superusers and the operator (who comes as a service) only. */
export function requireSuperuser(caller: Caller): void {
  if (!caller.principal.isSuperuser) refuse(caller);
}

/** Calls that only processes of Parlance make. */
export function requireService(caller: Caller): void {
  if (!caller.principal.service) refuse(caller, 'Only services may ask this.');
}

/** Whether the caller may manage a project's teams and tokens. */
export async function managesProject(on: Identity, caller: Caller, projectId: number): Promise<boolean> {
  if (projectId === 0) return false;
  if (caller.principal.isSuperuser && !caller.principal.onlyProjects) return true;
  const project = await on.projects.get(projectId);
  // A project whose creation was not announced yet counts as private: only those who have it by name pass.
  const target = { projectId, accessControl: project?.accessControl ?? 100 };
  return can(caller.principal, 'project.permissions', target);
}

/** Changing a team that requires a second factor takes one: else whoever is to have one could switch that off. */
export function requireTeamFactor(caller: Caller, group: Pick<Group, 'enforced2fa'>): void {
  if (!group.enforced2fa || hasSecondFactor(caller.principal)) return;
  refuse(caller, 'This team requires a second factor: add and confirm one in second-factors/ of your user.');
}

/** Whether the caller may change a group itself. */
export async function managesGroup(on: Identity, caller: Caller, group: Group): Promise<boolean> {
  return holds(caller, 'group.edit') || managesProject(on, caller, group.definingProject);
}

/** Whether the caller may change who is in a group. */
export async function managesMembers(on: Identity, caller: Caller, group: Group): Promise<boolean> {
  return administers(caller, group) || managesGroup(on, caller, group);
}

export function administers(caller: Caller, group: Group): boolean {
  return caller.principal.userId !== 0 && group.admins.includes(caller.principal.userId);
}

/** Whether the caller is shown that a group exists. */
export async function seesGroup(on: Identity, caller: Caller, group: Group): Promise<boolean> {
  if (holds(caller, 'group.view', 'group.edit') || administers(caller, group)) return true;
  const groups = await groupIdsOf(on, caller);
  return groups.includes(group.id) || managesProject(on, caller, group.definingProject);
}

/** The groups that the caller is a member of; the anonymous user's for anonymous callers. */
export async function groupIdsOf(on: Identity, caller: Caller): Promise<number[]> {
  return (await userOf(on, caller))?.groups ?? [];
}

async function userOf(on: Identity, caller: Caller): Promise<User | undefined> {
  if (caller.principal.anonymous) return on.users.get(ANONYMOUS_ID);
  return caller.principal.userId === 0 ? undefined : on.users.get(caller.principal.userId);
}
