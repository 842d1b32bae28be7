import type { IncomingEvent } from '@parlance/events';
import type { ComponentIndex } from '../domain/repository';

/** Remembers where strings were written, so that the check for old edits asks only there. Repeatable. */
export function translationUpdated(index: Pick<ComponentIndex, 'touch'>) {
  return async (events: IncomingEvent<'translationUpdated'>[]): Promise<void> => {
    const components = new Set(events.map((event) => event.payload.componentId));
    await index.touch([...components], Math.max(...events.map((event) => event.timeMs)));
  };
}
