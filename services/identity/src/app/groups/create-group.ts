import { checkGroup, newGroup, projectSelections, type Group } from '../../domain/group';
import { announce } from '../audit/audit-action';
import { raise } from '../field-errors';
import type { RequestContext, Identity } from '../deps';
import { holds, managesProject, refuse } from '../rights';

export interface NewGroupInput {
  name?: string;
  projectSelection?: number;
  languageSelection?: number;
  /** 0: none. */
  definingProject: number;
  enforced2fa?: boolean;
}

/** Makes a group. A project's own team begins with that project as its reach. */
export async function createGroup(on: Identity, context: RequestContext, input: NewGroupInput): Promise<Group> {
  const anywhere = holds(context, 'group.edit');
  const wanted = {
    name: input.name,
    projectSelection: input.projectSelection ?? projectSelections.listed,
    languageSelection: input.languageSelection ?? 0,
  };
  if (!anywhere && !(await managesProject(on, context, input.definingProject))) refuse(context);
  const problems = checkGroup(wanted, context.problems);
  if (!anywhere) checkReach(problems, wanted.projectSelection);
  raise(problems);
  const group = newGroup({
    id: await on.groups.nextId(),
    name: wanted.name!,
    projectSelection: wanted.projectSelection as Group['projectSelection'],
    languageSelection: wanted.languageSelection as Group['languageSelection'],
    definingProject: input.definingProject,
    projects: input.definingProject === 0 ? [] : [input.definingProject],
    enforced2fa: input.enforced2fa ?? false,
  });
  const details = { project_selection: group.projectSelection, defining_project: group.definingProject };
  const action = { action: 'group.create', kind: 'group' as const, id: group.id, name: group.name, details };
  await on.groups.insert(group, announce(on, context, action));
  return group;
}

/** Who manages one project's teams cannot make them reach further than the project. */
export function checkReach(problems: ReturnType<typeof checkGroup>, projectSelection: number): void {
  if (projectSelection !== projectSelections.listed && problems.clean('project_selection')) {
    problems.add('project_selection', 'invalid', "A project's own team can only have listed projects.");
  }
}
