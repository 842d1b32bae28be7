import { can, canOnSite } from '@parlance/access';
import { ChangeAction, addonDefinition, type AddonDefinition } from '@parlance/contracts';
import {
  fieldErrors,
  type FieldProblem,
  joinProblems,
  collectProblems,
  throwIfInvalid,
  ServiceError,
} from '@parlance/errors';
import type { Addon, Component, Project } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import {
  configurationOf,
  fitProblem,
  maskedConfiguration,
  openedConfiguration,
  sealSecrets,
  withoutSecrets,
} from './addon-configuration';
import { checkWebhook, trySyncWebhook } from './addon-webhooks';
import { addonChanged, change } from '../events';
import { mayLinkTo, NO_RIGHTS_ON_OWNER } from '../components/component-input';
import { findComponent, findProject, notFound, readComponent, readProject } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, reportTaken, updateObject } from '../save-object';
import { componentPaths, type ComponentPath } from '../views';
import { requirePermission, requireSitePermission, requireService, hiddenFrom, targetOf } from '../visibility';

export interface AddonView {
  addon: Addon;
  component: ComponentPath | null;
  /** Slug of the project that the add-on is installed in. */
  projectSlug: string;
  /** Without values hidden from the caller. */
  configuration: Record<string, unknown>;
}

type ViewsOfDeps = Pick<Deps, 'secrets' | 'snapshot' | 'reader'>;

async function viewsOf(deps: ViewsOfDeps, context: RequestContext, addons: readonly Addon[]): Promise<AddonView[]> {
  const [components, projects] = await Promise.all([
    deps.reader.components(context.generation, [...new Set(addons.map((a) => a.componentId))].filter(Boolean)),
    deps.reader.projects(context.generation, [...new Set(addons.map((a) => a.projectId))].filter(Boolean)),
  ]);
  const places = componentPaths(await deps.snapshot.at(context.generation), components);
  const byId = new Map(projects.map((p) => [p.id, p]));
  const componentById = new Map(components.map((c) => [c.id, c]));
  return addons.map((addon) => {
    const project = byId.get(addon.projectId);
    return {
      addon,
      component: places.get(addon.componentId) ?? null,
      projectSlug: addon.componentId === 0 ? (project?.settings.slug ?? '') : '',
      configuration: configurationFor(deps, context, addon, {
        project,
        component: componentById.get(addon.componentId),
      }),
    };
  });
}

/** Services get secrets in plain text; users get masked secrets if they may change the add-on, otherwise none. */
function configurationFor(
  deps: Pick<Deps, 'secrets'>,
  context: RequestContext,
  addon: Addon,
  place: { project: Project | undefined; component: Component | undefined },
): Record<string, unknown> {
  if (context.caller.service) return openedConfiguration(deps, addon);
  return mayChange(context, addon, place.project, place.component) ? maskedConfiguration(addon) : withoutSecrets(addon);
}

function mayChange(
  context: RequestContext,
  addon: Addon,
  project: Project | undefined,
  component: Component | undefined,
): boolean {
  if (addon.projectId === 0) return canOnSite(context.caller, 'management.addons');
  if (!project) return false;
  return component
    ? can(context.caller, 'component.edit', targetOf(project, component))
    : can(context.caller, 'project.edit', targetOf(project));
}

type ListAddonsDeps = Pick<Deps, 'addons' | 'secrets' | 'snapshot' | 'reader'>;

export async function listAddons(
  deps: ListAddonsDeps,
  context: RequestContext,
  by: { componentId: number; projectId: number },
  request: PageRequest,
): Promise<Page<AddonView>> {
  if (by.componentId || by.projectId) {
    if (by.componentId) await readComponent(deps, context, { id: by.componentId });
    else await readProject(deps, context, { id: by.projectId });
    const found = await deps.addons.find(
      by.componentId ? { componentIds: [by.componentId] } : { projectIds: [by.projectId] },
    );
    const items = found.slice((request.page - 1) * request.size, request.page * request.size);
    return { items: await viewsOf(deps, context, items), total: found.length };
  }
  const hidden = hiddenFrom(context, await deps.snapshot.at(context.generation));
  const page = await deps.addons.page(
    { projects: [...hidden.projects], components: [...hidden.components] },
    canOnSite(context.caller, 'management.addons'),
    request,
  );
  return { items: await viewsOf(deps, context, page.items), total: page.total };
}

interface InstalledAddon {
  addon: Addon;
  project: Project | null;
  component: Component | null;
}

type FindDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'addons' | 'snapshot'>;

