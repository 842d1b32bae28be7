import { canSee } from '@parlance/access';
import type { Component, Project } from '../../domain/objects';
import type { Page, PageWish } from '../../domain/ports';
import { getComponentList } from '../lists/component-lists';
import type { Directory } from '../caches/catalog-snapshot';
import { findCategory, findProject } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { hiddenFrom, targetOf } from '../visibility';

/** At most one of them; 0: not asked for. */
export interface Where {
  projectId: number;
  categoryId: number;
  componentListId: number;
}

/** Whether components count that a project shows and others own. */
export type Links = 'without' | 'with' | 'only';

/** Ids of the components at a place that the caller may see, ascending. @throws NOT_FOUND when the place is not visible */
async function visibleIds(
  deps: Deps,
  context: RequestContext,
  where: Where,
  links: Links = 'without',
): Promise<readonly number[]> {
  const wanted = await wantedIds(deps, context, where, links);
  const directory = await deps.directory.at(context.generation);
  const hidden = hiddenFrom(context, directory);
  const ids = wanted(directory);
  if (hidden.projects.size === 0 && hidden.components.size === 0) return ids;
  return ids.filter(
    (id) => !hidden.components.has(id) && !hidden.projects.has(directory.components.get(id)!.projectId),
  );
}

async function wantedIds(
  deps: Deps,
  context: RequestContext,
  where: Where,
  links: Links,
): Promise<(directory: Directory) => readonly number[]> {
  const there = (directory: Directory, ids: readonly number[]) =>
    [...ids].filter((id) => directory.components.has(id)).sort((a, b) => a - b);
  if (where.componentListId) {
    const { list } = await getComponentList(deps, context, { id: where.componentListId });
    return (directory) => there(directory, list.componentIds);
  }
  if (where.categoryId) {
    const { category } = await findCategory(deps, context, { id: where.categoryId });
    return (directory) => {
      const inside = new Set(directory.nestedIn(category.id));
      return directory
        .componentsOf(category.projectId)
        .filter((id) => inside.has(directory.components.get(id)!.categoryId));
    };
  }
  if (where.projectId) {
    const { id } = await findProject(deps, context, { id: where.projectId });
    const linked = links === 'without' ? [] : await deps.components.linkedInto(id);
    return (directory) => there(directory, [...(links === 'only' ? [] : directory.componentsOf(id)), ...linked]);
  }
  return (directory) => directory.componentIds.all();
}

/** The part of a list of ids that makes a page. */
export function slice(ids: readonly number[], wish: PageWish): number[] {
  return ids.slice((wish.page - 1) * wish.size, wish.page * wish.size);
}

export async function pageOfComponents(
  deps: Deps,
  context: RequestContext,
  where: Where,
  wish: PageWish,
): Promise<Page<Component>> {
  const ids = await visibleIds(deps, context, where);
  const total = ids.length;
  return { items: await deps.reader.components(context.generation, slice(ids, wish)), total };
}

export async function pageOfProjects(deps: Deps, context: RequestContext, wish: PageWish): Promise<Page<Project>> {
  const directory = await deps.directory.at(context.generation);
  const { projects: hidden } = hiddenFrom(context, directory);
  const ids =
    hidden.size === 0 ? directory.projectIds.all() : directory.projectIds.all().filter((id) => !hidden.has(id));
  const wanted = slice(ids, wish);
  const total = ids.length;
  return { items: await deps.reader.projects(context.generation, wanted), total };
}

export async function listComponentIds(
  deps: Deps,
  context: RequestContext,
  where: Where,
  links: Links,
): Promise<number[]> {
  return [...(await visibleIds(deps, context, where, links))];
}

/** Those of the ids that exist and that the caller may see. */
export async function visibleByIds(
  deps: Deps,
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
