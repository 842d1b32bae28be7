import { can, canSee } from '@parlance/access';
import { fieldErrors } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { Component, Project } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import { componentUpdated } from '../events';
import { findProject, notFound, readComponent, readProject } from '../find-objects';
import { linkedPage, type LinkedComponentView } from './linked-components';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { requirePermission, targetOf } from '../visibility';

type ListLinksDeps = Pick<Deps, 'snapshot' | 'reader'>;

/** Other projects that show a component, as far as the caller may see them; ordered by id. */
export async function listLinks(
  deps: ListLinksDeps,
  context: RequestContext,
  componentId: number,
  page: PageRequest,
): Promise<Page<Project>> {
  const { component } = await readComponent(deps, context, { id: componentId });
  const projects = (await deps.reader.projects(context.generation, component.links))
    .filter((p) => canSee(context.caller, targetOf(p)))
    .sort((a, b) => a.id - b.id);
  return { items: projects.slice((page.page - 1) * page.size, page.page * page.size), total: projects.length };
}

/** Updates the links of a component under optimistic concurrency. */
async function updateLinks(
  deps: Pick<Deps, 'projects' | 'components' | 'announcer'>,
  context: RequestContext,
  componentId: number,
  links: (component: Component, project: Project) => number[] | Promise<number[]>,
): Promise<{ component: Component; project: Project }> {
  const result = await updateObject(async () => {
    const before = await deps.components.get(componentId);
    const project = before && (await deps.projects.get(before.projectId));
    if (!before || !project) throw notFound();
    const component: Component = { ...before, version: before.version + 1, links: await links(before, project) };
    const events: OutgoingEvent[] = [componentUpdated(context, component, ['links'])];
    return (await deps.components.replace(component, events)) ? { component, project, events } : LOST_RACE;
  });
  await deps.announcer.written({ location: { collection: 'nodes', id: componentId }, events: result.events });
  return result;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
function requireEditor(context: RequestContext, component: Component, project: Project): void {
  const target = targetOf(project, component);
  if (!canSee(context.caller, target)) throw notFound();
  requirePermission(context, 'component.edit', target);
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createLink(
  deps: Pick<Deps, 'projects' | 'components' | 'announcer'>,
  context: RequestContext,
  componentId: number,
  projectSlug: string | undefined,
): Promise<{ component: Component; project: Project }> {
  return updateLinks(deps, context, componentId, async (component, project) => {
    requireEditor(context, component, project);
    const refused = (code: string, detail: string) => fieldErrors([{ attr: 'project_slug', code, detail }]);
    if (projectSlug === undefined || projectSlug === '') throw refused('required', 'This field is required.');
    const other = await deps.projects.bySlug(projectSlug);
    if (!other || !canSee(context.caller, targetOf(other)))
      throw refused('does_not_exist', 'The project does not exist.');
    if (other.id === component.projectId) throw refused('invalid', 'The component belongs to this project.');
    // A linked component counts in the statistics of the other project.
    if (!can(context.caller, 'project.edit', targetOf(other)))
      throw refused('permission_denied', 'Sharing a component requires project.edit on the other project.');
    return component.links.includes(other.id) ? component.links : [...component.links, other.id];
  });
}

/**
 * Either side can end a link: editors of the component, and editors of the other project. @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function deleteLink(
  deps: Pick<Deps, 'projects' | 'components' | 'announcer'>,
  context: RequestContext,
  componentId: number,
  projectSlug: string,
): Promise<void> {
  await updateLinks(deps, context, componentId, async (component, project) => {
    const other = await deps.projects.bySlug(projectSlug);
    const linked = other !== null && component.links.includes(other.id);
    if (!linked || !can(context.caller, 'project.edit', targetOf(other))) requireEditor(context, component, project);
    if (!linked) throw notFound();
    return component.links.filter((id) => id !== other.id);
  });
}

/**
 * Components of other projects that a project shows, ordered by id. Its admins see all of them, because they count in its
 * statistics.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function listShared(
  deps: Pick<Deps, 'components' | 'snapshot' | 'reader'>,
  context: RequestContext,
  projectId: number,
  page: PageRequest,
): Promise<Page<LinkedComponentView>> {
  const project = await readProject(deps, context, { id: projectId });
  requirePermission(context, 'project.edit', targetOf(project));
  const ids = await deps.components.linkedInto(projectId);
  return linkedPage(deps, context, await deps.reader.components(context.generation, ids), page);
}

/** Ends the link of a component to a project, by the project. @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteShared(
  deps: Pick<Deps, 'projects' | 'components' | 'announcer'>,
  context: RequestContext,
  projectId: number,
  componentId: number,
): Promise<void> {
  const project = await findProject(deps, context, { id: projectId });
  requirePermission(context, 'project.edit', targetOf(project));
  await updateLinks(deps, context, componentId, ({ links }) => {
    if (!links.includes(projectId)) throw notFound();
    return links.filter((id) => id !== projectId);
  });
}
