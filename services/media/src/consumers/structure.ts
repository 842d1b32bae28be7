import { dispatch, payloadNames, type BatchConsumerOptions, type EventHandlers } from '@parlance/events';
import type { Cleanup } from '../app/cleanup';
import { deleteFontsOf, type FontDeps } from '../app/fonts/fonts';
import type { ScreenshotScope, ScreenshotStore } from '../domain/ports';

const BATCH = 50;

type StructurePayload = 'translationDeleted' | 'componentDeleted' | 'projectDeleted';

/** What was deleted, and where it was; component 0: in several. */
interface Deletion {
  scope: ScreenshotScope;
  place: { project: number; component: number };
}

const deletions: EventHandlers<StructurePayload, Deletion> = {
  translationDeleted: ({ payload: { translationId, projectId, componentId } }) => ({
    scope: { translationId },
    place: { project: projectId, component: componentId },
  }),
  componentDeleted: ({ payload: { projectId, componentId } }) => ({
    scope: { componentId },
    place: { project: projectId, component: componentId },
  }),
  projectDeleted: ({ payload: { projectId } }) => ({
    scope: { projectId },
    place: { project: projectId, component: 0 },
  }),
};

/** Deletes the screenshots of deleted translations, components and projects, and the fonts of projects. Idempotent. */
export function structureConsumer(
  screenshots: Pick<ScreenshotStore, 'removeOf'>,
  fonts: FontDeps,
  cleanup: Pick<Cleanup, 'schedule'>,
): BatchConsumerOptions<StructurePayload> {
  return {
    durable: 'media-structure',
    payloads: payloadNames(deletions),
    batch: BATCH,
    async handle(events) {
      for (const event of events) {
        const { scope, place } = dispatch(deletions, event);
        await screenshots.removeOf(scope, place);
        // After the scope was recorded: an upload in progress finds it.
        if ('projectId' in scope) await deleteFontsOf(fonts, scope.projectId);
      }
      await cleanup.schedule();
    },
  };
}
