import { EventBus, newEvent, OutboxRelay, type IncomingEvent, type OutgoingEvent } from '@parlance/events';
import { engines } from '@parlance/testing';
import { randomUUID } from 'node:crypto';

let bus: EventBus;

beforeAll(async () => {
  const { natsUrl } = await engines();
  bus = await EventBus.connect({ url: natsUrl, service: 'test', namespace: `t${randomUUID().slice(0, 8)}` });
});
afterAll(() => bus.close());

describe('event bus', () => {
  it('delivers in order, retries what fails, parks what never works and plays it back', async () => {
    const seen: string[] = [];
    let broken = true;
    const consumer = await bus.consume({
      durable: 'test-consumer',
      payloads: ['changeMade'],
      handle: async (events: IncomingEvent<'changeMade'>[]) => {
        for (const event of events) {
          if (event.payload.target === 'sometimes' && event.attempt < 2) throw new Error('not yet');
          if (event.payload.target === 'never' && broken) throw new Error('cannot');
          seen.push(event.payload.target);
        }
      },
      maxAttempts: 2,
    });
    for (const target of ['first', 'sometimes', 'never', 'last'])
      await bus.publish(newEvent('test', 'changeMade', { target }, 1));
    expect(await consumer.caughtUp(10_000)).toBe(true);
    await until(() => seen.includes('sometimes'));
    await until(async () => (await bus.deadCount()) === 1);
    expect(seen).toEqual(expect.arrayContaining(['first', 'sometimes', 'last']));
    broken = false;
    expect(await bus.replayDead('test-consumer')).toBe(1);
    await until(() => seen.includes('never'));
    expect(await bus.deadCount()).toBe(0);
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('did not come about');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a consumer that gathers', () => {
  it('takes events that come one after the other in one call, and the last ones when it is stopped', async () => {
    const calls: number[][] = [];
    const consumer = await bus.consume({
      durable: 'test-gather',
      payloads: ['translationDeleted'],
      batch: 3,
      gatherMs: 60_000,
      handle: async (events: IncomingEvent<'translationDeleted'>[]) => {
        calls.push(events.map((e) => e.payload.translationId));
      },
    });
    for (const translationId of [1, 2, 3, 4]) {
      const sequence = await bus.publish(newEvent('test', 'translationDeleted', { translationId }, translationId));
      expect(sequence).toBeGreaterThan(0);
    }
    await until(() => calls.length === 1);
    expect(calls).toEqual([[1, 2, 3]]);
    await until(async () => (await bus.handledUpTo('test-gather')) > 0);
    await consumer.stop();
    expect(calls.flat()).toEqual([1, 2, 3, 4]);
  });
});

describe('outbox relay', () => {
  it('publishes what a crash left behind, once', async () => {
    const event = newEvent('test', 'componentDeleted', { componentId: 7 }, 7);
    const left = new Map<string, OutgoingEvent[]>([['document', [event]]]);
    const store = {
      pending: async () => [...left].map(([documentId, events]) => ({ documentId, events })),
      remove: async (documentId: string, ids: string[]) => {
        const rest = left.get(documentId)!.filter((e) => !ids.includes(e.id));
        if (rest.length > 0) left.set(documentId, rest);
        else left.delete(documentId);
      },
    };
    const seen: number[] = [];
    const consumer = await bus.consume({
      durable: 'test-relay',
      payloads: ['componentDeleted'],
      handle: async (events: IncomingEvent<'componentDeleted'>[]) => {
        seen.push(...events.map((e) => e.payload.componentId));
      },
    });
    // The crash came between publishing and clearing: publishing again must not make a second event.
    await bus.publish(event);
    expect(await new OutboxRelay(bus, store).relayOnce(-1)).toBe(1);
    expect(left.size).toBe(0);
    expect(await consumer.caughtUp(10_000)).toBe(true);
    expect(seen).toEqual([7]);
  });
});
