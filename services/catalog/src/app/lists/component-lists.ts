import { canSee } from '@parlance/access';
import { componentListSettings } from '@parlance/contracts';
import { fieldErrors, type FieldProblem, joinProblems, throwIfInvalid, ServiceError } from '@parlance/errors';
import { ruleProblem } from '../../domain/auto-assign';
import { schemaProblems } from '../../domain/component-rules';
import type { AutoAssign, ComponentList } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import { notFound } from '../find-objects';
import { missingSettings } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, reportTaken, takenProblem, updateObject } from '../save-object';
import type { ComponentPath } from '../views';
import type { CatalogSnapshot } from '../caches/catalog-snapshot';
import { requireSitePermission } from '../visibility';

export interface ComponentListInput {
  name?: string | undefined;
  slug?: string | undefined;
  showDashboard?: boolean | undefined;
  autoAssign: AutoAssign[];
  hasAutoAssign: boolean;
}

/** A list with its visible components. */
export interface ComponentListView {
  list: ComponentList;
  components: ComponentPath[];
}

/** Visible parts of lists, from the snapshot. */
async function viewsOf(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  lists: readonly ComponentList[],
): Promise<ComponentListView[]> {
  const snapshot = await deps.snapshot.at(context.generation);
  const places = visibleComponents(snapshot, context, new Set(lists.flatMap((l) => l.componentIds)));
  return lists.map((list) => ({
    list,
    components: [...list.componentIds].sort((a, b) => a - b).flatMap((id) => places.get(id) ?? []),
  }));
}

function visibleComponents(
  snapshot: CatalogSnapshot,
  { caller }: RequestContext,
  ids: Iterable<number>,
): Map<number, ComponentPath> {
  const places = new Map<number, ComponentPath>();
  for (const id of ids) {
    const component = snapshot.components.get(id);
    const project = component && snapshot.projects.get(component.projectId);
    if (!project) continue;
    const { id: projectId, accessControl, slug: projectSlug } = project;
    if (!canSee(caller, { projectId, accessControl, componentId: id, restricted: component.restricted })) continue;
    places.set(id, { id, projectId, projectSlug, path: snapshot.path(component.slug, component.categoryId) });
  }
  return places;
}

const isListVisible = ({ list, components }: ComponentListView) =>
  list.componentIds.length === 0 || components.length > 0;

type ListComponentListsDeps = Pick<Deps, 'lists' | 'snapshot'>;

