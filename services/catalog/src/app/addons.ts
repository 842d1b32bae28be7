import { can, canOnSite } from '@parlance/access';
import { addonDefinition, type AddonDefinition } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, joinProblems, noting, refuse, ServiceError } from '@parlance/errors';
import type { Addon, Component, Project } from '../domain/objects';
import type { Page, PageWish } from '../domain/ports';
import {
  configurationOf,
  fitProblem,
  maskedConfiguration,
  openedConfiguration,
  sealed,
  withoutSecrets,
} from './addon-configuration';
import { checkWebhook, followNow } from './addon-webhooks';
import { action, addonChanged, change } from './announce';
import { mayLinkTo, NO_RIGHTS_ON_OWNER } from './component-input';
import { findComponent, findProject, notFound } from './find';
import type { Actor, Parts } from './parts';
import { retried, uniquely } from './save';
import { componentPlaces, type ComponentPlace } from './views';
import { demand, demandOnSite, demandProcess, hiddenFrom, targetOf } from './visibility';

export interface AddonView {
  addon: Addon;
  component: ComponentPlace | null;
  /** Slug of the project a project's add-on is installed in. */
  projectSlug: string;
  /** Without what the caller may not see. */
  configuration: Record<string, unknown>;
}

async function viewsOf(parts: Parts, actor: Actor, addons: readonly Addon[]): Promise<AddonView[]> {
  const [components, projects] = await Promise.all([
    parts.components.byIds([...new Set(addons.map((a) => a.componentId))].filter(Boolean)),
    parts.projects.byIds([...new Set(addons.map((a) => a.projectId))].filter(Boolean)),
  ]);
  const places = componentPlaces(await parts.directory.at(actor.generation), components);
  const byId = new Map(projects.map((p) => [p.id, p]));
  const componentById = new Map(components.map((c) => [c.id, c]));
  return addons.map((addon) => {
    const project = byId.get(addon.projectId);
    return {
      addon,
      component: places.get(addon.componentId) ?? null,
      projectSlug: addon.componentId === 0 ? (project?.settings.slug ?? '') : '',
      configuration: configurationFor(parts, actor, addon, {
        project,
        component: componentById.get(addon.componentId),
      }),
    };
  });
}

/** Processes get secrets in clear; people get masks where they may change the add-on, and no secrets elsewhere. */
function configurationFor(
  parts: Parts,
  actor: Actor,
  addon: Addon,
  place: { project: Project | undefined; component: Component | undefined },
): Record<string, unknown> {
  if (actor.principal.service) return openedConfiguration(parts, addon);
  return mayChange(actor, addon, place.project, place.component) ? maskedConfiguration(addon) : withoutSecrets(addon);
}

function mayChange(
  actor: Actor,
  addon: Addon,
  project: Project | undefined,
  component: Component | undefined,
): boolean {
  if (addon.projectId === 0) return canOnSite(actor.principal, 'management.addons');
  if (!project) return false;
  return component
    ? can(actor.principal, 'component.edit', targetOf(project, component))
    : can(actor.principal, 'project.edit', targetOf(project));
}

export async function listAddons(
  parts: Parts,
  actor: Actor,
  by: { componentId: number; projectId: number },
  wish: PageWish,
): Promise<Page<AddonView>> {
  if (by.componentId || by.projectId) {
    if (by.componentId) await findComponent(parts, actor, { id: by.componentId });
    else await findProject(parts, actor, { id: by.projectId });
    const found = await parts.addons.find(
      by.componentId ? { componentIds: [by.componentId] } : { projectIds: [by.projectId] },
    );
    const items = found.slice((wish.page - 1) * wish.size, wish.page * wish.size);
    return { items: await viewsOf(parts, actor, items), total: found.length };
  }
  const hidden = hiddenFrom(actor, await parts.directory.at(actor.generation));
  const page = await parts.addons.page(
    { projects: [...hidden.projects], components: [...hidden.components] },
    canOnSite(actor.principal, 'management.addons'),
    wish,
  );
  return { items: await viewsOf(parts, actor, page.items), total: page.total };
}

interface Installed {
  addon: Addon;
  project: Project | null;
  component: Component | null;
}

