import type { Group } from '../../domain/group';
import type { Page, Slice } from '../../domain/ports';
import { notFound } from '../field-errors';
import type { RequestContext, Identity } from '../deps';
import { groupIdsOf, holds, managesProject, refuse, seesGroup } from '../rights';

/** All groups for those who manage groups; else the caller's and those it administers. */
export async function listGroups(on: Identity, context: RequestContext, slice: Slice): Promise<Page<Group>> {
  if (holds(context, 'group.view', 'group.edit')) return on.groups.list(undefined, slice);
  const memberOf = await groupIdsOf(on, context);
  return on.groups.list({ memberOf, administeredBy: context.caller.userId }, slice);
}

export async function getGroup(on: Identity, context: RequestContext, id: number): Promise<Group> {
  const group = await on.groups.get(id);
  if (!group || group.deleted || !(await seesGroup(on, context, group))) throw notFound('The group');
  return group;
}

/** Teams whose defining project this is. */
export async function listProjectTeams(on: Identity, context: RequestContext, projectId: number): Promise<Group[]> {
  if (!holds(context, 'group.view', 'group.edit') && !(await managesProject(on, context, projectId))) refuse(context);
  return on.groups.ofProject(projectId);
}
