import { checkGroup, newGroup, projectSelections, type Group } from '../../domain/permissions/group';
import { announce } from '../audit/audit-action';
import { throwIfInvalid } from '../field-errors';
import type { RequestContext, Deps } from '../deps';
import { holdsOnSite, managesProject, denyAccess } from '../rights';

export interface NewGroupInput {
  name?: string;
  projectSelection?: number;
  languageSelection?: number;
  /** 0: none. */
  definingProject: number;
  enforced2fa?: boolean;
}

/** Creates a group. A project's own team initially reaches that project. */
export async function createGroup(
  deps: Pick<Deps, 'groups' | 'projects' | 'now'>,
  context: RequestContext,
  input: NewGroupInput,
): Promise<Group> {
  const anywhere = holdsOnSite(context, 'group.edit');
  const wanted = {
    name: input.name,
    projectSelection: input.projectSelection ?? projectSelections.listed,
    languageSelection: input.languageSelection ?? 0,
  };
  if (!anywhere && !(await managesProject(deps, context, input.definingProject))) denyAccess(context);
  const problems = checkGroup(wanted, context.problems);
  if (!anywhere) checkReach(problems, wanted.projectSelection);
  throwIfInvalid(problems);
  const group = newGroup({
    id: await deps.groups.nextId(),
    name: wanted.name!,
    projectSelection: wanted.projectSelection as Group['projectSelection'],
    languageSelection: wanted.languageSelection as Group['languageSelection'],
    definingProject: input.definingProject,
    projects: input.definingProject === 0 ? [] : [input.definingProject],
    enforced2fa: input.enforced2fa ?? false,
  });
  const details = { project_selection: group.projectSelection, defining_project: group.definingProject };
  const action = { action: 'group.create', kind: 'group' as const, id: group.id, name: group.name, details };
  await deps.groups.insert(group, announce(deps, context, action));
  return group;
}

/** Managers of a project's teams cannot extend their reach beyond the project. */
export function checkReach(problems: ReturnType<typeof checkGroup>, projectSelection: number): void {
  if (projectSelection !== projectSelections.listed && problems.clean('project_selection')) {
    problems.add('project_selection', 'invalid', "A project's own team can only have listed projects.");
  }
}
