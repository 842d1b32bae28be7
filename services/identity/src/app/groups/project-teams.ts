import { ADMINISTRATION_TEAM, teamKey, teamsOfProject } from '../../domain/permissions/defaults';
import { newGroup, type Group } from '../../domain/permissions/group';
import { TakenError } from '../../domain/ports';
import type { Project } from '../../domain/project';
import { announce } from '../audit/audit-action';
import { setMembership } from './change-membership';
import { removeGroup } from './delete-group';
import { anonymizeUser } from '../users/delete-user';
import { fieldError } from '../field-errors';
import type { RequestContext, Deps } from '../deps';

const CUSTOM_ACCESS = 200;

export interface ProjectState {
  projectId: number;
  slug: string;
  accessControl: number;
  review: boolean;
}

type EnsureProjectTeamsDeps = Pick<Deps, 'users' | 'groups' | 'projects' | 'now'>;

/** Creates the teams of a project and adds its creator to Administration. Idempotent. */
export async function ensureProjectTeams(
  deps: EnsureProjectTeamsDeps,
  context: RequestContext,
  project: ProjectState,
  creatorId: number,
): Promise<Group[]> {
  if (!Number.isSafeInteger(project.projectId) || project.projectId < 1) {
    throw fieldError('project_id', 'invalid', 'This is no valid id.');
  }
  const known = await deps.projects.get(project.projectId);
  if (!known) await makeTeams(deps, context, project);
  const teams = await deps.groups.ofProject(project.projectId);
  if (known) return teams;
  const administration = teams.find((t) => t.teamKey === teamKey(project.projectId, ADMINISTRATION_TEAM));
  const creator = creatorId === 0 ? undefined : await deps.users.get(creatorId);
  if (administration && creator && !creator.isSuperuser && !creator.deleted) {
    await setMembership(deps, context, creator.id, administration, true);
  }
  // Stored last: an attempt that fails before is repeated by the event; later attempts leave manual changes alone.
  await rememberProject(deps, project);
  return teams;
}

/** Creates the teams that a change of visibility or reviews requires. Deleted teams return only with such a change. */
export async function projectUpdated(
  deps: Pick<Deps, 'groups' | 'projects' | 'now'>,
  context: RequestContext,
  project: ProjectState,
): Promise<void> {
  const known = await deps.projects.get(project.projectId);
  const asksForTeams = !known || known.accessControl !== project.accessControl || known.review !== project.review;
  if (asksForTeams && project.accessControl !== CUSTOM_ACCESS) await makeTeams(deps, context, project);
  await rememberProject(deps, project);
}

type ProjectDeletedDeps = Pick<
  Deps,
  'users' | 'groups' | 'projects' | 'audit' | 'mails' | 'webCredentials' | 'now' | 'noreplyDomain'
>;

/** Deletes teams and bots of a deleted project and removes references to it. */
export async function projectDeleted(
  deps: ProjectDeletedDeps,
  context: RequestContext,
  projectId: number,
): Promise<void> {
  for (const team of await deps.groups.ofProject(projectId)) await removeGroup(deps, context, team.id);
  for (;;) {
    const bots = await deps.users.bots(projectId, { skip: 0, limit: 100 });
    if (bots.items.length === 0) break;
    for (const bot of bots.items) await anonymizeUser(deps, context, bot.id, 'token.revoke');
  }
  for (const id of await deps.groups.listReferencing({ project: projectId })) {
    await deps.groups.update(id, (group) => ({
      next: {
        ...group,
        projects: group.projects.filter((p) => p !== projectId),
        components: group.components.filter((c) => c.projectId !== projectId),
      },
      announce: { audit: [] },
    }));
  }
  await dropSubscriptions(deps, { projectId });
  await deps.projects.forget(projectId);
}

/** Removes references to a deleted component. */
export async function componentDeleted(deps: Pick<Deps, 'users' | 'groups'>, componentId: number): Promise<void> {
  for (const id of await deps.groups.listReferencing({ component: componentId })) {
    await deps.groups.update(id, (group) => ({
      next: { ...group, components: group.components.filter((c) => c.id !== componentId) },
      announce: { audit: [] },
    }));
  }
  await dropSubscriptions(deps, { componentId });
}

async function dropSubscriptions(
  deps: Pick<Deps, 'users'>,
  target: { projectId: number } | { componentId: number },
): Promise<void> {
  for (const userId of await deps.users.subscribedTo(target)) {
    await deps.users.update(userId, (user) => ({
      next: {
        ...user,
        subscriptions: user.subscriptions.filter((s) =>
          'projectId' in target ? s.projectId !== target.projectId : s.componentId !== target.componentId,
        ),
        watched: 'projectId' in target ? user.watched.filter((id) => id !== target.projectId) : user.watched,
      },
      announce: { audit: [] },
    }));
  }
}

async function makeTeams(
  deps: Pick<Deps, 'groups' | 'now'>,
  context: RequestContext,
  project: ProjectState,
): Promise<void> {
  const existing = new Set((await deps.groups.ofProject(project.projectId)).map((t) => t.teamKey));
  for (const { name, role } of teamsOfProject(project.accessControl, project.review)) {
    const key = teamKey(project.projectId, name);
    if (existing.has(key)) continue;
    const group = newGroup({
      id: await deps.groups.nextId(),
      name,
      definingProject: project.projectId,
      projects: [project.projectId],
      languageSelection: 1,
      roles: [role],
      teamKey: key,
    });
    const details = { defining_project: project.projectId };
    const action = { action: 'group.create', kind: 'group' as const, id: group.id, name, details };
    try {
      await deps.groups.insert(group, announce(deps, context, action));
    } catch (error) {
      // The event and the direct call may race; one of them has created the team.
      if (!(error instanceof TakenError)) throw error;
    }
  }
}

async function rememberProject(deps: Pick<Deps, 'projects'>, state: ProjectState): Promise<void> {
  const project: Project = {
    id: state.projectId,
    version: 1,
    slug: state.slug,
    accessControl: state.accessControl,
    review: state.review,
  };
  try {
    await deps.projects.insert(project, { audit: [] });
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    await deps.projects.update(project.id, (current) => ({
      next: { ...project, version: current.version },
      announce: { audit: [] },
    }));
  }
}
