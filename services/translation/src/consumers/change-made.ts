import type { IncomingEvent } from '@parlance/events';
import { recordChanges, type RecordChangesDeps } from '../app/history';

/**
 * Records changes of other services (commits, pushes, locks, settings, screenshots) in the history. Idempotent by the event's id.
 */
export function changeMade(deps: RecordChangesDeps) {
  return async (events: IncomingEvent<'changeMade'>[]): Promise<void> => {
    const changes = events.map(({ id, timeMs, payload: p }) => ({
      action: p.action,
      time: timeMs,
      project: p.projectId,
      component: p.componentId,
      translation: p.translationId,
      unit: p.unitId,
      language: '',
      user: p.userId,
      author: p.authorId || p.userId,
      target: p.target,
      old: p.old,
      details: parseDetails(p.detailsJson),
      once: id,
    }));
    await recordChanges(deps, changes);
  };
}

function parseDetails(json: string): Record<string, unknown> {
  if (!json) return {};
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
