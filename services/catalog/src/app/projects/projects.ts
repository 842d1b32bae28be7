import { ChangeAction, projectSettings, restoreSecrets } from '@parlance/contracts';
import type { OutgoingEvent } from '@parlance/events';
import { type FieldProblem, joinProblems, throwIfInvalid } from '@parlance/errors';
import { LanguageAliasError, parseLanguageAliases } from '@parlance/plurals';
import { logger } from '@parlance/telemetry';
import { schemaProblems } from '../../domain/component-rules';
import type { Project, ProjectSettings } from '../../domain/objects';
import { change, projectCreated, projectDeleted, projectUpdated } from '../events';
import { findProject, notFound } from '../find-objects';
import {
  changedSettings,
  defaultSettings,
  missingSettings,
  pickSettings,
  type SettingsInput,
} from '../../domain/settings-input';
import { requireRightsOnLinked } from '../components/delete-component';
import { lockAll } from '../components/lock-components';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, reportTaken, takenProblem, updateObject } from '../save-object';
import { requirePermission, requireSitePermission, targetOf } from '../visibility';

/** Requested settings of a project; absent fields keep their value or get defaults. */
export type ProjectInput = SettingsInput & { hookSecret?: string | undefined };

async function problemsOf(
  deps: Pick<Deps, 'projects' | 'vocabularies' | 'snapshot'>,
  context: RequestContext,
  settings: ProjectSettings,
  id: number,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = schemaProblems(projectSettings, { ...settings });
  const wrong = new Set(problems.map((p) => p.attr));
  const report = (attr: string, detail: string, code = 'invalid') => {
    if (!wrong.has(attr)) problems.push({ attr, code, detail });
  };
  const flags = settings.checkFlags && deps.vocabularies.flagProblem(settings.checkFlags);
  if (flags) report('check_flags', flags);
  try {
    parseLanguageAliases(settings.languageAliases);
  } catch (error) {
    if (!(error instanceof LanguageAliasError)) throw error;
    report('language_aliases', error.message);
  }
  if (settings.secondaryLanguage !== 0) {
    const { languages } = await deps.snapshot.at(context.generation);
    if (!languages.has(settings.secondaryLanguage))
      report('secondary_language', 'The language does not exist.', 'does_not_exist');
  }
  if (settings.commitPolicy === 30 && !settings.translationReview)
    report('commit_policy', 'Without translation_review, no string is approved, so nothing would be committed.');
  for (const field of ['name', 'slug'] as const)
    if (!wrong.has(field) && (await deps.projects.taken(field, settings[field], id)))
      problems.push(takenProblem(field));
  return problems;
}

/** The sealed secret of a project; undefined input and a mask keep the current one. */
function hookSecretOf(
  deps: Pick<Deps, 'secrets'>,
  input: ProjectInput,
  before?: Project,
): { sealed: string; problems: FieldProblem[] } {
  const stored = before?.hookSecret ?? '';
  if (input.hookSecret === undefined) return { sealed: stored, problems: [] };
  const opened = stored ? deps.secrets.open(stored) : '';
  const { given, problems } = restoreSecrets(
    projectSettings,
    { hook_secret: input.hookSecret },
    { hook_secret: opened },
  );
  const secret = String(given['hook_secret']);
  if (before && secret === opened) return { sealed: stored, problems };
  return { sealed: secret ? deps.secrets.seal(secret) : '', problems };
}

type CreateProjectDeps = Pick<
  Deps,
  'projects' | 'ids' | 'secrets' | 'projectTeams' | 'announcer' | 'vocabularies' | 'snapshot' | 'now'
>;

/** @throws PERMISSION_DENIED, INVALID */
export async function createProject(
  deps: CreateProjectDeps,
  context: RequestContext,
  input: ProjectInput,
): Promise<Project> {
  requireSitePermission(context, 'project.add');
  // The schema of settings defines the fields of `ProjectSettings`.
  const settings = {
    ...defaultSettings(projectSettings),
    ...pickSettings(projectSettings, input),
  } as unknown as ProjectSettings & {
    hookSecret?: string;
  };
  delete settings.hookSecret;
  // Missing fields are reported; empty texts let the other rules run.
  const complete = Object.assign({ name: '', slug: '', web: '' }, settings);
  const { sealed: hookSecret, problems } = hookSecretOf(deps, input);
  problems.push(...missingSettings(projectSettings, input));
  throwIfInvalid(context.problems, joinProblems(problems, await problemsOf(deps, context, complete, 0)));

  const project: Project = {
    id: await deps.ids.next('project'),
    version: 1,
    createdMs: deps.now(),
    settings,
    hookSecret,
  };
  const events = [
    projectCreated(context, project),
    change(context, { action: ChangeAction.projectCreated, projectId: project.id }),
  ];
  await reportTaken(() => deps.projects.insert(project, events));
  await ensureTeams(deps, context, project, context.caller.userId);
  await deps.announcer.written({ location: { collection: 'projects', id: project.id }, events });
  return project;
}

