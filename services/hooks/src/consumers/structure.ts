import type { EventHandlers } from '@parlance/events';
import type { SubscriptionStore } from '../domain/ports';

export const STRUCTURE_CONSUMER = 'hooks-structure';

/** Removes the webhooks of deleted components and projects. */
export function removeWebhooks(
  subscriptions: Pick<SubscriptionStore, 'removeOf'>,
): EventHandlers<'componentDeleted' | 'projectDeleted'> {
  return {
    componentDeleted: ({ payload }) => subscriptions.removeOf({ componentId: payload.componentId }),
    projectDeleted: ({ payload }) => subscriptions.removeOf({ projectId: payload.projectId }),
  };
}
