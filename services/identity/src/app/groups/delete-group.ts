import { announce } from '../audit/audit-action';
import type { RequestContext, Identity } from '../deps';
import { getGroup } from './list-groups';
import { managesGroup, refuse, requireTeamFactor } from '../rights';

/** Removes a group. From the first write on it grants nothing and nobody sees it; what names it is tidied after that. */
export async function deleteGroup(on: Identity, context: RequestContext, id: number): Promise<void> {
  const group = await getGroup(on, context, id);
  if (!(await managesGroup(on, context, group))) refuse(context);
  requireTeamFactor(context, group);
  await removeGroup(on, context, id);
}

/** The same without asking for rights. */
export async function removeGroup(on: Identity, context: RequestContext, id: number): Promise<void> {
  await on.groups.update(id, (group) => {
    if (group.deleted) return undefined;
    const action = { action: 'group.delete', kind: 'group' as const, id, name: group.name };
    return { next: { ...group, deleted: true, teamKey: '' }, announce: announce(on, context, action, []) };
  });
  await finishGroupRemoval(on, id);
}

/** Takes a removed group out of its members; repeated at start for removals that were cut short. */
export async function finishGroupRemoval(on: Identity, id: number): Promise<void> {
  for (const userId of await on.users.memberIds(id)) {
    await on.users.update(userId, (user) =>
      user.groups.includes(id)
        ? { next: { ...user, groups: user.groups.filter((g) => g !== id) }, announce: { audit: [] } }
        : undefined,
    );
  }
  await on.groups.forget(id);
}
