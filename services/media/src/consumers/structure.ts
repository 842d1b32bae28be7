import { dispatch, payloadNames, type BatchConsumerOptions, type EventHandlers } from '@parlance/events';
import type { Cleanup } from '../app/cleanup';
import { deleteFontsOf, type FontDeps } from '../app/fonts/fonts';
import type { ScreenshotScope, ScreenshotStore } from '../domain/ports';

const BATCH = 50;

type StructurePayload = 'translationDeleted' | 'componentDeleted' | 'projectDeleted';

const scopes: EventHandlers<StructurePayload, ScreenshotScope> = {
  translationDeleted: ({ payload }) => ({ translationId: payload.translationId }),
  componentDeleted: ({ payload }) => ({ componentId: payload.componentId }),
  projectDeleted: ({ payload }) => ({ projectId: payload.projectId }),
};

/** Deletes the screenshots of deleted translations, components and projects, and the fonts of projects. Idempotent. */
export function structureConsumer(
  screenshots: Pick<ScreenshotStore, 'removeOf'>,
  fonts: FontDeps,
  cleanup: Pick<Cleanup, 'schedule'>,
): BatchConsumerOptions<StructurePayload> {
  return {
    durable: 'media-structure',
    payloads: payloadNames(scopes),
    batch: BATCH,
    async handle(events) {
      for (const event of events) {
        const scope = dispatch(scopes, event);
        await screenshots.removeOf(scope);
        // After the scope was recorded: an upload in progress finds it.
        if ('projectId' in scope) await deleteFontsOf(fonts, scope.projectId);
      }
      await cleanup.schedule();
    },
  };
}
