import type { OutgoingEvent } from '@parlance/events';
import type { Component } from '../domain/objects';
import { action, change, componentDeleted } from './announce';
import { findComponent } from './find';
import type { Actor, Parts, Place } from './parts';
import { demand, targetOf } from './visibility';

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteComponent(parts: Parts, actor: Actor, id: number): Promise<void> {
  const { component, project } = await findComponent(parts, actor, { id });
  demand(actor, 'component.edit', targetOf(project, component));
  await removeComponents(parts, actor, [component]);
}

/** Removes components and those that share their repositories. */
export async function removeComponents(parts: Parts, actor: Actor, components: readonly Component[]): Promise<void> {
  const sharing = await parts.components.sharing(components.map((c) => c.id));
  const all = new Map([...sharing, ...components].map((c) => [c.id, c]));
  const notes: { place: Place; events: OutgoingEvent[] }[] = [];
  for (const component of all.values()) {
    const { name, slug, isGlossary } = component.settings;
    const events = [
      componentDeleted({ id: component.id, projectId: component.projectId, isGlossary }),
      change(actor, {
        action: action.componentRemoved,
        projectId: component.projectId,
        target: name,
        details: { component: component.id, slug },
      }),
    ];
    if (await parts.components.remove(component.id, events))
      notes.push({ place: { collection: 'nodes', id: component.id }, events });
  }
  await clearAfter(parts, [...all.keys()]);
  if (notes.length > 0) await parts.announcer.written(...notes);
}

/** Takes removed components out of what refers to them. Repeatable: it runs again when the removal is heard of. */
export async function clearAfter(parts: Parts, componentIds: readonly number[]): Promise<void> {
  await Promise.all([
    parts.addons.removeOf(componentIds, 0),
    parts.lists.removeComponents(componentIds),
    parts.agreements.removeOf(componentIds),
  ]);
}