async function findAddon(deps: FindDeps, context: RequestContext, id: number): Promise<InstalledAddon> {
  const addon = await deps.addons.get(id);
  if (!addon) throw notFound();
  if (addon.componentId) return { addon, ...(await findComponent(deps, context, { id: addon.componentId })) };
  if (addon.projectId)
    return { addon, component: null, project: await findProject(deps, context, { id: addon.projectId }) };
  if (!canOnSite(context.caller, 'management.addons')) throw notFound();
  return { addon, component: null, project: null };
}

function requireAddonPermission(context: RequestContext, project: Project | null, component: Component | null): void {
  if (project && component) requirePermission(context, 'component.edit', targetOf(project, component));
  else if (project) requirePermission(context, 'project.edit', targetOf(project));
  else requireSitePermission(context, 'management.addons');
}

/** Add-ons of a linked component run in the repository of its owner. @throws PERMISSION_DENIED */
async function requireOwnerPermission(
  deps: Pick<Deps, 'projects' | 'components'>,
  context: RequestContext,
  component: Component | null,
): Promise<void> {
  if (!component?.linkedId) return;
  const owner = await deps.components.get(component.linkedId);
  if (!owner || !(await mayLinkTo(deps, context, owner)))
    throw new ServiceError('PERMISSION_DENIED', { message: NO_RIGHTS_ON_OWNER });
}

/** @throws NOT_FOUND */
export async function getAddon(deps: ListAddonsDeps, context: RequestContext, id: number): Promise<AddonView> {
  const addon = await deps.addons.get(id);
  if (!addon) throw notFound();
  if (addon.componentId) await readComponent(deps, context, { id: addon.componentId });
  else if (addon.projectId) await readProject(deps, context, { id: addon.projectId });
  else if (!canOnSite(context.caller, 'management.addons')) throw notFound();
  return (await viewsOf(deps, context, [addon]))[0]!;
}

type EffectiveAddonsDeps = Pick<Deps, 'components' | 'addons' | 'secrets' | 'snapshot' | 'reader'>;

/** Add-ons that apply to a component or one of several: its own, its project's, the site's; or all with a name. */
export async function effectiveAddons(
  deps: EffectiveAddonsDeps,
  context: RequestContext,
  by: { componentId: number; componentIds: readonly number[]; name: string },
): Promise<AddonView[]> {
  requireService(context);
  if (by.componentIds.length > 0) {
    const components = await deps.components.byIds([...new Set(by.componentIds)]);
    const found = await deps.addons.find({
      componentIds: components.map((c) => c.id),
      projectIds: [...new Set(components.map((c) => c.projectId))],
      site: true,
    });
    return viewsOf(deps, context, found);
  }
  if (by.name && !by.componentId) return viewsOf(deps, context, await deps.addons.find({ name: by.name }));
  const component = await deps.components.get(by.componentId);
  if (!component) throw notFound();
  const found = await deps.addons.find({
    componentIds: [component.id],
    projectIds: [component.projectId],
    site: true,
  });
  return viewsOf(
    deps,
    context,
    found.filter((a) => !by.name || a.name === by.name),
  );
}

export interface CreateAddonRequest {
  componentId: number;
  projectId: number;
  name: string | undefined;
  configurationJson: string | undefined;
}

type CreateAddonDeps = Pick<
  Deps,
  | 'projects'
  | 'components'
  | 'categories'
  | 'addons'
  | 'ids'
  | 'secrets'
  | 'repositories'
  | 'webhooks'
  | 'announcer'
  | 'vocabularies'
  | 'quotas'
  | 'snapshot'
  | 'reader'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createAddon(
  deps: CreateAddonDeps,
  context: RequestContext,
  request: CreateAddonRequest,
): Promise<AddonView> {
  let project: Project | null = null;
  let component: Component | null = null;
  if (request.componentId) ({ component, project } = await findComponent(deps, context, { id: request.componentId }));
  else if (request.projectId) project = await findProject(deps, context, { id: request.projectId });
  requireAddonPermission(context, project, component);
  await requireOwnerPermission(deps, context, component);
  const place = { componentId: component?.id ?? 0, projectId: project?.id ?? 0 };
  const definition = request.name ? addonDefinition(request.name) : undefined;
  const problems = await nameProblems(deps, request.name, definition, { place, component });
  const configuration =
    definition && request.configurationJson !== undefined
      ? await collectProblems(problems, () =>
          configurationOf(deps, context, definition, project, request.configurationJson!),
        )
      : // Without a configuration it waits for one.
        {};
  const wrong = joinProblems(context.problems, problems);
  if (wrong.length > 0 || !definition || !configuration) throw fieldErrors(wrong);

  const addon: Addon = {
    id: await deps.ids.next('addon'),
    version: 1,
    name: definition.name,
    ...place,
    configuration,
  };
  await checkWebhook(deps, addon);
  const events = [
    addonChangeEvent(context, ChangeAction.addonInstalled, addon, component),
    addonChanged(context, addon, false),
  ];
  await reportTaken(
    () => deps.addons.insert(sealSecrets(deps, addon), !definition.multiple, events),
    () => ({ attr: 'name', code: 'unique', detail: 'The add-on is installed already.' }),
  );
  await trySyncWebhook(deps, addon);
  await deps.announcer.written({ location: { collection: 'addons', id: addon.id }, events });
  return (await viewsOf(deps, context, [sealSecrets(deps, addon)]))[0]!;
}

