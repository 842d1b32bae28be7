import type { IncomingEvent } from '@parlance/events';
import { copyFont, type CopyFontDeps } from '../app/fonts/copy-font';

/** Keeps copies of uploaded fonts as long as their projects exist. Idempotent. */
export function fontChanged(deps: CopyFontDeps) {
  return async (events: IncomingEvent<'fontChanged' | 'projectDeleted'>[]): Promise<void> => {
    for (const { payload } of events) {
      if ('fontId' in payload) await copyFont(deps, payload.projectId, payload.fontId);
      // Also where the media service has no font of the project: a restore of the project may have ended early.
      else await deps.fonts.removeOfProject(payload.projectId);
    }
  };
}
