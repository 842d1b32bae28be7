import { ChangeAction, componentSettings } from '@parlance/contracts';
import { throwIfInvalid, type FieldProblem } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { Component, ComponentSettings, Project } from '../../domain/objects';
import { LINK_SCHEME, parseLink } from '../../domain/repository-address';
import { change, componentUpdated } from '../events';
import { putComponent } from '../categories/categories';
import {
  readGivenSettings,
  mayLinkTo,
  NO_RIGHTS_ON_OWNER,
  problemsOf,
  resolveSource,
  storedAddresses,
  maskedAddressProblems,
  withCredentials,
  type ComponentInput,
  type RepositorySource,
} from './component-input';
import { findComponent } from '../find-objects';
import { changedSettings, missingSettings } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { componentPaths } from '../views';
import { requirePermission, targetOf } from '../visibility';

/** Settings whose change makes the vcs-worker validate and scan the repository again. */
const REPOSITORY_SETTINGS = new Set([
  'vcs',
  'repo',
  'branch',
  'filemask',
  'template',
  'new_base',
  'intermediate',
  'file_format',
  'language_regex',
  'key_filter',
  'screenshot_filemask',
]);

type UpdateComponentDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'secrets' | 'repositories' | 'announcer' | 'vocabularies' | 'snapshot'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateComponent(
  deps: UpdateComponentDeps,
  context: RequestContext,
  id: number,
  input: ComponentInput,
  replace: boolean,
): Promise<{ component: Component; project: Project }> {
  const { component, project, events } = await updateObject(() => updateOnce(deps, context, id, input, replace));
  if (events.length > 0) {
    await deps.announcer.written({ location: { collection: 'nodes', id }, events });
  }
  return { component, project };
}

type UpdateOnceDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'secrets' | 'repositories' | 'vocabularies' | 'snapshot'
>;

async function updateOnce(
  deps: UpdateOnceDeps,
  context: RequestContext,
  id: number,
  input: ComponentInput,
  replace: boolean,
): Promise<{ component: Component; project: Project; events: OutgoingEvent[] } | typeof LOST_RACE> {
  const { component: before, project } = await findComponent(deps, context, { id });
  requirePermission(context, 'component.edit', targetOf(project, before));
  const update = await validateUpdate(deps, context, { before, project }, input, replace);
  const after = withUpdate(deps, before, update);
  const changed = changedSettings(componentSettings, { ...before.settings }, { ...after.settings });
  if (after.linkedId !== before.linkedId && !changed.includes('repo')) changed.push('repo');
  if (after.categoryId !== before.categoryId) changed.push('category');
  const newRepoSecret = after.repoSecret !== before.repoSecret;
  if (changed.length === 0 && !newRepoSecret && after.pushSecret === before.pushSecret)
    return { component: before, project, events: [] };
  if (newRepoSecret || changed.some((name) => REPOSITORY_SETTINGS.has(name)))
    await prepareRepository(deps, context, after, update);
  const events = [
    componentUpdated(context, after, changed, after.taskId === before.taskId ? '' : after.taskId),
    ...(await changesFor(deps, context, before, after, changed)),
  ];
  const saved = await (after.categoryId === before.categoryId
    ? deps.components.replace(after, events)
    : putComponent(deps, project, after, before.categoryId, events));
  if (!saved) return LOST_RACE;
  if (after.taskId !== before.taskId) await deps.components.setTask(id, after.taskId, false);
  return { component: after, project, events };
}

/** The validated values of an update. */
interface ValidUpdate {
  settings: ComponentSettings;
  categoryId: number;
  source: RepositorySource;
}

/** @throws INVALID with all problems of the input */
async function validateUpdate(
  deps: UpdateOnceDeps,
  context: RequestContext,
  { before, project }: { before: Component; project: Project },
  input: ComponentInput,
  replace: boolean,
): Promise<ValidUpdate> {
  const owner = before.linkedId ? await deps.components.get(before.linkedId) : null;
  const { settings: given, problems } = readGivenSettings(input);
  if (replace) problems.push(...missingSettings(componentSettings, input));
  if (input.sourceLanguage !== undefined && input.sourceLanguage !== before.sourceLanguage) {
    problems.push({ attr: 'source_language', code: 'invalid', detail: 'The source language cannot be changed.' });
  }
  const current = await currentSettings(deps, context, before, owner);
  const settings = { ...current, ...toLinkedSettings(withoutOwners(given, owner)) };
  // A component whose category was deleted belongs to the project itself.
  const categoryId = input.categoryId ?? (await deps.categories.get(before.categoryId))?.id ?? 0;
  const { sourceLanguage } = before;
  const reported = new Set(problems.map((p) => p.attr));
  const found = await problemsOf(deps, context, project, before.id, { settings, sourceLanguage, categoryId });
  problems.push(...found.filter((p) => !reported.has(p.attr)));
  let source: RepositorySource = { kind: 'own', repo: settings.repo, push: settings.push };
  if (!problems.some((p) => p.attr === 'repo')) {
    const resolved = await resolveSource(deps, context, settings, before);
    if ('attr' in resolved) problems.push(resolved);
    else source = resolved;
    problems.push(...(await linkProblems(deps, context, { before, owner, source, settings })));
    problems.push(...maskedAddressProblems(source, before));
  }
  throwIfInvalid(context.problems, problems);
  return { settings, categoryId, source };
}

