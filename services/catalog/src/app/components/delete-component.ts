import { ChangeAction } from '@parlance/contracts';
import type { OutgoingEvent } from '@parlance/events';
import type { Component } from '../../domain/objects';
import { change, componentDeleted } from '../events';
import { findComponent } from '../find-objects';
import type { RequestContext, Deps, OutboxLocation } from '../deps';
import { requirePermission, targetOf } from '../visibility';

type DeleteComponentDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'lists' | 'addons' | 'agreements' | 'announcer' | 'snapshot'
>;

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteComponent(deps: DeleteComponentDeps, context: RequestContext, id: number): Promise<void> {
  const { component, project } = await findComponent(deps, context, { id });
  requirePermission(context, 'component.edit', targetOf(project, component));
  await removeComponents(deps, context, [component]);
}

type RemoveComponentsDeps = Pick<Deps, 'components' | 'lists' | 'addons' | 'agreements' | 'announcer'>;

/** Removes components and those that share their repositories. */
export async function removeComponents(
  deps: RemoveComponentsDeps,
  context: RequestContext,
  components: readonly Component[],
): Promise<void> {
  const sharing = await deps.components.sharing(components.map((c) => c.id));
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

/** Takes removed components out of what refers to them. Repeatable: it runs again when the removal is heard of. */
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
