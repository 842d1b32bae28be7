import { nanos } from 'nats';
import { RetentionPolicy, StorageType, type JetStreamManager } from '@nats-io/jetstream';

/** Stream of all events. */
export const STREAM = 'PARLANCE_EVENTS';
/** Stream of dead letters: events that a consumer could not handle. */
export const DEAD_STREAM = 'PARLANCE_DEAD';

const DAY_MS = 24 * 3600 * 1000;
/** Window in which the server drops a second publication of the same event id, in milliseconds. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;

/** Names of the streams, and the prefix of their subjects. */
export interface StreamNames {
  events: string;
  dead: string;
  prefix: string;
}

/** @param namespace separates systems that share an account of a server; part of stream names and subjects */
export function streamNames(namespace?: string): StreamNames {
  return namespace
    ? { events: `${STREAM}_${namespace}`, dead: `${DEAD_STREAM}_${namespace}`, prefix: `${namespace}.` }
    : { events: STREAM, dead: DEAD_STREAM, prefix: '' };
}

/**
 * Creates the streams that are missing.
 * @param options.replicas copies of each stream in a cluster
 * @param options.maxBytes size limit of the event stream, which the server reserves; dead letters get a quarter of it
 */
export async function ensureStreams(
  manager: JetStreamManager,
  names: StreamNames,
  options: { replicas: number; maxBytes: number },
): Promise<void> {
  const common = { storage: StorageType.File, num_replicas: options.replicas, retention: RetentionPolicy.Limits };
  const wanted = [
    {
      ...common,
      name: names.events,
      subjects: [`${names.prefix}parlance.events.>`],
      max_age: nanos(7 * DAY_MS),
      max_bytes: options.maxBytes,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    },
    {
      ...common,
      name: names.dead,
      subjects: [`${names.prefix}parlance.dead.>`],
      max_age: nanos(30 * DAY_MS),
      max_bytes: options.maxBytes / 4,
    },
  ];
  for (const config of wanted) {
    try {
      await manager.streams.info(config.name);
    } catch {
      // Processes that start together create the same stream: the loser of the race finds it.
      await manager.streams.add(config).catch(async (error: unknown) => {
        await manager.streams.info(config.name).catch(() => {
          throw error;
        });
      });
    }
  }
}