/** Identity also creates the teams on the event; the direct call makes the permissions available to the next request. */
async function ensureTeams(
  deps: Pick<Deps, 'projectTeams'>,
  context: RequestContext,
  project: Project,
  creator: number,
): Promise<void> {
  try {
    await deps.projectTeams.ensure(project, creator, context.forwarded);
  } catch (error) {
    logger.warn({ err: error, project: project.id }, 'teams of the project: creation deferred to the event');
  }
}

type UpdateProjectDeps = Pick<
  Deps,
  'projects' | 'secrets' | 'projectTeams' | 'announcer' | 'vocabularies' | 'snapshot'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateProject(
  deps: UpdateProjectDeps,
  context: RequestContext,
  id: number,
  input: ProjectInput,
  replace: boolean,
): Promise<Project> {
  const { project, events, teams } = await updateObject(async () => {
    const before = await findProject(deps, context, { id });
    requirePermission(context, 'project.edit', targetOf(before));
    const given = pickSettings(projectSettings, input) as Partial<ProjectSettings> & { hookSecret?: string };
    delete given.hookSecret;
    const settings: ProjectSettings = { ...before.settings, ...given };
    if (settings.accessControl !== before.settings.accessControl)
      requirePermission(context, 'project.permissions', targetOf(before));
    const { sealed: hookSecret, problems } = hookSecretOf(deps, input, before);
    if (replace) problems.push(...missingSettings(projectSettings, input));
    throwIfInvalid(context.problems, joinProblems(problems, await problemsOf(deps, context, settings, id)));

    const changed = changedSettings(projectSettings, { ...before.settings }, { ...settings });
    if (changed.length === 0 && hookSecret === before.hookSecret) return { project: before, events: [], teams: false };
    const after: Project = { ...before, version: before.version + 1, settings, hookSecret };
    const announced: OutgoingEvent[] = [projectUpdated(after, changed)];
    if (changed.includes('slug') || changed.includes('name')) {
      const [old, target] = changed.includes('slug')
        ? [before.settings.slug, settings.slug]
        : [before.settings.name, settings.name];
      announced.push(change(context, { action: ChangeAction.projectRenamed, projectId: id, old, target }));
    }
    if (changed.includes('access_control')) {
      announced.push(
        change(context, {
          action: ChangeAction.accessChanged,
          projectId: id,
          details: { access_control: settings.accessControl },
        }),
      );
    }
    if (!(await deps.projects.replace(after, announced))) return LOST_RACE;
    return {
      project: after,
      events: announced,
      teams: changed.some((c) => ['access_control', 'translation_review', 'source_review'].includes(c)),
    };
  });
  if (events.length === 0) return project;
  if (teams) await ensureTeams(deps, context, project, 0);
  await deps.announcer.written({ location: { collection: 'projects', id }, events });
  return project;
}

/**
 * The first write deletes the project, the next one hides its components. Consumers of ProjectDeleted delete dependent data.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID if components of others use a repository of the project
 */
export async function deleteProject(
  deps: Pick<Deps, 'projects' | 'components' | 'announcer' | 'snapshot'>,
  context: RequestContext,
  id: number,
): Promise<void> {
  const project = await findProject(deps, context, { id });
  requirePermission(context, 'project.edit', targetOf(project));
  const sharing = await deps.components.sharing((await deps.snapshot.at('')).componentsOf(id));
  await requireRightsOnLinked(
    deps,
    context,
    sharing.filter(({ projectId }) => projectId !== id),
  );
  const events = [
    projectDeleted(project),
    change(context, {
      action: ChangeAction.projectRemoved,
      projectId: id,
      target: project.settings.name,
      details: { slug: project.settings.slug },
    }),
  ];
  if (!(await deps.projects.remove(id, events))) throw notFound();
  await deps.components.hideOfProject(id);
  await deps.announcer.written({ location: { collection: 'projects', id }, events });
}

type SetProjectLockDeps = Pick<Deps, 'projects' | 'components' | 'announcer' | 'snapshot'>;

/** Locks or unlocks every component of a project. */
export async function setProjectLock(
  deps: SetProjectLockDeps,
  context: RequestContext,
  id: number,
  locked: boolean,
): Promise<void> {
  const project = await findProject(deps, context, { id });
  requirePermission(context, 'component.lock', targetOf(project));
  await lockAll(deps, context, (await deps.snapshot.at('')).componentsOf(id), locked);
}
