import type { EventHandlers } from '@parlance/events';
import type { LiveSums } from '../app/live-sums';
import { snapshotFromMessage } from '../app/snapshot-message';
import type { CountedEvent } from '../app/counted-events';

/** Applies events to the sums in memory. */
export function followSnapshots(live: Pick<LiveSums, 'current'>): EventHandlers<CountedEvent, void> {
  return {
    translationUpdated: ({ payload }) => live.current.update(snapshotFromMessage(payload)),
    translationDeleted: ({ payload }) => live.current.removeTranslation(payload.translationId),
    componentCreated: ({ payload }) => live.current.addComponent(payload.componentId, payload.projectId),
    componentDeleted: ({ payload }) => live.current.removeComponent(payload.componentId),
    projectCreated: ({ payload }) => live.current.addProject(payload.projectId),
    projectDeleted: ({ payload }) => live.current.removeProject(payload.projectId),
  };
}
