import { addonDefinition } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { logger } from '@parlance/telemetry';
import type { Addon } from '../../domain/objects';
import type { Webhook } from '../../domain/ports';
import { configurationErrors, openedConfiguration } from './addon-configuration';
import type { Deps } from '../deps';

const isWebhook = (name: string): boolean => addonDefinition(name)?.events.includes('change') ?? false;

/** Subscription of an add-on at the hooks service; null if it is not a webhook or not configured yet. */
function webhookOf(addon: Addon, configuration: Record<string, unknown>): Webhook | null {
  const { webhook_url: url, events, secret } = configuration;
  if (!isWebhook(addon.name) || typeof url !== 'string') return null;
  return {
    addonId: addon.id,
    projectId: addon.projectId,
    componentId: addon.componentId,
    url,
    events: Array.isArray(events) ? (events as number[]) : [],
    secret: typeof secret === 'string' ? secret : '',
    slack: addon.name === 'weblate.webhook.slack',
  };
}

/** Validates a configuration with the hooks service before it is stored. @throws INVALID */
export async function checkWebhook(deps: Pick<Deps, 'webhooks'>, addon: Addon): Promise<void> {
  const webhook = webhookOf(addon, addon.configuration);
  if (!webhook) return;
  try {
    await deps.webhooks.check(webhook);
  } catch (error) {
    if (!isServiceError(error, 'INVALID')) throw error;
    throw configurationErrors(error.problems.map(({ attr, detail }) => (attr ? `${attr}: ${detail}` : detail)));
  }
}

/** Aligns the hooks service's subscription with the stored add-on, or its deletion. Idempotent. */
export async function syncWebhook(deps: Pick<Deps, 'addons' | 'secrets' | 'webhooks'>, id: number): Promise<void> {
  const addon = await deps.addons.get(id);
  const webhook = addon && webhookOf(addon, openedConfiguration(deps, addon));
  if (webhook) await deps.webhooks.put(webhook);
  else await deps.webhooks.remove(id);
}

/** The same before the response to a change; after a failure, the event of the change triggers it again. */
export async function trySyncWebhook(
  deps: Pick<Deps, 'addons' | 'secrets' | 'webhooks'>,
  addon: Pick<Addon, 'id' | 'name'>,
): Promise<void> {
  if (!isWebhook(addon.name)) return;
  await syncWebhook(deps, addon.id).catch((error: unknown) =>
    logger.warn(
      { err: error, addon: addon.id },
      'webhook of an add-on: not updated yet, the event of the change repeats it',
    ),
  );
}
