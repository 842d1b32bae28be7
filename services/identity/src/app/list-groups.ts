import type { Group } from '../domain/group';
import type { Page, Slice } from '../domain/ports';
import { notFound } from './fields';
import type { Caller, Identity } from './identity';
import { groupIdsOf, holds, managesProject, refuse, seesGroup } from './rights';

/** All groups for those who manage groups; else the caller's and those it administers. */
export async function listGroups(on: Identity, caller: Caller, slice: Slice): Promise<Page<Group>> {
  if (holds(caller, 'group.view', 'group.edit')) return on.groups.list(undefined, slice);
  const memberOf = await groupIdsOf(on, caller);
  return on.groups.list({ memberOf, administeredBy: caller.principal.userId }, slice);
}

export async function getGroup(on: Identity, caller: Caller, id: number): Promise<Group> {
  const group = await on.groups.get(id);
  if (!group || group.deleted || !(await seesGroup(on, caller, group))) throw notFound('The group');
  return group;
}

/** Teams whose defining project this is. */
export async function listProjectTeams(on: Identity, caller: Caller, projectId: number): Promise<Group[]> {
  if (!holds(caller, 'group.view', 'group.edit') && !(await managesProject(on, caller, projectId))) refuse(caller);
  return on.groups.ofProject(projectId);
}
