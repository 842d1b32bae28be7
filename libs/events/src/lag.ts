import type { JetStreamManager } from '@nats-io/jetstream';
import { gauge, refreshOnScrape } from '@parlance/telemetry';

const lag = gauge('parlance_consumer_lag_events');
const oldestAge = gauge('parlance_consumer_oldest_event_age_seconds');

/**
 * Reports how far a durable consumer is behind, on scrape.
 * @returns stops reporting
 */
export function measureLag(
  manager: JetStreamManager,
  stream: string,
  durable: string,
  subjects: readonly string[],
): () => void {
  return reportLag(manager, stream, durable, subjects, async () => {
    const info = await manager.consumers.info(stream, durable);
    return { position: info.ack_floor.stream_seq, events: info.num_pending + info.num_ack_pending };
  });
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
  follower: { lag(): Promise<Lag> },
): () => void {
  return reportLag(manager, stream, name, subjects, () => follower.lag());
}

/** How far a consumer is behind: the sequence up to which it is done, and the events after it, at most. */
export interface Lag {
  position: number;
  events: number;
}

/** The time of the oldest event is read only while there is one. */
function reportLag(
  manager: JetStreamManager,
  stream: string,
  consumer: string,
  subjects: readonly string[],
  read: () => Promise<Lag>,
): () => void {
  return refreshOnScrape(`consumer ${consumer}`, [lag.of({ consumer }), oldestAge.of({ consumer })], async () => {
    const { position, events } = await read();
    const oldestMs = events === 0 ? undefined : await timeOfNext(manager, stream, subjects, position);
    lag.set({ consumer }, events);
    oldestAge.set({ consumer }, oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs) / 1000);
  });
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
