import { canSee } from '@parlance/access';
import type { Component, Project } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import { getComponentList } from '../lists/component-lists';
import type { CatalogSnapshot } from '../caches/catalog-snapshot';
import { readCategory, readProject } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { hiddenFrom, targetOf } from '../visibility';

/** At most one of them; 0: no filter. */
export interface ComponentFilter {
  projectId: number;
  categoryId: number;
  componentListId: number;
}

/** Whether to include components of other projects that the project shows. */
export type Links = 'without' | 'with' | 'only';

type ListComponentIdsDeps = Pick<Deps, 'components' | 'lists' | 'snapshot' | 'reader'>;

/** Ids of visible components in a scope, ascending. @throws NOT_FOUND if the scope is hidden */
async function visibleIds(
  deps: ListComponentIdsDeps,
  context: RequestContext,
  where: ComponentFilter,
  links: Links = 'without',
): Promise<readonly number[]> {
  const wanted = await wantedIds(deps, context, where, links);
  const snapshot = await deps.snapshot.at(context.generation);
  const hidden = hiddenFrom(context, snapshot);
  const ids = wanted(snapshot);
  if (hidden.projects.size === 0 && hidden.components.size === 0) return ids;
  return ids.filter((id) => !hidden.components.has(id) && !hidden.projects.has(snapshot.components.get(id)!.projectId));
}

async function wantedIds(
  deps: ListComponentIdsDeps,
  context: RequestContext,
  where: ComponentFilter,
  links: Links,
): Promise<(snapshot: CatalogSnapshot) => readonly number[]> {
  const there = (snapshot: CatalogSnapshot, ids: readonly number[]) =>
    [...ids].filter((id) => snapshot.components.has(id)).sort((a, b) => a - b);
  if (where.componentListId) {
    const { list } = await getComponentList(deps, context, { id: where.componentListId });
    return (snapshot) => there(snapshot, list.componentIds);
  }
  if (where.categoryId) {
    const category = await readCategory(deps, context, { id: where.categoryId });
    return (snapshot) => {
      const inside = new Set(snapshot.nestedIn(category.id));
      return snapshot
        .componentsOf(category.projectId)
        .filter((id) => inside.has(snapshot.components.get(id)!.categoryId));
    };
  }
  if (where.projectId) {
    const { id } = await readProject(deps, context, { id: where.projectId });
    const linked = links === 'without' ? [] : await deps.components.linkedInto(id);
    return (snapshot) => there(snapshot, [...(links === 'only' ? [] : snapshot.componentsOf(id)), ...linked]);
  }
  return (snapshot) => snapshot.componentIds.all();
}

/** The slice of ids for a page. */
export function pageOfIds(ids: readonly number[], page: PageRequest): number[] {
  return ids.slice((page.page - 1) * page.size, page.page * page.size);
}

export async function pageOfComponents(
  deps: ListComponentIdsDeps,
  context: RequestContext,
  where: ComponentFilter,
  page: PageRequest,
): Promise<Page<Component>> {
  const ids = await visibleIds(deps, context, where);
  const total = ids.length;
  return { items: await deps.reader.components(context.generation, pageOfIds(ids, page)), total };
}

export async function pageOfProjects(
  deps: Pick<Deps, 'snapshot' | 'reader'>,
  context: RequestContext,
  page: PageRequest,
): Promise<Page<Project>> {
  const snapshot = await deps.snapshot.at(context.generation);
  const { projects: hidden } = hiddenFrom(context, snapshot);
  const ids = hidden.size === 0 ? snapshot.projectIds.all() : snapshot.projectIds.all().filter((id) => !hidden.has(id));
  const wanted = pageOfIds(ids, page);
  const total = ids.length;
  return { items: await deps.reader.projects(context.generation, wanted), total };
}

export async function listComponentIds(
  deps: ListComponentIdsDeps,
  context: RequestContext,
  where: ComponentFilter,
  links: Links,
): Promise<number[]> {
  return [...(await visibleIds(deps, context, where, links))];
}

/** Existing ids that are visible to the caller. */
export async function visibleByIds(
  deps: Pick<Deps, 'reader'>,
  context: RequestContext,
  ids: readonly number[],
): Promise<{ components: Component[]; projects: Project[] }> {
  const components = await deps.reader.components(context.generation, ids);
  const projects = await deps.reader.projects(context.generation, [...new Set(components.map((c) => c.projectId))]);
  const byId = new Map(projects.map((p) => [p.id, p]));
  const visible = components.filter((c) => {
    const project = byId.get(c.projectId);
    return project !== undefined && canSee(context.caller, targetOf(project, c));
  });
  const needed = new Set(visible.map((c) => c.projectId));
  return { components: visible, projects: projects.filter((p) => needed.has(p.id)) };
}
