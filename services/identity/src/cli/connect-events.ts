import { engineTlsFiles, engineTlsSettings, integer, loadConfig, natsNamespace, z } from '@parlance/config';
import { EventBus } from '@parlance/events';

const settings = z.object({
  /** Addresses of the event servers. */
  NATS_URL: z.string('must be set').min(1, 'must be set'),
  /** Replicas of the streams, in case this command creates them. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** That of the running services. */
  NATS_NAMESPACE: natsNamespace(),
  ...engineTlsSettings,
});

/** @throws ConfigError when the environment does not name the event server */
export function connectEvents(env: Record<string, string | undefined>, namespace?: string): Promise<EventBus> {
  const config = loadConfig(settings, env);
  return EventBus.connect({
    url: config.NATS_URL,
    service: 'operator',
    replicas: config.NATS_REPLICAS,
    installation: config.NATS_NAMESPACE,
    engineTls: engineTlsFiles(config),
    ...(namespace === undefined ? {} : { namespace }),
  });
}
