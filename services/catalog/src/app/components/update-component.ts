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
import { changedSettings, missingSettings } from '../settings-input';
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

  const reported = new Set(problems.map((p) => p.attr));
  const found = await problemsOf(deps, context, project, id, {
    settings,
    sourceLanguage: before.sourceLanguage,
    categoryId,
  });
  problems.push(...found.filter((p) => !reported.has(p.attr)));
  let source: RepositorySource = { kind: 'own', repo: settings.repo, push: settings.push };
  if (!problems.some((p) => p.attr === 'repo')) {
    const followed = await resolveSource(deps, context, settings, before);
    if ('attr' in followed) problems.push(followed);
    else source = followed;
    if (owner && 'kind' in followed && followed.kind === 'linked' && followed.owner.id === owner.id)
      problems.push(...(await ownersFileProblems(deps, context, owner, before.settings, settings)));
    problems.push(...maskedAddressProblems(source, before));
    if (
      !('attr' in followed) &&
      followed.kind === 'linked' &&
      before.linkedId === 0 &&
      (await deps.components.isShared(id))
    ) {
      problems.push({
        attr: 'repo',
        code: 'invalid',
        detail: 'Other components share the repository of this component.',
      });
    }
  }
  throwIfInvalid(context.problems, problems);

  const own = source.kind === 'own';
  const stored = storedAddresses(deps, source, before);
  const after: Component = {
    ...before,
    version: before.version + 1,
    categoryId,
    linkedId: stored.linkedId,
    settings: {
      ...settings,
      repo: stored.repo,
      push: stored.push,
      branch: own ? settings.branch : '',
      pushBranch: own ? settings.pushBranch : '',
      vcs: source.kind === 'linked' ? source.owner.settings.vcs : settings.vcs,
    },
    repoSecret: stored.repoSecret,
    pushSecret: stored.pushSecret,
    repoKeys: stored.repoKeys,
    branchIsDefault:
      own && (settings.branch === '' || (before.branchIsDefault && settings.branch === before.settings.branch)),
  };
  const changed = changedSettings(componentSettings, { ...before.settings }, { ...after.settings });
  if (after.linkedId !== before.linkedId && !changed.includes('repo')) changed.push('repo');
  if (after.categoryId !== before.categoryId) changed.push('category');
  const secretsChanged = stored.repoSecret !== before.repoSecret || stored.pushSecret !== before.pushSecret;
  if (changed.length === 0 && !secretsChanged) return { component: before, project, events: [] };

  if (changed.some((name) => REPOSITORY_SETTINGS.has(name)) || stored.repoSecret !== before.repoSecret) {
    const prepared = await deps.repositories.prepare(
      {
        ...after.settings,
        repo: own ? withCredentials(deps, stored.repo, stored.repoSecret) : '',
        push: own ? withCredentials(deps, stored.push, stored.pushSecret) : '',
        sourceLanguage: before.sourceLanguage,
        componentId: id,
        linkedComponentId: stored.linkedId,
        archiveKind: '',
      },
      null,
      context.forwarded,
    );
    after.taskId = prepared.taskId;
    if (own && settings.branch === '') after.settings.branch = prepared.branch;
  }
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
      (await deps.categories.byIds([before.categoryId, after.categoryId])).map((c) => [c.id, c.settings.slug]),
    );
    note(ChangeAction.componentMoved, slugs.get(before.categoryId) ?? '', slugs.get(after.categoryId) ?? '');
  }
  if (changed.includes('license')) note(ChangeAction.licenseChanged, before.settings.license, after.settings.license);
  if (changed.includes('agreement'))
    note(ChangeAction.agreementChanged, before.settings.agreement, after.settings.agreement);
  return events;
}
