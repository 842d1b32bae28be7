import type { CallOptions, Client } from '@parlance/grpc-kit';
import type { Webhook, WebhookClient } from '../domain/ports';

/** Deadline of calls to the hooks service, in milliseconds. */
const WEBHOOKS_TIMEOUT_MS = 5_000;

/** Client of the hooks service, which sends webhooks. */
export function hooksClient(client: Client<'hooks'>, ownCaller: () => string): WebhookClient {
  const toProto = ({ url, slack, events, ...rest }: Webhook) => ({
    ...rest,
    events: [...events],
    webhookUrl: url,
    payloadKind: slack ? ('PAYLOAD_KIND_SLACK' as const) : ('PAYLOAD_KIND_CHANGE' as const),
  });
  const options = (): CallOptions => ({ as: ownCaller(), timeoutMs: WEBHOOKS_TIMEOUT_MS });
  return {
    async check(webhook) {
      await client.createSubscription({ ...toProto(webhook), validateOnly: true }, options());
    },
    async put(webhook) {
      await client.createSubscription(toProto(webhook), options());
    },
    async remove(addonId) {
      await client.deleteSubscription({ addonId }, options());
    },
  };
}
