import type { JetStreamManager } from '@nats-io/jetstream';
import { gauge, refreshOnScrape } from '@parlance/telemetry';

const lag = gauge('parlance_consumer_lag_events');
const oldestAge = gauge('parlance_consumer_oldest_event_age_seconds');

/**
 * Reports how far a durable consumer is behind, on scrape. The time of the oldest event is read only while there is one.
 * @returns stops reporting
 */
export function measureLag(
  manager: JetStreamManager,
  stream: string,
  durable: string,
  subjects: readonly string[],
): () => void {
  return refreshOnScrape(
    `consumer ${durable}`,
    [lag.of({ consumer: durable }), oldestAge.of({ consumer: durable })],
    async () => {
      const info = await manager.consumers.info(stream, durable);
      const events = info.num_pending + info.num_ack_pending;
      const oldestMs =
        events === 0 ? undefined : await timeOfNext(manager, stream, subjects, info.ack_floor.stream_seq);
      lag.set({ consumer: durable }, events);
      oldestAge.set({ consumer: durable }, oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs) / 1000);
    },
  );
}

/**
 * Reports how far a follower of this process is behind, on scrape. A follower that receives no events observes no delays, so only its lag
 * shows that it is stuck.
 * @returns stops reporting
 */
export function measureFollowerLag(
  manager: JetStreamManager,
  stream: string,
  name: string,
  subjects: readonly string[],
  follower: { lag(): Promise<{ position: number; sequences: number }> },
): () => void {
  return refreshOnScrape(
    `follower ${name}`,
    [lag.of({ consumer: name }), oldestAge.of({ consumer: name })],
    async () => {
      const { position, sequences } = await follower.lag();
      const oldestMs = sequences === 0 ? undefined : await timeOfNext(manager, stream, subjects, position);
      lag.set({ consumer: name }, sequences);
      oldestAge.set({ consumer: name }, oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs) / 1000);
    },
  );
}

/** Time of the first event after a sequence on the given subjects, in milliseconds since the epoch. */
async function timeOfNext(
  manager: JetStreamManager,
  stream: string,
  subjects: readonly string[],
  after: number,
): Promise<number | undefined> {
  const found = await Promise.all(
    subjects.map(async (subject) => {
      // The server takes both fields together; the client's type knows only one of them.
      const query: { seq: number } = { seq: after + 1, ...{ next_by_subj: subject } };
      return (await manager.streams.getMessage(stream, query))?.time.getTime();
    }),
  );
  const times = found.filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}
