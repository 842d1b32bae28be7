import { can } from '@parlance/access';
import { ChangeAction } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { Component } from '../../domain/objects';
import { change, componentDeleted } from '../events';
import { findComponent } from '../find-objects';
import type { RequestContext, Deps, OutboxLocation } from '../deps';
import { componentPaths } from '../views';
import { requirePermission, targetOf } from '../visibility';

type DeleteComponentDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'lists' | 'addons' | 'agreements' | 'announcer' | 'snapshot'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID if components of others use the repository */
export async function deleteComponent(deps: DeleteComponentDeps, context: RequestContext, id: number): Promise<void> {
  const { component, project } = await findComponent(deps, context, { id });
  requirePermission(context, 'component.edit', targetOf(project, component));
  await removeComponents(deps, context, [component]);
}

/** Maximum number of components named in an error. */
const MAX_NAMED = 10;

/**
 * Deleting the owner of a shared repository would delete the translations of linked components, so links
 * of components that the caller may not delete must be revoked first.
 * @param sharing components that link to a deleted one
 * @throws INVALID
 */
export async function requireRightsOnLinked(
  deps: Pick<Deps, 'projects' | 'snapshot'>,
  context: RequestContext,
  sharing: readonly Component[],
): Promise<void> {
  const found = await deps.projects.byIds([...new Set(sharing.map((c) => c.projectId))]);
  const projects = new Map(found.map((project) => [project.id, project]));
  const foreign = sharing.filter((component) => {
    const project = projects.get(component.projectId);
    return project !== undefined && !can(context.caller, 'component.edit', targetOf(project, component));
  });
  if (foreign.length === 0) return;
  const located = componentPaths(await deps.snapshot.at(''), foreign);
  const paths = [...located.values()].map(({ projectSlug, path }) => `${projectSlug}/${path}`).sort();
  const named = paths.slice(0, MAX_NAMED).join(', ') + (paths.length > MAX_NAMED ? ', ...' : '');
  const detail = `Components of others use this repository: ${named}. Revoke their links first.`;
  throw fieldErrors([{ attr: null, code: 'linked', detail }]);
}

type RemoveComponentsDeps = Pick<
  Deps,
  'projects' | 'components' | 'lists' | 'addons' | 'agreements' | 'announcer' | 'snapshot'
>;

/** Deletes components and those that share their repositories. @throws INVALID if the caller may not delete one of these */
export async function removeComponents(
  deps: RemoveComponentsDeps,
  context: RequestContext,
  components: readonly Component[],
): Promise<void> {
  const sharing = await deps.components.sharing(components.map((c) => c.id));
  const removed = new Set(components.map((c) => c.id));
  await requireRightsOnLinked(
    deps,
    context,
    sharing.filter(({ id }) => !removed.has(id)),
  );
  const all = new Map([...sharing, ...components].map((c) => [c.id, c]));
  const notes: { location: OutboxLocation; events: OutgoingEvent[] }[] = [];
  for (const component of all.values()) {
    const { name, slug, isGlossary } = component.settings;
    const events = [
      componentDeleted({ id: component.id, projectId: component.projectId, isGlossary }),
      change(context, {
        action: ChangeAction.componentRemoved,
        projectId: component.projectId,
        target: name,
        details: { component: component.id, slug },
      }),
    ];
    if (await deps.components.remove(component.id, events))
      notes.push({ location: { collection: 'nodes', id: component.id }, events });
  }
  await removeReferences(deps, [...all.keys()]);
  if (notes.length > 0) await deps.announcer.written(...notes);
}

/** Removes references to deleted components. Idempotent: it runs again for the event of the deletion. */
export async function removeReferences(
  deps: Pick<Deps, 'lists' | 'addons' | 'agreements'>,
  componentIds: readonly number[],
): Promise<void> {
  await Promise.all([
    deps.addons.removeOf(componentIds, 0),
    deps.lists.removeComponents(componentIds),
    deps.agreements.removeOf(componentIds),
  ]);
}
