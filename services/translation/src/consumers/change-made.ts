import type { IncomingEvent } from '@parlance/events';
import type { Parts } from '../app/parts';

/** Puts what happened in other services (commits, pushes, locks, settings) into the history. Repeatable by the event's id. */
export function changeMade(parts: Pick<Parts, 'changes' | 'ids'>) {
  return async (events: IncomingEvent<'changeMade'>[]): Promise<void> => {
    for (const event of events) {
      const p = event.payload;
      await parts.changes.insert(
        [
          {
            id: await parts.ids.next('change'),
            action: p.action,
            time: event.timeMs,
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
          },
        ],
        event.id,
      );
    }
  };
}

function parseDetails(json: string): Record<string, unknown> {
  if (!json) return {};
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
