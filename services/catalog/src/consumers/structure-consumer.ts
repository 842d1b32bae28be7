import { serviceCaller } from '@parlance/access';
import type { IncomingEvent, OutgoingEvent } from '@parlance/events';
import { componentDeleted, SOURCE } from '../app/events';
import { assignToLists } from '../app/components/create-component';
import { removeReferences } from '../app/components/delete-component';
import { lockAll } from '../app/components/lock-components';
import type { RequestContext, Deps } from '../app/deps';

type HandledPayload =
  | 'projectDeleted'
  | 'componentCreated'
  | 'componentDeleted'
  | 'componentLockRequested'
  | 'translationDeleted'
  | 'userDeleted';

export const HANDLED_PAYLOADS: readonly HandledPayload[] = [
  'projectDeleted',
  'componentCreated',
  'componentDeleted',
  'componentLockRequested',
  'translationDeleted',
  'userDeleted',
];

type StructureConsumerDeps = Pick<
  Deps,
  'projects' | 'components' | 'categories' | 'labels' | 'lists' | 'addons' | 'agreements' | 'announcer'
>;

/** Handles events of the catalog and of other services. Idempotent. */
export function structureConsumer(deps: StructureConsumerDeps, publish: (event: OutgoingEvent) => Promise<unknown>) {
  const context: RequestContext = { caller: serviceCaller(SOURCE), forwarded: {}, generation: '', problems: [] };

  const clearProject = async (projectId: number, occasion: string): Promise<void> => {
    const ids = await deps.components.hideOfProject(projectId);
    // The event id is deterministic, so the stream deduplicates repeated publications.
    for (const id of ids)
      await publish({ ...componentDeleted({ id, projectId, isGlossary: false }), id: `${occasion}-${id}` });
    await Promise.all([
      deps.addons.removeOf(ids, projectId),
      deps.lists.removeComponents(ids),
      deps.agreements.removeOf(ids),
      deps.labels.removeOfProject(projectId),
      deps.categories.removeOfProject(projectId),
    ]);
    await deps.components.forget(ids);
    await deps.announcer.written();
  };

  const handle = async (event: IncomingEvent<HandledPayload>): Promise<void> => {
    switch (event.payloadName) {
      case 'projectDeleted': {
        const { projectId } = (event as IncomingEvent<'projectDeleted'>).payload;
        return clearProject(projectId, event.id);
      }
      case 'componentCreated': {
        const component = await deps.components.get((event as IncomingEvent<'componentCreated'>).payload.componentId);
        if (!component) return;
        const project = await deps.projects.get(component.projectId);
        // The project was deleted while the component was created.
        if (!project) return clearProject(component.projectId, event.id);
        await assignToLists(deps, component, project);
        return deps.announcer.written();
      }
      case 'componentDeleted':
        await removeReferences(deps, [(event as IncomingEvent<'componentDeleted'>).payload.componentId]);
        return deps.announcer.written();
      case 'componentLockRequested': {
        const { componentId, locked, reason } = (event as IncomingEvent<'componentLockRequested'>).payload;
        const sharing = await deps.components.sharing([componentId]);
        return lockAll(deps, context, [componentId, ...sharing.map((c) => c.id)], locked, {
          reason: reason || 'error',
        });
      }
      case 'translationDeleted': {
        const { componentId, languageCode } = (event as IncomingEvent<'translationDeleted'>).payload;
        await deps.components.removeLanguage(componentId, languageCode);
        return deps.announcer.written();
      }
      case 'userDeleted':
        return deps.agreements.removeOfUser((event as IncomingEvent<'userDeleted'>).payload.userId);
    }
  };
  return async (events: IncomingEvent<HandledPayload>[]): Promise<void> => {
    for (const event of events) await handle(event);
  };
}
