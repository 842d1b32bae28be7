import { checkGroup, type Group } from '../../domain/permissions/group';
import { announce, changedFields } from '../audit/audit-action';
import { checkReach } from './create-group';
import { notFound, throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { holdsOnSite, managesGroup, managesProject, denyAccess, requireSecondFactorOfTeam } from '../rights';
import { getGroup } from './list-groups';

export interface GroupChanges {
  name?: string;
  projectSelection?: number;
  languageSelection?: number;
  definingProject?: number;
  enforced2fa?: boolean;
  /** PUT: the name is required. */
  replace: boolean;
}

const fields = ['name', 'projectSelection', 'languageSelection', 'definingProject', 'enforced2fa'] as const;

type UpdateGroupDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now'>;

export async function updateGroup(
  deps: UpdateGroupDeps,
  context: RequestContext,
  id: number,
  changes: GroupChanges,
): Promise<Group> {
  const seen = await getGroup(deps, context, id);
  if (!(await managesGroup(deps, context, seen))) denyAccess(context);
  requireSecondFactorOfTeam(context, seen);
  const anywhere = holdsOnSite(context, 'group.edit');
  const moves = changes.definingProject !== undefined && changes.definingProject !== seen.definingProject;
  if (moves && !anywhere && !(await managesProject(deps, context, changes.definingProject!))) denyAccess(context);
  const updated = await deps.groups.update(id, (group) => {
    if (group.deleted) throw notFound('The group');
    // The permission was checked for the project that the group had when it was read.
    if (group.definingProject !== seen.definingProject && !anywhere) denyAccess(context);
    requireSecondFactorOfTeam(context, group);
    const wanted = {
      name: changes.replace ? changes.name : (changes.name ?? group.name),
      projectSelection: changes.projectSelection ?? group.projectSelection,
      languageSelection: changes.languageSelection ?? group.languageSelection,
    };
    const problems = checkGroup(wanted, context.problems);
    if (!anywhere && changes.projectSelection !== undefined) checkReach(problems, wanted.projectSelection);
    throwIfInvalid(problems);
    const next: Group = {
      ...group,
      name: wanted.name!,
      projectSelection: wanted.projectSelection as Group['projectSelection'],
      languageSelection: wanted.languageSelection as Group['languageSelection'],
      definingProject: changes.definingProject ?? group.definingProject,
      enforced2fa: changes.enforced2fa ?? group.enforced2fa,
    };
    const changed = changedFields(group, next, fields);
    if (changed.length === 0) return undefined;
    const action = { action: 'group.update', kind: 'group' as const, id, name: next.name, details: { changed } };
    return { next, announce: announce(deps, context, action, []) };
  });
  if (!updated) throw notFound('The group');
  return updated;
}
