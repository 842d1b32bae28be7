import { servicePrincipal } from '@parlance/access';
import type { IncomingEvent, OutgoingEvent } from '@parlance/events';
import { componentDeleted, SOURCE } from '../app/announce';
import { assignToLists } from '../app/create-component';
import { clearAfter } from '../app/delete-component';
import { lockAll } from '../app/lock';
import type { Actor, Parts } from '../app/parts';

type Handled =
  | 'projectDeleted'
  | 'componentCreated'
  | 'componentDeleted'
  | 'componentLockRequested'
  | 'translationDeleted'
  | 'userDeleted';

export const HANDLED: readonly Handled[] = [
  'projectDeleted',
  'componentCreated',
  'componentDeleted',
  'componentLockRequested',
  'translationDeleted',
  'userDeleted',
];

/** What the catalog does about events, its own and others'. Repeatable. */
export function structureConsumer(parts: Parts, publish: (event: OutgoingEvent) => Promise<unknown>) {
  const actor: Actor = { principal: servicePrincipal(SOURCE), caller: {}, generation: '', problems: [] };

  const clearProject = async (projectId: number, occasion: string): Promise<void> => {
    const ids = await parts.components.hideOfProject(projectId);
    // The same id however often this runs: the stream keeps one of each.
    for (const id of ids)
      await publish({ ...componentDeleted({ id, projectId, isGlossary: false }), id: `${occasion}-${id}` });
    await Promise.all([
      parts.addons.removeOf(ids, projectId),
      parts.lists.removeComponents(ids),
      parts.agreements.removeOf(ids),
      parts.labels.removeOfProject(projectId),
      parts.categories.removeOfProject(projectId),
    ]);
    await parts.components.forget(ids);
    await parts.announcer.written();
  };

  const handle = async (event: IncomingEvent<Handled>): Promise<void> => {
    switch (event.payloadName) {
      case 'projectDeleted': {
        const { projectId } = (event as IncomingEvent<'projectDeleted'>).payload;
        return clearProject(projectId, event.id);
      }
      case 'componentCreated': {
        const component = await parts.components.get((event as IncomingEvent<'componentCreated'>).payload.componentId);
        if (!component) return;
        const project = await parts.projects.get(component.projectId);
        // The project was deleted while the component was made.
        if (!project) return clearProject(component.projectId, event.id);
        return assignToLists(parts, component, project);
      }
      case 'componentDeleted':
        return clearAfter(parts, [(event as IncomingEvent<'componentDeleted'>).payload.componentId]);
      case 'componentLockRequested': {
        const { componentId, locked, reason } = (event as IncomingEvent<'componentLockRequested'>).payload;
        const sharing = await parts.components.sharing([componentId]);
        return lockAll(parts, actor, [componentId, ...sharing.map((c) => c.id)], locked, { reason: reason || 'error' });
      }
      case 'translationDeleted': {
        const { componentId, languageCode } = (event as IncomingEvent<'translationDeleted'>).payload;
        await parts.components.removeLanguage(componentId, languageCode);
        return parts.announcer.written();
      }
      case 'userDeleted':
        return parts.agreements.removeOfUser((event as IncomingEvent<'userDeleted'>).payload.userId);
    }
  };
  return async (events: IncomingEvent<Handled>[]): Promise<void> => {
    for (const event of events) await handle(event);
  };
}
