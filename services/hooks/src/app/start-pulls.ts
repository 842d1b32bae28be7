import { randomUUID } from 'node:crypto';
import { newEvent, type OutboxRelay, type OutgoingEvent } from '@parlance/events';
import type { InboundDelivery, InboundStore, Pull } from '../domain/ports';

/** Number of the change that a received notification leaves in a component's history. */
const ACTION_HOOK_RECEIVED = 53;

/** Source of this service's events. */
export const SOURCE = 'hooks';

export interface PullDeps {
  inbound: InboundStore;
  relay: Pick<OutboxRelay<string>, 'flush'>;
  /** Triggers of a component within this time share one entry in its history, in milliseconds. */
  mergeMs: number;
}

/** A delivery before its pulls are started. */
export type NewDelivery = Omit<InboundDelivery, 'id' | 'receivedMs' | 'pulls'>;

/**
 * Stores a delivery with a task for each component and publishes the pulls. The events are part of the delivery's document
 * (outbox), so every acknowledged delivery is processed, also after a crash.
 * @param title display name of the provider, for the history
 * @returns undefined for a duplicate delivery
 */
export async function startPulls(
  { inbound, relay, mergeMs }: PullDeps,
  delivery: NewDelivery,
  matches: readonly Omit<Pull, 'taskId'>[],
  title: string,
): Promise<InboundDelivery | undefined> {
  const stored: InboundDelivery = {
    ...delivery,
    id: randomUUID(),
    receivedMs: Date.now(),
    pulls: matches.map(({ componentId, projectId, path, verified }) => ({
      componentId,
      projectId,
      path,
      verified,
      taskId: randomUUID(),
    })),
  };
  const details = JSON.stringify({
    service: title,
    branch: delivery.branches.join(', '),
    full_name: delivery.fullName,
  });
  // Their pulls are merged, so they share one history entry.
  const quiet = await inbound.noteTriggers(
    stored.pulls.map((p) => p.componentId),
    mergeMs,
  );
  const events: OutgoingEvent[] = [
    newEvent(
      SOURCE,
      'repositoryPushed',
      {
        componentIds: stored.pulls.map((p) => p.componentId),
        taskIds: stored.pulls.map((p) => p.taskId),
        deliveryId: stored.id,
      },
      stored.id,
    ),
    ...stored.pulls
      .filter((pull) => quiet.has(pull.componentId))
      .map((pull) =>
        newEvent(
          SOURCE,
          'changeMade',
          {
            action: ACTION_HOOK_RECEIVED,
            projectId: pull.projectId,
            componentId: pull.componentId,
            target: title,
            detailsJson: details,
          },
          pull.componentId,
        ),
      ),
  ];
  if (!(await inbound.add(stored, events))) return undefined;
  await relay.flush(stored.id, events);
  return stored;
}