export async function listComponentLists(
  deps: ListComponentListsDeps,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<ComponentListView>> {
  const shown = (await viewsOf(deps, context, await deps.lists.all())).filter(isListVisible);
  return { items: shown.slice((page.page - 1) * page.size, page.page * page.size), total: shown.length };
}

/** @throws NOT_FOUND also for a list whose components are all hidden */
export async function getComponentList(
  deps: ListComponentListsDeps,
  context: RequestContext,
  by: { id?: number; slug?: string },
): Promise<ComponentListView> {
  const list = by.id ? await deps.lists.get(by.id) : by.slug ? await deps.lists.bySlug(by.slug) : null;
  const view = list && (await viewsOf(deps, context, [list]))[0];
  if (!view || !isListVisible(view)) throw notFound();
  return view;
}

/** @param id the list to change; 0: a new one */
async function problemsOf(
  deps: Pick<Deps, 'lists'>,
  values: Pick<ComponentList, 'name' | 'slug' | 'showDashboard' | 'autoAssign'>,
  id: number,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = schemaProblems(componentListSettings, { ...values });
  values.autoAssign.forEach((rule, i) => {
    for (const [name, expression] of [
      ['project_match', rule.projectMatch],
      ['component_match', rule.componentMatch],
    ] as const) {
      const problem = ruleProblem(expression);
      if (problem) problems.push({ attr: `auto_assign.${i}.${name}`, code: 'invalid', detail: problem });
    }
  });
  if (values.autoAssign.length > 100)
    problems.push({ attr: 'auto_assign', code: 'max_length', detail: 'At most 100 rules are allowed.' });
  const others = (await deps.lists.all()).filter((list) => list.id !== id);
  for (const field of ['name', 'slug'] as const)
    if (others.some((list) => list[field] === values[field])) problems.push(takenProblem(field));
  return problems;
}

/** Default of a missing pattern: matches nothing. */
const NOTHING = '^$';
const rulesOf = (given: readonly AutoAssign[]) =>
  given.map((r) => ({ projectMatch: r.projectMatch || NOTHING, componentMatch: r.componentMatch || NOTHING }));

/** @throws PERMISSION_DENIED, INVALID */
export async function createComponentList(
  deps: Pick<Deps, 'lists' | 'ids' | 'announcer'>,
  context: RequestContext,
  input: ComponentListInput,
): Promise<ComponentListView> {
  requireSitePermission(context, 'componentlist.edit');
  const values = {
    name: input.name ?? '',
    slug: input.slug ?? '',
    showDashboard: input.showDashboard ?? true,
    autoAssign: rulesOf(input.autoAssign),
  };
  const required = missingSettings(componentListSettings, { ...input });
  throwIfInvalid(context.problems, joinProblems(required, await problemsOf(deps, values, 0)));
  const list: ComponentList = { id: await deps.ids.next('list'), version: 1, ...values, componentIds: [] };
  await reportTaken(() => deps.lists.insert(list));
  await deps.announcer.written();
  return { list, components: [] };
}

type UpdateComponentListDeps = Pick<Deps, 'projects' | 'components' | 'lists' | 'announcer' | 'snapshot'>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function updateComponentList(
  deps: UpdateComponentListDeps,
  context: RequestContext,
  id: number,
  input: ComponentListInput,
  replace: boolean,
): Promise<ComponentListView> {
  await getComponentList(deps, context, { id });
  requireSitePermission(context, 'componentlist.edit');
  await updateObject(async () => {
    const before = await deps.lists.get(id);
    if (!before) throw notFound();
    const after: ComponentList = {
      ...before,
      version: before.version + 1,
      name: input.name ?? before.name,
      slug: input.slug ?? before.slug,
      showDashboard: input.showDashboard ?? before.showDashboard,
      autoAssign: input.hasAutoAssign ? rulesOf(input.autoAssign) : before.autoAssign,
    };
    const required = replace ? missingSettings(componentListSettings, { ...input }) : [];
    throwIfInvalid(context.problems, joinProblems(required, await problemsOf(deps, after, id)));
    return (await deps.lists.replace(after)) || LOST_RACE;
  });
  await deps.announcer.written();
  return getComponentList(deps, context, { id });
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteComponentList(
  deps: UpdateComponentListDeps,
  context: RequestContext,
  id: number,
): Promise<void> {
  await getComponentList(deps, context, { id });
  requireSitePermission(context, 'componentlist.edit');
  if (!(await deps.lists.remove(id))) throw notFound();
  await deps.announcer.written();
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function addToComponentList(
  deps: UpdateComponentListDeps,
  context: RequestContext,
  id: number,
  componentId: number,
): Promise<ComponentListView> {
  await getComponentList(deps, context, { id });
  requireSitePermission(context, 'componentlist.edit');
  if (!componentId) throw fieldErrors([{ attr: 'component_id', code: 'required', detail: 'This field is required.' }]);
  if (visibleComponents(await deps.snapshot.at(''), context, [componentId]).size === 0) {
    throw fieldErrors([{ attr: 'component_id', code: 'does_not_exist', detail: 'The component does not exist.' }]);
  }
  await deps.lists.change(id, [componentId], []);
  await deps.announcer.written();
  return getComponentList(deps, context, { id });
}

/** @param slug slug of the component, or project/path */
export async function removeFromComponentList(
  deps: UpdateComponentListDeps,
  context: RequestContext,
  id: number,
  slug: string,
): Promise<void> {
  const { components } = await getComponentList(deps, context, { id });
  requireSitePermission(context, 'componentlist.edit');
  const found =
    components.find((c) => `${c.projectSlug}/${c.path}` === slug) ??
    components.find((c) => c.path.split('/').at(-1) === slug);
  if (!found) throw new ServiceError('NOT_FOUND');
  await deps.lists.change(id, [], [found.id]);
  await deps.announcer.written();
}
