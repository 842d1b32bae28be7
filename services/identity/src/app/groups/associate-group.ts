import { permissions as table, isPermission } from '@parlance/access';
import { ASSOCIATIONS_MAX, type Group } from '../../domain/permissions/group';
import { announce } from '../audit/audit-action';
import { setMembership } from './change-membership';
import { fieldError, notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { getGroup } from './list-groups';
import { holdsOnSite, managesGroup, managesMembers, denyAccess, requireSecondFactorOfTeam } from '../rights';

/** An object that can be associated with a group. */
export type Association =
  | { kind: 'role'; id: number }
  | { kind: 'project'; id: number }
  | { kind: 'component'; id: number; projectId: number }
  | { kind: 'componentList'; id: number }
  | { kind: 'language'; code: string }
  | { kind: 'admin'; id: number };

/** Request parameters of the public API. */
const parameters = {
  role: 'role_id',
  project: 'project_id',
  component: 'component_id',
  componentList: 'component_list_id',
  language: 'language_code',
  admin: 'user_id',
} as const;

type AddToGroupDeps = Pick<Deps, 'users' | 'groups' | 'roles' | 'projects' | 'now'>;

/** Associates an object with a group; idempotent. */
export async function addToGroup(
  deps: AddToGroupDeps,
  context: RequestContext,
  groupId: number,
  what: Association,
): Promise<Group> {
  const group = await authorizeChange(deps, context, groupId, what);
  checkGiven(what);
  if (what.kind === 'role') await checkRole(deps, context, what.id);
  if (what.kind === 'admin') await checkAdmin(deps, group, what.id);
  if (!holdsOnSite(context, 'group.edit')) checkWithinProject(group, what);
  if (what.kind === 'admin') await setMembership(deps, context, what.id, group, true);
  return write(deps, context, groupId, 'add', what, (current) =>
    hasAssociation(current, what) ? undefined : withAssociation(current, what),
  );
}

type RemoveFromGroupDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now'>;

/** @throws NOT_FOUND if it is not associated; for an admin, a field error on user_id */
export async function removeFromGroup(
  deps: RemoveFromGroupDeps,
  context: RequestContext,
  groupId: number,
  what: Association,
): Promise<Group> {
  await authorizeChange(deps, context, groupId, what);
  return write(deps, context, groupId, 'remove', what, (current) => {
    if (hasAssociation(current, what)) return withoutAssociation(current, what);
    if (what.kind === 'admin') throw fieldError('user_id', 'does_not_exist', 'This user is no admin of the group.');
    throw notFound('The association');
  });
}

async function authorizeChange(
  deps: Pick<Deps, 'users' | 'groups' | 'projects'>,
  context: RequestContext,
  groupId: number,
  what: Association,
): Promise<Group> {
  const group = await getGroup(deps, context, groupId);
  const may = what.kind === 'admin' ? managesMembers : managesGroup;
  if (!(await may(deps, context, group))) denyAccess(context);
  requireSecondFactorOfTeam(context, group);
  return group;
}

function checkGiven(what: Association): void {
  const parameter = parameters[what.kind];
  if (what.kind === 'language') {
    if (!/^[A-Za-z0-9@_.-]{1,50}$/.test(what.code)) throw fieldError(parameter, 'invalid', 'This is no language code.');
  } else if (!Number.isSafeInteger(what.id) || what.id < 1) {
    throw fieldError(parameter, 'invalid', 'This is no valid id.');
  }
}

async function checkRole(deps: Pick<Deps, 'roles'>, context: RequestContext, id: number): Promise<void> {
  const role = await deps.roles.get(id);
  if (!role || role.deleted) throw fieldError('role_id', 'does_not_exist', 'There is no such role.');
  const reachesSite = role.permissions.some((p) => isPermission(p) && table[p] === 'site');
  if (reachesSite && !holdsOnSite(context, 'group.edit')) {
    throw fieldError('role_id', 'invalid', 'A role with permissions on the whole site needs the right to edit groups.');
  }
}

async function checkAdmin(deps: Pick<Deps, 'users'>, group: Group, id: number): Promise<void> {
  const user = await deps.users.get(id);
  if (!user || user.deleted) throw fieldError('user_id', 'does_not_exist', 'There is no such user.');
  if (user.projectId !== 0 && user.projectId !== group.definingProject) {
    throw fieldError('user_id', 'invalid', "A project token can only be in its project's teams.");
  }
}

/** Managers of a project's teams cannot extend their reach beyond the project. */
function checkWithinProject(group: Group, what: Association): void {
  const outside =
    (what.kind === 'project' && what.id !== group.definingProject) ||
    (what.kind === 'component' && what.projectId !== group.definingProject) ||
    what.kind === 'componentList';
  if (outside) throw fieldError(parameters[what.kind], 'invalid', "This is outside of the team's project.");
}

function hasAssociation(group: Group, what: Association): boolean {
  switch (what.kind) {
    case 'role':
      return group.roles.includes(what.id);
    case 'project':
      return group.projects.includes(what.id);
    case 'component':
      return group.components.some((c) => c.id === what.id);
    case 'componentList':
      return group.componentLists.includes(what.id);
    case 'language':
      return group.languages.includes(what.code);
    case 'admin':
      return group.admins.includes(what.id);
  }
}

const ascending = (a: number, b: number) => a - b;

function withAssociation(group: Group, what: Association): Group {
  switch (what.kind) {
    case 'role':
      return { ...group, roles: [...group.roles, what.id].sort(ascending) };
    case 'project':
      return { ...group, projects: [...group.projects, what.id].sort(ascending) };
    case 'component': {
      const components = [...group.components, { id: what.id, projectId: what.projectId }];
      return { ...group, components: components.sort((a, b) => a.id - b.id) };
    }
    case 'componentList':
      return { ...group, componentLists: [...group.componentLists, what.id].sort(ascending) };
    case 'language':
      return { ...group, languages: [...group.languages, what.code].sort() };
    case 'admin':
      return { ...group, admins: [...group.admins, what.id].sort(ascending) };
  }
}

function withoutAssociation(group: Group, what: Association): Group {
  switch (what.kind) {
    case 'role':
      return { ...group, roles: group.roles.filter((id) => id !== what.id) };
    case 'project':
      return { ...group, projects: group.projects.filter((id) => id !== what.id) };
    case 'component':
      return { ...group, components: group.components.filter((c) => c.id !== what.id) };
    case 'componentList':
      return { ...group, componentLists: group.componentLists.filter((id) => id !== what.id) };
    case 'language':
      return { ...group, languages: group.languages.filter((code) => code !== what.code) };
    case 'admin':
      return { ...group, admins: group.admins.filter((id) => id !== what.id) };
  }
}

async function write(
  deps: Pick<Deps, 'groups' | 'now'>,
  context: RequestContext,
  id: number,
  verb: 'add' | 'remove',
  what: Association,
  change: (group: Group) => Group | undefined,
): Promise<Group> {
  const updated = await deps.groups.update(id, (group) => {
    if (group.deleted) throw notFound('The group');
    const next = change(group);
    if (!next) return undefined;
    const longest = Math.max(
      next.projects.length,
      next.components.length,
      next.componentLists.length,
      next.roles.length,
    );
    if (verb === 'add' && longest > ASSOCIATIONS_MAX) {
      throw fieldError(parameters[what.kind], 'max_length', `A group can name at most ${ASSOCIATIONS_MAX} of them.`);
    }
    const details = { [parameters[what.kind]]: what.kind === 'language' ? what.code : what.id };
    const action = { action: `group.${what.kind}.${verb}`, kind: 'group' as const, id, name: group.name, details };
    return { next, announce: announce(deps, context, action, []) };
  });
  if (!updated) throw notFound('The group');
  return updated;
}
