import { canLinkTo } from '@parlance/access';
import { componentSettings, requiredFromFile } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, isServiceError, refuse } from '@parlance/errors';
import type { Component, ComponentList, ComponentSettings, Project } from '../domain/objects';
import { addressKey, LOCAL_BRANCH, LOCAL_REPOSITORY, parseLink, splitCredentials } from '../domain/repository-address';
import { matchesRule } from '../domain/auto-assign';
import { action, change, componentCreated } from './announce';
import { putComponent } from './categories';
import {
  givenSettings,
  ownerProblem,
  problemsOf,
  sourceOf,
  storedAddresses,
  maskedAddressProblems,
  withCredentials,
  type ComponentInput,
  type Source,
} from './component-input';
import { findProject } from './find';
import { defaultsOf, missing } from './input';
import type { Actor, Parts } from './parts';
import { retried } from './save';
import { demand, targetOf } from './visibility';

/** A file that a component starts from. */
export interface UploadedFile {
  kind: 'zip' | 'document';
  filename: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface CreateComponent {
  projectId: number;
  input: ComponentInput;
  disableAutoshare: boolean;
  file?: UploadedFile;
}

/**
 * Checks every setting, has the repository prepared and stores the component; its files are imported by the task.
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID
 */
export async function createComponent(
  parts: Parts,
  actor: Actor,
  wish: CreateComponent,
): Promise<{ component: Component; project: Project }> {
  const project = await findProject(parts, actor, { id: wish.projectId });
  demand(actor, 'project.edit', targetOf(project));
  const { componentsOfProject } = parts.quotas;
  if ((await parts.directory.at(actor.generation)).componentsOf(project.id).length >= componentsOfProject)
    throw fieldErrors([
      { attr: 'project', code: 'max_length', detail: `A project can have at most ${componentsOfProject} components.` },
    ]);
  const sourceLanguage = wish.input.sourceLanguage ?? 'en';
  const categoryId = wish.input.categoryId ?? 0;
  const { settings, problems } = wantedSettings(parts, wish, sourceLanguage);

  const known = new Set(problems.map((p) => p.attr));
  const found = await problemsOf(parts, actor, project, 0, { settings, sourceLanguage, categoryId });
  problems.push(...found.filter((p) => !known.has(p.attr)));
  let source: Source = { kind: 'own', repo: settings.repo, push: settings.push };
  if (!problems.some((p) => p.attr === 'repo')) {
    const followed = await sourceOf(parts, actor, settings);
    if ('attr' in followed) problems.push(followed);
    else source = followed;
    problems.push(...maskedAddressProblems(source));
  }
  refuse(actor.problems, problems);
  const alike =
    source.kind === 'own' && !wish.disableAutoshare && !wish.file
      ? await sharable(parts, actor, project, settings)
      : undefined;
  let prepared = alike && (await prepareShared(parts, actor, settings, sourceLanguage, alike));
  if (alike && prepared) source = alike;
  prepared ??= await prepare(parts, actor, settings, sourceLanguage, source, wish.file);
  const stored = storedAddresses(parts, source);
  const own = source.kind === 'own';

  const component: Component = {
    id: await parts.ids.next('node'),
    version: 1,
    createdMs: parts.now(),
    projectId: project.id,
    categoryId,
    linkedId: stored.linkedId,
    sourceLanguage,
    settings: {
      ...settings,
      repo: stored.repo,
      push: stored.push,
      branch: own ? settings.branch || prepared.branch : '',
      pushBranch: own ? settings.pushBranch : '',
      vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
    },
    repoSecret: stored.repoSecret,
    pushSecret: stored.pushSecret,
    branchIsDefault: own && settings.branch === '',
    repoKeys: stored.repoKeys,
    locked: false,
    lockReason: '',
    taskId: prepared.taskId,
    links: [],
    languages: [sourceLanguage],
  };
  const events = [
    componentCreated(actor, component),
    change(actor, { action: action.componentCreated, component, details: { origin: wish.file?.kind ?? 'api' } }),
  ];
  await retried(async () => {
    const problem = await ownerProblem(parts, component.linkedId);
    if (problem) throw fieldErrors([problem]);
    const saved = await (categoryId === 0
      ? parts.components.insert(component, events)
      : putComponent(parts, project, component, 0, events));
    return saved || undefined;
  });
  await assignToLists(parts, component, project);
  await parts.announcer.written({ place: { collection: 'nodes', id: component.id }, events });
  return { component, project };
}

/** Has the repository of a new component prepared. @throws INVALID with what vcs-worker finds */
function prepare(
  parts: Parts,
  actor: Actor,
  settings: ComponentSettings,
  sourceLanguage: string,
  source: Source,
  file?: UploadedFile,
): ReturnType<Parts['repositories']['prepare']> {
  const stored = storedAddresses(parts, source);
  const own = source.kind === 'own';
  return parts.repositories.prepare(
    {
      ...settings,
      repo: own ? withCredentials(parts, stored.repo, stored.repoSecret) : '',
      push: own ? withCredentials(parts, stored.push, stored.pushSecret) : '',
      branch: own ? settings.branch : '',
      pushBranch: own ? settings.pushBranch : '',
      vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
      sourceLanguage,
      componentId: 0,
      linkedComponentId: stored.linkedId,
      archiveKind: file?.kind ?? '',
    },
    file?.bytes ?? null,
    actor.caller,
  );
}

/** The same for a repository that nobody asked to share; undefined when it cannot be shared yet. */
async function prepareShared(
  parts: Parts,
  actor: Actor,
  settings: ComponentSettings,
  sourceLanguage: string,
  source: Source,
): Promise<Awaited<ReturnType<typeof prepare>> | undefined> {
  try {
    return await prepare(parts, actor, settings, sourceLanguage, source);
  } catch (error) {
    if (isServiceError(error, 'INVALID') && error.problems.some(({ attr }) => attr === 'repo')) return undefined;
    throw error;
  }
}

/** The complete settings: what was given, what a file decides, defaults. */
function wantedSettings(
  parts: Parts,
  wish: CreateComponent,
  sourceLanguage: string,
): { settings: ComponentSettings; problems: FieldProblem[] } {
  const { settings: given, problems } = givenSettings(wish.input);
  const required = wish.file && requiredFromFile[wish.file.kind === 'zip' ? 'zipfile' : 'docfile'];
  problems.push(...missing(componentSettings, wish.input, required));
  const defaults = defaultsOf(componentSettings) as unknown as ComponentSettings;
  // What is missing was reported; empty texts keep the other rules going.
  const blank = { name: '', slug: '', repo: '', filemask: '', fileFormat: '' };
  const settings: ComponentSettings = { ...blank, ...defaults, ...given };
  const format = parts.vocabularies.format(settings.fileFormat);
  if (wish.file) {
    Object.assign(settings, { vcs: 'local', repo: LOCAL_REPOSITORY, branch: LOCAL_BRANCH, push: '', pushBranch: '' });
    if (wish.file.kind === 'document') {
      const extension = /\.([A-Za-z0-9]{1,20})$/.exec(wish.file.filename)?.[1]?.toLowerCase() ?? 'txt';
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

/** The first component of the project that has the same repository, branch and push address, and that the caller may link to. */
async function sharable(
  parts: Parts,
  actor: Actor,
  project: Project,
  settings: ComponentSettings,
): Promise<Source | undefined> {
  if (settings.vcs === 'local' || parseLink(settings.repo)) return undefined;
  const repo = splitCredentials(settings.repo);
  const push = splitCredentials(settings.push).shown;
  const candidates = await parts.components.byKeys([`u:${addressKey(repo.shown)}`], project.id);
  const owner = candidates.find((c) => {
    if (!canLinkTo(actor.principal, targetOf(project, c))) return false;
    if (c.settings.repo !== repo.shown || c.settings.vcs !== settings.vcs) return false;
    if (settings.branch ? c.settings.branch !== settings.branch : !c.branchIsDefault) return false;
    // Other credentials may open other things.
    if (repo.credentials && withCredentials(parts, c.settings.repo, c.repoSecret) !== settings.repo) return false;
    return (
      (!push || c.settings.push === push) && (!settings.pushBranch || c.settings.pushBranch === settings.pushBranch)
    );
  });
  return owner && { kind: 'linked', owner };
}

/** Puts a new component into the lists whose rules ask for it. Repeatable. */
export async function assignToLists(parts: Parts, component: Component, project: Project): Promise<void> {
  const lists = await parts.lists.all();
  const wanted = (list: ComponentList) =>
    !list.componentIds.includes(component.id) &&
    list.autoAssign.some((rule) => matchesRule(rule, project.settings.slug, component.settings.slug));
  for (const list of lists.filter(wanted)) await parts.lists.change(list.id, [component.id], []);
}