async function find(parts: Parts, actor: Actor, id: number): Promise<Installed> {
  const addon = await parts.addons.get(id);
  if (!addon) throw notFound();
  if (addon.componentId) return { addon, ...(await findComponent(parts, actor, { id: addon.componentId })) };
  if (addon.projectId)
    return { addon, component: null, project: await findProject(parts, actor, { id: addon.projectId }) };
  if (!canOnSite(actor.principal, 'management.addons')) throw notFound();
  return { addon, component: null, project: null };
}

function demandRight(actor: Actor, project: Project | null, component: Component | null): void {
  if (project && component) demand(actor, 'component.edit', targetOf(project, component));
  else if (project) demand(actor, 'project.edit', targetOf(project));
  else demandOnSite(actor, 'management.addons');
}

/** Add-ons of a linked component work in the repository of its owner. @throws PERMISSION_DENIED */
async function demandRightOnOwner(parts: Parts, actor: Actor, component: Component | null): Promise<void> {
  if (!component?.linkedId) return;
  const owner = await parts.components.get(component.linkedId);
  if (!owner || !(await mayLinkTo(parts, actor, owner)))
    throw new ServiceError('PERMISSION_DENIED', { message: NO_RIGHTS_ON_OWNER });
}

/** @throws NOT_FOUND */
export async function getAddon(parts: Parts, actor: Actor, id: number): Promise<AddonView> {
  const { addon } = await find(parts, actor, id);
  return (await viewsOf(parts, actor, [addon]))[0]!;
}

/** Every add-on that acts on a component, or on one of several: its own, its project's, the site's; or all with a name. */
export async function effectiveAddons(
  parts: Parts,
  actor: Actor,
  by: { componentId: number; componentIds: readonly number[]; name: string },
): Promise<AddonView[]> {
  demandProcess(actor);
  if (by.componentIds.length > 0) {
    const components = await parts.components.byIds([...new Set(by.componentIds)]);
    const found = await parts.addons.find({
      componentIds: components.map((c) => c.id),
      projectIds: [...new Set(components.map((c) => c.projectId))],
      site: true,
    });
    return viewsOf(parts, actor, found);
  }
  if (by.name && !by.componentId) return viewsOf(parts, actor, await parts.addons.find({ name: by.name }));
  const component = await parts.components.get(by.componentId);
  if (!component) throw notFound();
  const found = await parts.addons.find({
    componentIds: [component.id],
    projectIds: [component.projectId],
    site: true,
  });
  return viewsOf(
    parts,
    actor,
    found.filter((a) => !by.name || a.name === by.name),
  );
}

