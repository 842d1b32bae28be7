import { canSee } from '@parlance/access';
import type { Component, Project } from '../domain/objects';
import type { ComponentFilter, Page, PageWish } from '../domain/ports';
import { findCategory, findProject, nestedIn } from './find';
import { getComponentList } from './component-lists';
import type { Actor, Parts } from './parts';
import { targetOf } from './visibility';

/** At most one of them; 0: not asked for. */
export interface Where {
  projectId: number;
  categoryId: number;
  componentListId: number;
}

/** @throws NOT_FOUND when the place is not visible to the caller */
async function filterOf(parts: Parts, actor: Actor, where: Where): Promise<ComponentFilter> {
  const hidden = await parts.visibility.hidden(actor);
  if (where.componentListId) {
    const { list } = await getComponentList(parts, actor, { id: where.componentListId });
    return { hidden, ids: list.componentIds };
  }
  if (where.categoryId) {
    const { category, project } = await findCategory(parts, actor, { id: where.categoryId });
    const nested = nestedIn(await parts.categories.ofProject(project.id), category.id);
    return { hidden, projectId: project.id, categoryIds: nested.map((c) => c.id) };
  }
  if (where.projectId) return { hidden, projectId: (await findProject(parts, actor, { id: where.projectId })).id };
  return { hidden };
}

export async function pageOfComponents(parts: Parts, actor: Actor, where: Where, wish: PageWish): Promise<Page<Component>> {
  return parts.components.page(await filterOf(parts, actor, where), wish);
}

/** @param withLinks also components that the project only shows */
export async function listComponentIds(parts: Parts, actor: Actor, where: Where, withLinks: boolean): Promise<number[]> {
  const filter = await filterOf(parts, actor, where);
  const ids = await parts.components.ids(filter);
  if (!withLinks || !where.projectId) return ids;
  const linked = await parts.components.ids({ hidden: filter.hidden, ids: await parts.components.linkedInto(where.projectId) });
  return [...ids, ...linked].sort((a, b) => a - b);
}

/** Those of the ids that exist and that the caller may see. */
export async function visibleByIds(parts: Parts, actor: Actor, ids: readonly number[]): Promise<{ components: Component[]; projects: Project[] }> {
  const components = await parts.components.byIds(ids);
  const projects = await parts.projects.byIds([...new Set(components.map((c) => c.projectId))]);
  const byId = new Map(projects.map((p) => [p.id, p]));
  const visible = components.filter((c) => {
    const project = byId.get(c.projectId);
    return project !== undefined && canSee(actor.principal, targetOf(project, c));
  });
  const needed = new Set(visible.map((c) => c.projectId));
  return { components: visible, projects: projects.filter((p) => needed.has(p.id)) };
}
