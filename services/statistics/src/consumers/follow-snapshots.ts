import type { IncomingEvent } from '@parlance/events';
import type { Sums } from '../domain/sums';
import { snapshotFromMessage } from '../app/snapshot-message';
import type { CountedEvent } from '../app/counted-events';

/** Takes one event into the sums in memory. */
export function followSnapshots(sums: Sums, event: IncomingEvent<CountedEvent>): void {
  const payload: unknown = event.payload;
  switch (event.payloadName) {
    case 'translationUpdated':
      return sums.update(snapshotFromMessage(payload as IncomingEvent<'translationUpdated'>['payload']));
    case 'translationDeleted':
      return sums.removeTranslation((payload as IncomingEvent<'translationDeleted'>['payload']).translationId);
    case 'componentCreated': {
      const { componentId, projectId } = payload as IncomingEvent<'componentCreated'>['payload'];
      return sums.addComponent(componentId, projectId);
    }
    case 'componentDeleted':
      return sums.removeComponent((payload as IncomingEvent<'componentDeleted'>['payload']).componentId);
    case 'projectCreated':
      return sums.addProject((payload as IncomingEvent<'projectCreated'>['payload']).projectId);
    case 'projectDeleted':
      return sums.removeProject((payload as IncomingEvent<'projectDeleted'>['payload']).projectId);
  }
}