export interface CreateAddon {
  componentId: number;
  projectId: number;
  name: string | undefined;
  configurationJson: string | undefined;
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createAddon(parts: Parts, actor: Actor, wish: CreateAddon): Promise<AddonView> {
  let project: Project | null = null;
  let component: Component | null = null;
  if (wish.componentId) ({ component, project } = await findComponent(parts, actor, { id: wish.componentId }));
  else if (wish.projectId) project = await findProject(parts, actor, { id: wish.projectId });
  demandRight(actor, project, component);
  await demandRightOnOwner(parts, actor, component);
  const place = { componentId: component?.id ?? 0, projectId: project?.id ?? 0 };
  const definition = wish.name ? addonDefinition(wish.name) : undefined;
  const problems = await nameProblems(parts, wish.name, definition, { place, component });
  const configuration =
    definition && wish.configurationJson !== undefined
      ? await noting(problems, () => configurationOf(parts, actor, definition, project, wish.configurationJson!))
      : // Without a configuration it waits for one.
        {};
  const wrong = joinProblems(actor.problems, problems);
  if (wrong.length > 0 || !definition || !configuration) throw fieldErrors(wrong);

  const addon: Addon = {
    id: await parts.ids.next('addon'),
    version: 1,
    name: definition.name,
    ...place,
    configuration,
  };
  await checkWebhook(parts, addon);
  const events = [note(actor, action.addonInstalled, addon, component), addonChanged(actor, addon, false)];
  await uniquely(
    () => parts.addons.insert(sealed(parts, addon), !definition.multiple, events),
    () => ({ attr: 'name', code: 'unique', detail: 'The add-on is installed already.' }),
  );
  await followNow(parts, addon);
  await parts.announcer.written({ place: { collection: 'addons', id: addon.id }, events });
  return (await viewsOf(parts, actor, [sealed(parts, addon)]))[0]!;
}

/** Why an add-on of this name cannot be installed in a place. */
async function nameProblems(
  parts: Parts,
  name: string | undefined,
  definition: AddonDefinition | undefined,
  { place, component }: { place: Pick<Addon, 'componentId' | 'projectId'>; component: Component | null },
): Promise<FieldProblem[]> {
  const problem = (code: string, detail: string): FieldProblem[] => [{ attr: 'name', code, detail }];
  if (!name) return problem('required', 'This field is required.');
  if (!definition) return problem('invalid_choice', 'There is no such add-on.');
  const scope = component ? 'component' : place.projectId ? 'project' : 'site';
  if (!definition.scopes.includes(scope)) return problem('invalid', `The add-on cannot be installed in a ${scope}.`);
  if (definition.unavailable) return problem('invalid', definition.unavailable);
  const installed = await installedIn(parts, place);
  if (!definition.multiple && installed.some((a) => a.name === name))
    return problem('unique', 'The add-on is installed already.');
  const most = parts.quotas.addonsOfPlace;
  if (installed.length >= most)
    return problem(
      'max_length',
      scope === 'site' ? `The site can have at most ${most} add-ons.` : `A ${scope} can have at most ${most} add-ons.`,
    );
  const unfit = component && (await fitProblem(parts, definition, component));
  return unfit ? problem('invalid', unfit) : [];
}

/** Add-ons of a place itself. */
async function installedIn(
  parts: Parts,
  { componentId, projectId }: { componentId: number; projectId: number },
): Promise<Addon[]> {
  if (componentId) return parts.addons.find({ componentIds: [componentId] });
  if (projectId) return parts.addons.find({ projectIds: [projectId] });
  return parts.addons.find({ site: true });
}

function note(actor: Actor, number: (typeof action)[keyof typeof action], addon: Addon, component: Component | null) {
  return change(actor, {
    action: number,
    ...(component ? { component } : { projectId: addon.projectId }),
    target: addon.name,
    details: { addon: addon.id },
  });
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateAddon(
  parts: Parts,
  actor: Actor,
  id: number,
  input: { name?: string | undefined; configurationJson?: string | undefined },
  replace: boolean,
): Promise<AddonView> {
  const { addon, events } = await retried(async () => {
    const { addon: before, project, component } = await find(parts, actor, id);
    demandRight(actor, project, component);
    await demandRightOnOwner(parts, actor, component);
    const problems: FieldProblem[] = [];
    if (replace && input.name === undefined)
      problems.push({ attr: 'name', code: 'required', detail: 'This field is required.' });
    if (input.name !== undefined && input.name !== before.name)
      problems.push({ attr: 'name', code: 'invalid', detail: 'The name of an add-on cannot be changed.' });
    const definition = addonDefinition(before.name);
    if (!definition) throw new ServiceError('FAILED_PRECONDITION', { message: 'This add-on is no longer available.' });
    const { configurationJson: given } = input;
    const configuration =
      given === undefined
        ? undefined
        : await noting(problems, () =>
            configurationOf(parts, actor, definition, project, given, openedConfiguration(parts, before)),
          );
    refuse(actor.problems, problems);
    if (!configuration) return { addon: before, events: [] };
    const after: Addon = { ...before, version: before.version + 1, configuration };
    await checkWebhook(parts, after);
    const announced = [note(actor, action.addonConfigured, after, component), addonChanged(actor, after, false)];
    const stored = sealed(parts, after);
    return (await parts.addons.replace(stored, announced)) ? { addon: stored, events: announced } : undefined;
  });
  if (events.length > 0) {
    await followNow(parts, addon);
    await parts.announcer.written({ place: { collection: 'addons', id }, events });
  }
  return (await viewsOf(parts, actor, [addon]))[0]!;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteAddon(parts: Parts, actor: Actor, id: number): Promise<void> {
  const { addon, project, component } = await find(parts, actor, id);
  demandRight(actor, project, component);
  const events = [note(actor, action.addonRemoved, addon, component), addonChanged(actor, addon, true)];
  if (!(await parts.addons.remove(id, events))) throw notFound();
  await followNow(parts, addon);
  await parts.announcer.written({ place: { collection: 'addons', id }, events });
}
