import { engineTlsFiles, engineTlsSettings, integer, loadConfig, natsNamespace, z } from '@parlance/config';
import { EventBus } from '@parlance/events';
import { explain } from './explain';

const settings = z.object({
  /** Addresses of the event servers. */
  NATS_URL: z.string('must be set').min(1, 'must be set'),
  /** Replicas of the streams, in case this command creates them. */
  NATS_REPLICAS: integer({ min: 1, max: 5, default: 1 }),
  /** That of the running services. */
  NATS_NAMESPACE: natsNamespace(),
  ...engineTlsSettings,
});

/** Time in which the event server must accept the connection, in milliseconds: a person waits. */
const CONNECT_MS = 3_000;

/** @throws ConfigError when the environment does not name the event server, Error when it does not answer */
export async function connectEvents(env: Record<string, string | undefined>, namespace?: string): Promise<EventBus> {
  const config = loadConfig(settings, env);
  try {
    return await EventBus.connect({
      url: config.NATS_URL,
      service: 'operator',
      replicas: config.NATS_REPLICAS,
      installation: config.NATS_NAMESPACE,
      engineTls: engineTlsFiles(config),
      connectWithinMs: CONNECT_MS,
      ...(namespace === undefined ? {} : { namespace }),
    });
  } catch (error) {
    throw new Error(`The event server does not answer (${explain(error)}).`, { cause: error });
  }
}
