import { randomUUID } from 'node:crypto';
import type { Component } from '../../domain/objects';
import type { Page, PageRequest } from '../../domain/ports';
import { LOCAL_BRANCH, LOCAL_REPOSITORY } from '../../domain/repository-address';
import { componentUpdated } from '../events';
import { findComponent, notFound, readComponent } from '../find-objects';
import type { RequestContext, Deps } from '../deps';
import { LOST_RACE, updateObject } from '../save-object';
import { componentPaths, type ComponentPath } from '../views';
import { requirePermission, targetOf } from '../visibility';

/** Fields of a component that are visible to the other side of a link, whether or not it can see the component. */
export interface LinkedComponentView {
  component: Component;
  place: ComponentPath;
  projectName: string;
}

/** One page of components as the other side of their links sees them. Components of deleted projects are omitted. */
export async function linkedPage(
  deps: Pick<Deps, 'snapshot'>,
  context: RequestContext,
  components: readonly Component[],
  page: PageRequest,
): Promise<Page<LinkedComponentView>> {
  const snapshot = await deps.snapshot.at(context.generation);
  const places = componentPaths(snapshot, components);
  const known = components.filter(({ id }) => places.has(id)).sort((a, b) => a.id - b.id);
  const shown = known.slice((page.page - 1) * page.size, page.page * page.size);
  const items = shown.map((component) => ({
    component,
    place: places.get(component.id)!,
    projectName: snapshot.projects.get(component.projectId)?.name ?? '',
  }));
  return { items, total: known.length };
}

type ListLinkedDeps = Pick<Deps, 'components' | 'snapshot' | 'reader'>;

/**
 * Components that use the repository of a component. Its admins see all of them, because each commits to their repository.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function listLinked(
  deps: ListLinkedDeps,
  context: RequestContext,
  ownerId: number,
  page: PageRequest,
): Promise<Page<LinkedComponentView>> {
  const { component: owner, project } = await readComponent(deps, context, { id: ownerId });
  requirePermission(context, 'component.edit', targetOf(project, owner));
  return linkedPage(deps, context, await deps.components.sharing([ownerId]), page);
}

type RevokeLinkedDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'announcer' | 'snapshot'>;

/**
 * Revokes a component's use of a shared repository. The component keeps its strings, history, files and pending
 * edits: the vcs-worker copies its files to a local repository, for which its own admins can set another remote.
 * @returns the task that moves it
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function revokeLinked(
  deps: RevokeLinkedDeps,
  context: RequestContext,
  ownerId: number,
  linkedId: number,
): Promise<string> {
  const taskId = randomUUID();
  const events = await updateObject(async () => {
    const { component: owner, project } = await findComponent(deps, context, { id: ownerId });
    requirePermission(context, 'component.edit', targetOf(project, owner));
    const before = await deps.components.get(linkedId);
    if (!before || before.linkedId !== ownerId) throw notFound();
    const after: Component = {
      ...before,
      version: before.version + 1,
      linkedId: 0,
      settings: { ...before.settings, vcs: 'local', repo: LOCAL_REPOSITORY, branch: LOCAL_BRANCH },
      branchIsDefault: false,
      taskId,
    };
    const announced = [componentUpdated(context, after, ['vcs', 'repo', 'branch'], taskId)];
    return (await deps.components.replace(after, announced)) ? announced : LOST_RACE;
  });
  await deps.components.setTask(linkedId, taskId, false);
  await deps.announcer.written({ location: { collection: 'nodes', id: linkedId }, events });
  return taskId;
}
