import { canLinkTo } from '@parlance/access';
import { ChangeAction, componentFromFile, componentSettings } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, isServiceError, throwIfInvalid } from '@parlance/errors';
import type { Component, ComponentList, ComponentSettings, Project } from '../../domain/objects';
import {
  addressKey,
  LOCAL_BRANCH,
  LOCAL_REPOSITORY,
  parseLink,
  splitCredentials,
} from '../../domain/repository-address';
import { matchesRule } from '../../domain/auto-assign';
import { change, componentCreated } from '../events';
import { putComponent } from '../categories/categories';
import {
  readGivenSettings,
  ownerProblem,
  problemsOf,
  resolveSource,
  storedAddresses,
  maskedAddressProblems,
  withCredentials,
  type ComponentInput,
  type RepositorySource,
} from './component-input';
import { findProject } from '../find-objects';
import { defaultSettings, missingSettings } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { requirePermission, targetOf } from '../visibility';

/** An uploaded file that a component is created from. */
export interface UploadedFile {
  kind: 'zip' | 'document';
  filename: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface CreateComponentRequest {
  projectId: number;
  input: ComponentInput;
  disableAutoshare: boolean;
  file?: UploadedFile;
}

type CreateComponentDeps = Pick<
  Deps,
  | 'projects'
  | 'components'
  | 'categories'
  | 'lists'
  | 'ids'
  | 'secrets'
  | 'repositories'
  | 'announcer'
  | 'vocabularies'
  | 'quotas'
  | 'snapshot'
  | 'now'
>;

/**
 * Validates every setting, has the repository prepared and stores the component; the task imports its files.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID
 */
export async function createComponent(
  deps: CreateComponentDeps,
  context: RequestContext,
  request: CreateComponentRequest,
): Promise<{ component: Component; project: Project }> {
  const project = await findProject(deps, context, { id: request.projectId });
  requirePermission(context, 'project.edit', targetOf(project));
  await requireQuota(deps, context, project);
  const sourceLanguage = request.input.sourceLanguage ?? 'en';
  const categoryId = request.input.categoryId ?? 0;
  const valid = await validSettings(deps, context, project, request, { sourceLanguage, categoryId });
  const { source, prepared } = await prepareOwnOrShared(deps, context, project, request, sourceLanguage, valid);
  const { settings } = valid;
  const stored = storedAddresses(deps, source);
  const component: Component = {
    id: await deps.ids.next('node'),
    version: 1,
    createdMs: deps.now(),
    projectId: project.id,
    categoryId,
    linkedId: stored.linkedId,
    sourceLanguage,
    settings: storedSettings(settings, source, stored, prepared.branch),
    repoSecret: stored.repoSecret,
    pushSecret: stored.pushSecret,
    branchIsDefault: source.kind === 'own' && settings.branch === '',
    repoKeys: stored.repoKeys,
    locked: false,
    lockReason: '',
    taskId: prepared.taskId,
    links: [],
    languages: [sourceLanguage],
  };
  const events = [
    componentCreated(context, component),
    change(context, {
      action: ChangeAction.componentCreated,
      component,
      details: { origin: request.file?.kind ?? 'api' },
    }),
  ];
  await updateObject(async () => {
    const problem = await ownerProblem(deps, component.linkedId);
    if (problem) throw fieldErrors([problem]);
    const saved = await (categoryId === 0
      ? deps.components.insert(component, events)
      : putComponent(deps, project, component, 0, events));
    return saved || LOST_RACE;
  });
  await assignToLists(deps, component, project);
  await deps.announcer.written({ location: { collection: 'nodes', id: component.id }, events });
  return { component, project };
}

/** @throws INVALID if the project has its maximum number of components */
async function requireQuota(
  deps: Pick<Deps, 'quotas' | 'snapshot'>,
  context: RequestContext,
  project: Project,
): Promise<void> {
  const { componentsPerProject } = deps.quotas;
  if ((await deps.snapshot.at(context.generation)).componentsOf(project.id).length >= componentsPerProject)
    throw fieldErrors([
      { attr: 'project', code: 'max_length', detail: `A project can have at most ${componentsPerProject} components.` },
    ]);
}

/** Complete settings of a new component, and its repository. @throws INVALID with all problems */
async function validSettings(
  deps: CreateComponentDeps,
  context: RequestContext,
  project: Project,
  request: CreateComponentRequest,
  { sourceLanguage, categoryId }: Pick<Component, 'sourceLanguage' | 'categoryId'>,
): Promise<{ settings: ComponentSettings; source: RepositorySource }> {
  const { settings, problems } = completeSettings(deps, request, sourceLanguage);
  const known = new Set(problems.map((p) => p.attr));
  const found = await problemsOf(deps, context, project, 0, { settings, sourceLanguage, categoryId });
  problems.push(...found.filter((p) => !known.has(p.attr)));
  let source: RepositorySource = { kind: 'own', repo: settings.repo, push: settings.push };
  if (!problems.some((p) => p.attr === 'repo')) {
    const followed = await resolveSource(deps, context, settings);
    if ('attr' in followed) problems.push(followed);
    else source = followed;
    problems.push(...maskedAddressProblems(source));
  }
  throwIfInvalid(context.problems, problems);
  return { settings, source };
}

/** Has the repository prepared: that of another component of the project with the same addresses, if possible. */
async function prepareOwnOrShared(
  deps: CreateComponentDeps,
  context: RequestContext,
  project: Project,
  request: CreateComponentRequest,
  sourceLanguage: string,
  { settings, source }: { settings: ComponentSettings; source: RepositorySource },
): Promise<{ source: RepositorySource; prepared: Prepared }> {
  const alike =
    source.kind === 'own' && !request.disableAutoshare && !request.file
      ? await findSharableOwner(deps, context, project, settings)
      : undefined;
  const shared = alike && (await prepareShared(deps, context, settings, sourceLanguage, alike));
  if (alike && shared) return { source: alike, prepared: shared };
  return { source, prepared: await prepare(deps, context, settings, sourceLanguage, source, request.file) };
}

/** Settings as they are stored: addresses without credentials; those of a linked component are its owner's. */
function storedSettings(
  settings: ComponentSettings,
  source: RepositorySource,
  stored: Pick<ReturnType<typeof storedAddresses>, 'repo' | 'push'>,
  preparedBranch: string,
): ComponentSettings {
  const own = source.kind === 'own';
  return {
    ...settings,
    repo: stored.repo,
    push: stored.push,
    branch: own ? settings.branch || preparedBranch : '',
    pushBranch: own ? settings.pushBranch : '',
    vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
  };
}

type Prepared = Awaited<ReturnType<Deps['repositories']['prepare']>>;

/** Has the repository of a new component prepared. @throws INVALID with the problems found by vcs-worker */
function prepare(
  deps: Pick<Deps, 'secrets' | 'repositories'>,
  context: RequestContext,
  settings: ComponentSettings,
  sourceLanguage: string,
  source: RepositorySource,
  file?: UploadedFile,
): ReturnType<Deps['repositories']['prepare']> {
  const stored = storedAddresses(deps, source);
  const own = source.kind === 'own';
  return deps.repositories.prepare(
    {
      ...settings,
      repo: own ? withCredentials(deps, stored.repo, stored.repoSecret) : '',
      push: own ? withCredentials(deps, stored.push, stored.pushSecret) : '',
      branch: own ? settings.branch : '',
      pushBranch: own ? settings.pushBranch : '',
      vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
      sourceLanguage,
      componentId: 0,
      linkedComponentId: stored.linkedId,
      archiveKind: file?.kind ?? '',
    },
    file?.bytes ?? null,
    context.forwarded,
  );
}

/** The same for automatic sharing; undefined if the repository cannot be shared yet. */
async function prepareShared(
  deps: Pick<Deps, 'secrets' | 'repositories'>,
  context: RequestContext,
  settings: ComponentSettings,
  sourceLanguage: string,
  source: RepositorySource,
): Promise<Awaited<ReturnType<typeof prepare>> | undefined> {
  try {
    return await prepare(deps, context, settings, sourceLanguage, source);
  } catch (error) {
    if (isServiceError(error, 'INVALID') && error.problems.some(({ attr }) => attr === 'repo')) return undefined;
    throw error;
  }
}

/** The complete settings: given values, values that follow from the file, defaults. */
function completeSettings(
  deps: Pick<Deps, 'vocabularies'>,
  request: CreateComponentRequest,
  sourceLanguage: string,
): { settings: ComponentSettings; problems: FieldProblem[] } {
  const { settings: given, problems } = readGivenSettings(request.input);
  const required = request.file
    ? componentFromFile[request.file.kind === 'zip' ? 'zipfile' : 'docfile']
    : componentSettings;
  problems.push(...missingSettings(required, request.input));
  // The schema of settings defines the fields of `ComponentSettings`.
  const defaults = defaultSettings(componentSettings) as unknown as ComponentSettings;
  // Missing fields are reported; empty texts let the other rules run.
  const blank = { name: '', slug: '', repo: '', filemask: '', fileFormat: '' };
  const settings: ComponentSettings = { ...blank, ...defaults, ...given };
  const format = deps.vocabularies.format(settings.fileFormat);
  if (request.file) {
    Object.assign(settings, { vcs: 'local', repo: LOCAL_REPOSITORY, branch: LOCAL_BRANCH, push: '', pushBranch: '' });
    if (request.file.kind === 'document') {
      const extension = /\.([A-Za-z0-9]{1,20})$/.exec(request.file.filename)?.[1]?.toLowerCase() ?? 'txt';
      settings.filemask = given.filemask || `${settings.slug}/*.${extension}`;
      const base = settings.filemask.replaceAll('*', sourceLanguage);
      settings.template = given.template || (format?.kind === 'bi' ? '' : base);
      settings.newBase = given.newBase || base;
    }
  }
  if (given.manageUnits === undefined) settings.manageUnits = settings.template !== '';
  if (given.editTemplate === undefined) settings.editTemplate = format?.editBase ?? true;
  const reported = new Set(problems.map((p) => p.attr));
  return {
    settings,
    problems: problems.filter((p, i) => !reported.has(p.attr) || problems.findIndex((o) => o.attr === p.attr) === i),
  };
}

/** The first component of the project with the same repository, branch and push address that the caller may link to. */
async function findSharableOwner(
  deps: Pick<Deps, 'components' | 'secrets'>,
  context: RequestContext,
  project: Project,
  settings: ComponentSettings,
): Promise<RepositorySource | undefined> {
  if (settings.vcs === 'local' || parseLink(settings.repo)) return undefined;
  const repo = splitCredentials(settings.repo);
  const push = splitCredentials(settings.push).shown;
  const candidates = await deps.components.byKeys([`u:${addressKey(repo.shown)}`], project.id);
  const owner = candidates.find((c) => {
    if (!canLinkTo(context.caller, targetOf(project, c))) return false;
    if (c.settings.repo !== repo.shown || c.settings.vcs !== settings.vcs) return false;
    if (settings.branch ? c.settings.branch !== settings.branch : !c.branchIsDefault) return false;
    // Different credentials may grant different access.
    if (repo.credentials && withCredentials(deps, c.settings.repo, c.repoSecret) !== settings.repo) return false;
    return (
      (!push || c.settings.push === push) && (!settings.pushBranch || c.settings.pushBranch === settings.pushBranch)
    );
  });
  return owner && { kind: 'linked', owner };
}

/** Adds a new component to the lists with a matching rule. Idempotent. */
export async function assignToLists(deps: Pick<Deps, 'lists'>, component: Component, project: Project): Promise<void> {
  const lists = await deps.lists.all();
  const wanted = (list: ComponentList) =>
    !list.componentIds.includes(component.id) &&
    list.autoAssign.some((rule) => matchesRule(rule, project.settings.slug, component.settings.slug));
  for (const list of lists.filter(wanted)) await deps.lists.change(list.id, [component.id], []);
}
