import type { IncomingEvent } from '@parlance/events';
import { notify, type NotifyDeps } from '../app/notifications/notify';
import { isAnnounced } from '../domain/notifications/notifiable-change';

/** Prepares mails for changes that other services announce. Idempotent by event id. */
export function notificationConsumer(notifier: NotifyDeps): (events: IncomingEvent<'changeMade'>[]) => Promise<void> {
  return async (events) => {
    for (const { id, timeMs, payload } of events) {
      if (!isAnnounced(payload.action) || payload.projectId === 0) continue;
      const change = {
        action: payload.action,
        timeMs,
        projectId: payload.projectId,
        componentId: payload.componentId,
        unitId: payload.unitId,
        languageCode: '',
        userId: payload.userId,
        target: payload.target,
      };
      await notify(notifier, [change], id);
    }
  };
}
