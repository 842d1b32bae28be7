import type { IncomingEvent } from '@parlance/events';
import type { SubscriptionStore } from '../domain/ports';

export const STRUCTURE_CONSUMER = 'hooks-structure';
export const structureEvents = ['componentDeleted', 'projectDeleted'] as const;

/** Removes the webhooks of what was deleted. */
export function forgetDeleted(subscriptions: SubscriptionStore) {
  return async (events: IncomingEvent<(typeof structureEvents)[number]>[]): Promise<void> => {
    for (const { payloadName, payload } of events) {
      const place = payload as { projectId: number; componentId: number };
      await subscriptions.removeOf(
        payloadName === 'projectDeleted' ? { projectId: place.projectId } : { componentId: place.componentId },
      );
    }
  };
}
