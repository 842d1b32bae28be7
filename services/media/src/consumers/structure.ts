import type { IncomingEvent } from '@parlance/events';
import type { Cleanup } from '../app/cleanup';
import type { Place, ScreenshotStore } from '../domain/ports';

export const STRUCTURE_CONSUMER = 'media-structure';
export const structureEvents = ['translationDeleted', 'componentDeleted', 'projectDeleted'] as const;

type StructureEvent = IncomingEvent<(typeof structureEvents)[number]>;

function placeOf({ payloadName, payload }: StructureEvent): Place {
  const ids = payload as { projectId: number; componentId: number; translationId: number };
  switch (payloadName) {
    case 'translationDeleted':
      return { translationId: ids.translationId };
    case 'componentDeleted':
      return { componentId: ids.componentId };
    case 'projectDeleted':
      return { projectId: ids.projectId };
  }
}

/** Removes the screenshots of what was deleted. Repeatable. */
export function forgetDeleted(screenshots: ScreenshotStore, cleanup: Pick<Cleanup, 'soon'>) {
  return async (events: StructureEvent[]): Promise<void> => {
    for (const event of events) await screenshots.removeOf(placeOf(event));
    await cleanup.soon();
  };
}
