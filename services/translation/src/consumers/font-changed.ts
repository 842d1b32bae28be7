import type { IncomingEvent } from '@parlance/events';
import { copyFont, type CopyFontDeps } from '../app/fonts/copy-font';

/** Keeps copies of uploaded fonts. Idempotent. */
export function fontChanged(deps: CopyFontDeps) {
  return async (events: IncomingEvent<'fontChanged'>[]): Promise<void> => {
    for (const { payload } of events) await copyFont(deps, payload.projectId, payload.fontId);
  };
}
