import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from 'nats';
import { eventually } from '../api.mjs';

/** The stream of the events of all services (libs/events/src/streams.ts). */
const STREAM = 'PARLANCE_EVENTS';

/**
 * Waits until all consumers have handled all events, including those that their handlers publish. Asks the stream itself: the gauges of the
 * processes may be ten seconds old.
 * @param {string} natsUrl with credentials, of one server
 */
export async function eventsHandled(natsUrl) {
  const { host, username, password } = new URL(natsUrl);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    const manager = await jetstreamManager(connection);
    const newest = async () => (await manager.streams.info(STREAM)).state.last_seq;
    const waiting = async () => {
      const before = await newest();
      let events = 0;
      for await (const { num_pending, num_ack_pending } of manager.consumers.list(STREAM))
        events += num_pending + num_ack_pending;
      // A consumer that was listed first may have new ones by now.
      return events + (await newest()) - before;
    };
    await eventually(waiting, (events) => events === 0);
  } finally {
    await connection.close();
  }
}