/** Reason why an add-on of this name cannot be installed in a scope. */
async function nameProblems(
  deps: Pick<Deps, 'addons' | 'repositories' | 'quotas'>,
  name: string | undefined,
  definition: AddonDefinition | undefined,
  { place, component }: { place: Pick<Addon, 'componentId' | 'projectId'>; component: Component | null },
): Promise<FieldProblem[]> {
  const problem = (code: string, detail: string): FieldProblem[] => [{ attr: 'name', code, detail }];
  if (!name) return problem('required', 'This field is required.');
  if (!definition) return problem('invalid_choice', 'The add-on does not exist.');
  const scope = component ? 'component' : place.projectId ? 'project' : 'site';
  if (!definition.scopes.includes(scope)) return problem('invalid', `The add-on cannot be installed in a ${scope}.`);
  if (definition.unavailable) return problem('invalid', definition.unavailable);
  const installed = await installedIn(deps, place);
  if (!definition.multiple && installed.some((a) => a.name === name))
    return problem('unique', 'The add-on is already installed.');
  const most = deps.quotas.addonsPerScope;
  if (installed.length >= most)
    return problem(
      'max_length',
      scope === 'site' ? `The site can have at most ${most} add-ons.` : `A ${scope} can have at most ${most} add-ons.`,
    );
  const unfit = component && (await fitProblem(deps, definition, component));
  return unfit ? problem('invalid', unfit) : [];
}

/** Add-ons installed in exactly this scope. */
async function installedIn(
  deps: Pick<Deps, 'addons'>,
  { componentId, projectId }: { componentId: number; projectId: number },
): Promise<Addon[]> {
  if (componentId) return deps.addons.find({ componentIds: [componentId] });
  if (projectId) return deps.addons.find({ projectIds: [projectId] });
  return deps.addons.find({ site: true });
}

function addonChangeEvent(context: RequestContext, number: ChangeAction, addon: Addon, component: Component | null) {
  return change(context, {
    action: number,
    ...(component ? { component } : { projectId: addon.projectId }),
    target: addon.name,
    details: { addon: addon.id },
  });
}

type UpdateAddonDeps = Pick<
  Deps,
  | 'projects'
  | 'components'
  | 'categories'
  | 'addons'
  | 'secrets'
  | 'webhooks'
  | 'announcer'
  | 'vocabularies'
  | 'snapshot'
  | 'reader'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateAddon(
  deps: UpdateAddonDeps,
  context: RequestContext,
  id: number,
  input: { name?: string | undefined; configurationJson?: string | undefined },
  replace: boolean,
): Promise<AddonView> {
  const { addon, events } = await updateObject(async () => {
    const { addon: before, project, component } = await findAddon(deps, context, id);
    requireAddonPermission(context, project, component);
    await requireOwnerPermission(deps, context, component);
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
        : await collectProblems(problems, () =>
            configurationOf(deps, context, definition, project, given, openedConfiguration(deps, before)),
          );
    throwIfInvalid(context.problems, problems);
    if (!configuration) return { addon: before, events: [] };
    const after: Addon = { ...before, version: before.version + 1, configuration };
    await checkWebhook(deps, after);
    const announced = [
      addonChangeEvent(context, ChangeAction.addonConfigured, after, component),
      addonChanged(context, after, false),
    ];
    const stored = sealSecrets(deps, after);
    return (await deps.addons.replace(stored, announced)) ? { addon: stored, events: announced } : LOST_RACE;
  });
  if (events.length > 0) {
    await trySyncWebhook(deps, addon);
    await deps.announcer.written({ location: { collection: 'addons', id }, events });
  }
  return (await viewsOf(deps, context, [addon]))[0]!;
}

type DeleteAddonDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'addons' | 'secrets' | 'webhooks' | 'announcer' | 'snapshot'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteAddon(deps: DeleteAddonDeps, context: RequestContext, id: number): Promise<void> {
  const { addon, project, component } = await findAddon(deps, context, id);
  requireAddonPermission(context, project, component);
  const events = [
    addonChangeEvent(context, ChangeAction.addonRemoved, addon, component),
    addonChanged(context, addon, true),
  ];
  if (!(await deps.addons.remove(id, events))) throw notFound();
  await trySyncWebhook(deps, addon);
  await deps.announcer.written({ location: { collection: 'addons', id }, events });
}