/** Problems of a component that is, or becomes, linked to the repository of another one. */
async function linkProblems(
  deps: Pick<Deps, 'components' | 'projects'>,
  context: RequestContext,
  {
    before,
    owner,
    source,
    settings,
  }: { before: Component; owner: Component | null; source: RepositorySource; settings: ComponentSettings },
): Promise<FieldProblem[]> {
  if (source.kind !== 'linked') return [];
  if (owner && source.owner.id === owner.id) return ownersFileProblems(deps, context, owner, before.settings, settings);
  if (before.linkedId !== 0 || !(await deps.components.isShared(before.id))) return [];
  return [{ attr: 'repo', code: 'invalid', detail: 'Other components share the repository of this component.' }];
}

function withUpdate(
  deps: Pick<Deps, 'secrets'>,
  before: Component,
  { settings, categoryId, source }: ValidUpdate,
): Component {
  const own = source.kind === 'own';
  const { linkedId, repo, push, ...secrets } = storedAddresses(deps, source, before);
  return {
    ...before,
    ...secrets,
    version: before.version + 1,
    categoryId,
    linkedId,
    settings: {
      ...settings,
      repo,
      push,
      branch: own ? settings.branch : '',
      pushBranch: own ? settings.pushBranch : '',
      vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
    },
    branchIsDefault:
      own && (settings.branch === '' || (before.branchIsDefault && settings.branch === before.settings.branch)),
  };
}

/** Has the repository of the new settings prepared. Sets the task and the default branch of the component. */
async function prepareRepository(
  deps: Pick<Deps, 'repositories' | 'secrets'>,
  context: RequestContext,
  after: Component,
  { settings, source }: ValidUpdate,
): Promise<void> {
  const own = source.kind === 'own';
  const prepared = await deps.repositories.prepare(
    {
      ...after.settings,
      repo: own ? withCredentials(deps, after.settings.repo, after.repoSecret) : '',
      push: own ? withCredentials(deps, after.settings.push, after.pushSecret) : '',
      sourceLanguage: after.sourceLanguage,
      componentId: after.id,
      linkedComponentId: after.linkedId,
      archiveKind: '',
    },
    null,
    context.forwarded,
  );
  after.taskId = prepared.taskId;
  if (own && settings.branch === '') after.settings.branch = prepared.branch;
}

/** Settings that determine which files of a repository a component reads and writes, by the field of the public API. */
const FILE_SETTINGS = {
  filemask: 'filemask',
  screenshot_filemask: 'screenshotFilemask',
  template: 'template',
  new_base: 'newBase',
  intermediate: 'intermediate',
  file_format: 'fileFormat',
  language_regex: 'languageRegex',
  language_code_style: 'languageCodeStyle',
} as const satisfies Record<string, keyof ComponentSettings>;

/** Changing the files of a linked component requires the same permissions as creating the link. */
async function ownersFileProblems(
  deps: Pick<Deps, 'projects'>,
  context: RequestContext,
  owner: Component,
  before: ComponentSettings,
  after: ComponentSettings,
): Promise<FieldProblem[]> {
  const changed = Object.entries(FILE_SETTINGS).filter(([, field]) => before[field] !== after[field]);
  if (changed.length === 0 || (await mayLinkTo(deps, context, owner))) return [];
  return changed.map(([attr]) => ({ attr, code: 'permission_denied', detail: NO_RIGHTS_ON_OWNER }));
}

/** The current settings in the form of an input. */
async function currentSettings(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  before: Component,
  owner: Component | null,
): Promise<ComponentSettings> {
  if (!owner) return before.settings;
  const place = componentPaths(await deps.snapshot.at(context.generation), [owner]).get(owner.id);
  return {
    ...before.settings,
    repo: place ? `${LINK_SCHEME}${place.projectSlug}/${place.path}` : before.settings.repo,
  };
}

/** A linked component shows its owner's addresses; sending them back unchanged is not a change. */
function withoutOwners(given: Partial<ComponentSettings>, owner: Component | null): Partial<ComponentSettings> {
  if (!owner) return given;
  const rest = { ...given };
  for (const field of ['repo', 'push', 'branch', 'pushBranch'] as const)
    if (rest[field] === owner.settings[field]) delete rest[field];
  return rest;
}

/** Linking to another repository resets the settings of the own one. */
function toLinkedSettings(given: Partial<ComponentSettings>): Partial<ComponentSettings> {
  return given.repo && parseLink(given.repo) ? { push: '', branch: '', pushBranch: '', ...given } : given;
}

async function changesFor(
  deps: Pick<Deps, 'categories'>,
  context: RequestContext,
  before: Component,
  after: Component,
  changed: readonly string[],
): Promise<OutgoingEvent[]> {
  const events: OutgoingEvent[] = [];
  const note = (number: ChangeAction, old: string, target: string) =>
    events.push(change(context, { action: number, component: after, old, target }));
  if (changed.includes('slug')) note(ChangeAction.componentRenamed, before.settings.slug, after.settings.slug);
  if (changed.includes('category')) {
    const slugs = new Map(
      (await deps.categories.stamped([before.categoryId, after.categoryId])).map(({ object: c }) => [
        c.id,
        c.settings.slug,
      ]),
    );
    note(ChangeAction.componentMoved, slugs.get(before.categoryId) ?? '', slugs.get(after.categoryId) ?? '');
  }
  if (changed.includes('license')) note(ChangeAction.licenseChanged, before.settings.license, after.settings.license);
  if (changed.includes('agreement'))
    note(ChangeAction.agreementChanged, before.settings.agreement, after.settings.agreement);
  return events;
}
