import { dispatch, payloadNames, type BatchConsumerOptions, type EventHandlers } from '@parlance/events';
import type { Cleanup } from '../app/cleanup';
import type { ScreenshotScope, ScreenshotStore } from '../domain/ports';

const BATCH = 50;

type StructurePayload = 'translationDeleted' | 'componentDeleted' | 'projectDeleted';

const scopes: EventHandlers<StructurePayload, ScreenshotScope> = {
  translationDeleted: ({ payload }) => ({ translationId: payload.translationId }),
  componentDeleted: ({ payload }) => ({ componentId: payload.componentId }),
  projectDeleted: ({ payload }) => ({ projectId: payload.projectId }),
};

/** Deletes the screenshots of deleted translations, components and projects. Idempotent. */
export function structureConsumer(
  screenshots: Pick<ScreenshotStore, 'removeOf'>,
  cleanup: Pick<Cleanup, 'schedule'>,
): BatchConsumerOptions<StructurePayload> {
  return {
    durable: 'media-structure',
    payloads: payloadNames(scopes),
    batch: BATCH,
    async handle(events) {
      for (const event of events) await screenshots.removeOf(dispatch(scopes, event));
      await cleanup.schedule();
    },
  };
}
