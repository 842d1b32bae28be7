import { metrics } from '@parlance/telemetry';
import { newEvent, type OutgoingEvent } from './event';
import { OutboxMeter, OutboxRelay } from './outbox';

/** Clients see the effects of a write within this time after a crash, in milliseconds. */
const RECOVERY_MS = 10_000;

/** The value of a gauge without labels. */
async function valueOf(name: string): Promise<number | undefined> {
  return (await metrics.getSingleMetric(name)!.get()).values[0]?.value;
}

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
        count: async () => outbox.length,
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

  it('OutboxRelay reports the documents of a backlog that exceeds one page, and 0 after publishing', async () => {
    const events = Array.from({ length: 250 }, (_, i) => newEvent('test', 'componentDeleted', { componentId: i }, i));
    const outbox = new Map(events.map((event) => [event.id, event]));
    let away = true;
    const reported: (number | undefined)[] = [];
    const relay = new OutboxRelay<string>(
      {
        publish: async () => {
          reported.push(await valueOf('parlance_outbox_events'));
          if (away) throw new Error('unavailable');
          return 1;
        },
      },
      {
        pending: async (_, limit) =>
          [...outbox].slice(0, limit).map(([documentId, event]) => ({ documentId, events: [event] })),
        count: async (_, limit) => Math.min(limit, outbox.size),
        remove: async (id) => void outbox.delete(id),
      },
    );
    await expect(relay.relayOnce()).rejects.toThrow('unavailable');
    expect(reported).toEqual([250]);
    away = false;
    expect(await relay.relayOnce()).toBe(250);
    expect([reported[100], reported[101], reported.at(-1)]).toEqual([250, 150, 50]);
    expect(await valueOf('parlance_outbox_events')).toBe(0);
  });
});

describe('OutboxMeter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('OutboxMeter reports the depth and the age of a backlog every four seconds, and keeps them while reading fails', async () => {
    const oldestMs = Date.now() - 90_000;
    let reads = 0;
    const meter = new OutboxMeter(async (beforeMs, limit) => {
      expect(Date.now() - beforeMs).toBe(4_000);
      if (++reads === 2) throw new Error('store unavailable');
      return reads === 1 ? { events: Math.min(limit, 12_000), oldestMs } : { events: 0, oldestMs: undefined };
    });
    const reported = async () => [
      await valueOf('parlance_outbox_events'),
      await valueOf('parlance_outbox_oldest_event_age_seconds'),
    ];
    meter.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(await reported()).toEqual([10_000, 90]);
    await jest.advanceTimersByTimeAsync(4_000);
    expect([reads, ...(await reported())]).toEqual([2, 10_000, 90]);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await reported()).toEqual([0, 0]);
    await meter.stop();
  });
});
