import { newEvent, type OutgoingEvent } from './event';
import { OutboxRelay } from './outbox';

/** Clients see the effects of a write within this time after a crash, in milliseconds. */
const RECOVERY_MS = 10_000;

describe('OutboxRelay', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('OutboxRelay publishes an event that a crash left in the outbox within ten seconds of the restart', async () => {
    const event = newEvent('test', 'componentDeleted', { componentId: 1 }, 1);
    let outbox: OutgoingEvent[] = [event];
    const published: string[] = [];
    const relay = new OutboxRelay<number>(
      {
        publish: async ({ id }) => published.push(id),
      },
      {
        pending: async (beforeMs) => {
          const events = outbox.filter(({ timeMs }) => timeMs < beforeMs);
          return events.length > 0 ? [{ documentId: 1, events }] : [];
        },
        remove: async (_, ids) => {
          outbox = outbox.filter(({ id }) => !ids.includes(id));
        },
      },
    );
    relay.start();
    await jest.advanceTimersByTimeAsync(RECOVERY_MS - 1);
    expect(published).toEqual([event.id]);
    expect(outbox).toEqual([]);
    await relay.stop();
  });
});
