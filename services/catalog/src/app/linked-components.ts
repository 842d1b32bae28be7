import { randomUUID } from 'node:crypto';
import type { Component } from '../domain/objects';
import type { Page, PageWish } from '../domain/ports';
import { LOCAL_BRANCH, LOCAL_REPOSITORY } from '../domain/repository-address';
import { componentUpdated } from './announce';
import { findComponent, notFound } from './find';
import type { Actor, Parts } from './parts';
import { retried } from './save';
import { componentPlaces, type ComponentPlace } from './views';
import { demand, targetOf } from './visibility';

/** What the other side of a link may know of a component, whether or not it may see it. */
export interface LinkedView {
  component: Component;
  place: ComponentPlace;
  projectName: string;
}

/** One page of components as the other side of their links sees them. Components whose project was deleted are left out. */
export async function linkedPage(
  parts: Parts,
  actor: Actor,
  components: readonly Component[],
  wish: PageWish,
): Promise<Page<LinkedView>> {
  const places = componentPlaces(await parts.directory.at(actor.generation), components);
  const known = components.filter(({ id }) => places.has(id)).sort((a, b) => a.id - b.id);
  const shown = known.slice((wish.page - 1) * wish.size, wish.page * wish.size);
  const projects = await parts.projects.byIds([...new Set(shown.map((c) => c.projectId))]);
  const names = new Map(projects.map((project) => [project.id, project.settings.name]));
  const items = shown.map((component) => ({
    component,
    place: places.get(component.id)!,
    projectName: names.get(component.projectId) ?? '',
  }));
  return { items, total: known.length };
}

/**
 * Components that use the repository of a component. Its admins see all of them: each commits to their repository.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function listLinked(
  parts: Parts,
  actor: Actor,
  ownerId: number,
  wish: PageWish,
): Promise<Page<LinkedView>> {
  const { component: owner, project } = await findComponent(parts, actor, { id: ownerId });
  demand(actor, 'component.edit', targetOf(project, owner));
  return linkedPage(parts, actor, await parts.components.sharing([ownerId]), wish);
}

/**
 * Takes the repository of a component away from another one that uses it. The other one keeps its strings, history, files and pending
 * edits: the vcs-worker copies its files to a local repository, where its own admins can give it another remote.
 * @returns the task that moves it
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function revokeLinked(parts: Parts, actor: Actor, ownerId: number, linkedId: number): Promise<string> {
  const taskId = randomUUID();
  const events = await retried(async () => {
    const { component: owner, project } = await findComponent(parts, actor, { id: ownerId });
    demand(actor, 'component.edit', targetOf(project, owner));
    const before = await parts.components.get(linkedId);
    if (!before || before.linkedId !== ownerId) throw notFound();
    const after: Component = {
      ...before,
      version: before.version + 1,
      linkedId: 0,
      settings: { ...before.settings, vcs: 'local', repo: LOCAL_REPOSITORY, branch: LOCAL_BRANCH },
      branchIsDefault: false,
      taskId,
    };
    const announced = [componentUpdated(actor, after, ['vcs', 'repo', 'branch'], taskId)];
    return (await parts.components.replace(after, announced)) ? announced : undefined;
  });
  await parts.components.setTask(linkedId, taskId, false);
  await parts.announcer.written({ place: { collection: 'nodes', id: linkedId }, events });
  return taskId;
}
