import type { Group } from '../../domain/permissions/group';
import type { Page, PageRequest } from '../../domain/ports';
import { notFound } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { callersGroupIds, holdsOnSite, managesProject, denyAccess, seesGroup } from '../rights';

/** All groups for group managers; otherwise the caller's groups and those it administers. */
export async function listGroups(
  deps: Pick<Deps, 'users' | 'groups'>,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<Group>> {
  if (holdsOnSite(context, 'group.view', 'group.edit')) return deps.groups.list(undefined, page);
  const memberOf = await callersGroupIds(deps, context);
  return deps.groups.list({ memberOf, administeredBy: context.caller.userId }, page);
}

export async function getGroup(
  deps: Pick<Deps, 'users' | 'groups' | 'projects'>,
  context: RequestContext,
  id: number,
): Promise<Group> {
  const group = await deps.groups.get(id);
  if (!group || group.deleted || !(await seesGroup(deps, context, group))) throw notFound('The group');
  return group;
}

/** Teams defined by a project. */
export async function listProjectTeams(
  deps: Pick<Deps, 'groups' | 'projects'>,
  context: RequestContext,
  projectId: number,
): Promise<Group[]> {
  if (!holdsOnSite(context, 'group.view', 'group.edit') && !(await managesProject(deps, context, projectId)))
    denyAccess(context);
  return deps.groups.ofProject(projectId);
}
