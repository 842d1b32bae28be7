import { canSee } from '@parlance/access';
import { fieldErrors } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { Component, Project } from '../domain/objects';
import type { Page, PageWish } from '../domain/ports';
import { componentUpdated } from './announce';
import { findComponent, notFound } from './find';
import type { Actor, Parts } from './parts';
import { retried } from './save';
import { demand, targetOf } from './visibility';

/** Other projects that show a component, as far as the caller may see them; ordered by id. */
export async function listLinks(
  parts: Parts,
  actor: Actor,
  componentId: number,
  wish: PageWish,
): Promise<Page<Project>> {
  const { component } = await findComponent(parts, actor, { id: componentId });
  const projects = (await parts.projects.byIds(component.links))
    .filter((p) => canSee(actor.principal, targetOf(p)))
    .sort((a, b) => a.id - b.id);
  return { items: projects.slice((wish.page - 1) * wish.size, wish.page * wish.size), total: projects.length };
}

async function change(
  parts: Parts,
  actor: Actor,
  componentId: number,
  links: (component: Component) => number[] | Promise<number[]>,
): Promise<{ component: Component; project: Project }> {
  const result = await retried(async () => {
    const { component: before, project } = await findComponent(parts, actor, { id: componentId });
    demand(actor, 'component.edit', targetOf(project, before));
    const component: Component = { ...before, version: before.version + 1, links: await links(before) };
    const events: OutgoingEvent[] = [componentUpdated(actor, component, ['links'])];
    return (await parts.components.replace(component, events)) ? { component, project, events } : undefined;
  });
  await parts.announcer.written({ place: { collection: 'nodes', id: componentId }, events: result.events });
  return result;
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID */
export async function createLink(
  parts: Parts,
  actor: Actor,
  componentId: number,
  projectSlug: string | undefined,
): Promise<{ component: Component; project: Project }> {
  return change(parts, actor, componentId, async (component) => {
    const refused = (code: string, detail: string) => fieldErrors([{ attr: 'project_slug', code, detail }]);
    if (projectSlug === undefined || projectSlug === '') throw refused('required', 'This field is required.');
    const other = await parts.projects.bySlug(projectSlug);
    if (!other || !canSee(actor.principal, targetOf(other)))
      throw refused('does_not_exist', 'There is no such project.');
    if (other.id === component.projectId) throw refused('invalid', 'The component belongs to this project.');
    return component.links.includes(other.id) ? component.links : [...component.links, other.id];
  });
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteLink(parts: Parts, actor: Actor, componentId: number, projectSlug: string): Promise<void> {
  await change(parts, actor, componentId, async (component) => {
    const other = await parts.projects.bySlug(projectSlug);
    if (!other || !component.links.includes(other.id)) throw notFound();
    return component.links.filter((id) => id !== other.id);
  });
}
