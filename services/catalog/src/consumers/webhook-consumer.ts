import { addonDefinition } from '@parlance/contracts';
import type { IncomingEvent } from '@parlance/events';
import { syncWebhook } from '../app/addons/addon-webhooks';
import type { Deps } from '../app/deps';

/** Registers each webhook add-on at the hooks service, also after a crash between the write and the direct call. Idempotent. */
export function webhookConsumer(deps: Pick<Deps, 'addons' | 'secrets' | 'webhooks'>) {
  return async (events: IncomingEvent<'addonChanged'>[]): Promise<void> => {
    for (const { payload } of events)
      if (addonDefinition(payload.name)?.events.includes('change')) await syncWebhook(deps, payload.addonId);
  };
}
