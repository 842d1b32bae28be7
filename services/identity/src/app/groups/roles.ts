import { inTableOrder, isPermission } from '@parlance/access';
import type { Page, PageRequest } from '../../domain/ports';
import { checkLine, Problems } from '../../domain/problems';
import { ROLE_NAME_MAX, type Role } from '../../domain/permissions/role';
import { announce, changedFields } from '../audit/audit-action';
import { notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { callersGroupIds, holdsOnSite, requireOnSite } from '../rights';

/** All roles for role managers; otherwise those of the caller's groups. */
export async function listRoles(
  deps: Pick<Deps, 'users' | 'groups' | 'roles'>,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<Role>> {
  if (holdsOnSite(context, 'role.view', 'role.edit')) return deps.roles.list(undefined, page);
  return deps.roles.list(await roleIdsOf(deps, context), page);
}

export async function getRole(
  deps: Pick<Deps, 'users' | 'groups' | 'roles'>,
  context: RequestContext,
  id: number,
): Promise<Role> {
  const role = await deps.roles.get(id);
  const visible = holdsOnSite(context, 'role.view', 'role.edit') || (await roleIdsOf(deps, context)).includes(id);
  if (!role || role.deleted || !visible) throw notFound('The role');
  return role;
}

async function roleIdsOf(deps: Pick<Deps, 'users' | 'groups'>, context: RequestContext): Promise<number[]> {
  const groups = await deps.groups.many(await callersGroupIds(deps, context));
  return [...new Set(groups.filter((g) => !g.deleted).flatMap((g) => g.roles))];
}

/** @param permissions undefined: missing, which is an error; a role without permissions has an empty list */
export async function createRole(
  deps: Pick<Deps, 'roles' | 'now'>,
  context: RequestContext,
  input: { name?: string; permissions?: readonly string[] },
): Promise<Role> {
  requireOnSite(context, 'role.edit');
  throwIfInvalid(await checkRole(deps, context, 0, input.name, input.permissions));
  const permissions = inTableOrder(input.permissions!);
  const role: Role = { id: await deps.roles.nextId(), version: 1, name: input.name!, permissions, deleted: false };
  const action = {
    action: 'role.create',
    kind: 'role' as const,
    id: role.id,
    name: role.name,
    details: { permissions },
  };
  await deps.roles.insert(role, announce(deps, context, action));
  return role;
}

type UpdateRoleDeps = Pick<Deps, 'users' | 'groups' | 'roles' | 'now'>;

/** Adds permissions to those that the role has (PATCH), or replaces the set (PUT). */
export async function updateRole(
  deps: UpdateRoleDeps,
  context: RequestContext,
  id: number,
  input: { name?: string; permissions?: readonly string[]; replace: boolean },
): Promise<Role> {
  const seen = await getRole(deps, context, id);
  requireOnSite(context, 'role.edit');
  throwIfInvalid(
    input.replace
      ? await checkRole(deps, context, id, input.name, input.permissions)
      : await checkRole(deps, context, id, input.name ?? seen.name, input.permissions ?? []),
  );
  const updated = await deps.roles.update(id, (role) => {
    if (role.deleted) throw notFound('The role');
    const given = input.permissions ?? [];
    const permissions = inTableOrder(input.replace ? given : [...role.permissions, ...given]);
    const next = { ...role, name: input.name ?? role.name, permissions };
    const changed = changedFields(role, next, ['name', 'permissions']);
    if (changed.length === 0) return undefined;
    const action = {
      action: 'role.update',
      kind: 'role' as const,
      id,
      name: next.name,
      details: { changed, permissions },
    };
    return { next, announce: announce(deps, context, action, []) };
  });
  if (!updated) throw notFound('The role');
  return updated;
}

export async function deleteRole(deps: UpdateRoleDeps, context: RequestContext, id: number): Promise<void> {
  await getRole(deps, context, id);
  requireOnSite(context, 'role.edit');
  await deps.roles.update(id, (role) => {
    if (role.deleted) return undefined;
    const action = { action: 'role.delete', kind: 'role' as const, id, name: role.name };
    return { next: { ...role, deleted: true }, announce: announce(deps, context, action, []) };
  });
  await finishRoleDeletion(deps, id);
}

/** Removes a deleted role from its groups; repeated at startup for interrupted deletions. */
export async function finishRoleDeletion(deps: Pick<Deps, 'groups' | 'roles'>, id: number): Promise<void> {
  for (const groupId of await deps.groups.listReferencing({ role: id })) {
    await deps.groups.update(groupId, (group) =>
      group.roles.includes(id)
        ? { next: { ...group, roles: group.roles.filter((r) => r !== id) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await deps.roles.forget(id);
}

/** @param id role that may already have this name; 0: none */
async function checkRole(
  deps: Pick<Deps, 'roles'>,
  context: RequestContext,
  id: number,
  name: string | undefined,
  permissions: readonly string[] | undefined,
): Promise<Problems> {
  const problems = new Problems(context.problems);
  checkLine(problems, 'name', name, ROLE_NAME_MAX);
  if (name !== undefined && problems.clean('name') && ((await deps.roles.named(name))?.id ?? id) !== id)
    problems.add('name', 'unique', 'A role with this name already exists.');
  if (permissions === undefined) problems.add('permissions', 'required', 'This field is required.');
  for (const codename of new Set(permissions ?? [])) {
    if (isPermission(codename)) continue;
    problems.add('permissions', 'does_not_exist', `The permission ${codename.slice(0, 100)} does not exist.`);
    if (problems.found.length >= 20) break;
  }
  return problems;
}
