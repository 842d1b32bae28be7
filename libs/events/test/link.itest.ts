import { EventBus, EventsUnavailableError, newEvent, type IncomingEvent } from '@parlance/events';
import { within } from '@parlance/telemetry';
import { engines, TcpRelay } from '@parlance/testing';
import { randomUUID } from 'node:crypto';

let relay: TcpRelay;
let bus: EventBus;

beforeAll(async () => {
  const { natsUrl } = await engines();
  relay = await TcpRelay.start(natsUrl);
  const url = relay.url;
  bus = await EventBus.connect({ url, service: 'test', namespace: `t${randomUUID().slice(0, 8)}` });
});
afterAll(async () => {
  await bus.close();
  await relay.stop();
});

const event = (id: number) => newEvent('test', 'componentDeleted', { componentId: id }, id);
const answeringAgain = () => new Promise<void>((resolve) => bus.onReturn(resolve));

/** Shorter than the timeout of an open request, 30 s: a consumer that waits for it fails. In milliseconds. */
const SOON_MS = 25_000;

describe.each([
  { what: 'hangs', away: () => relay.hang(), back: () => relay.resume(), first: 11, last: 12 },
  { what: 'hangs (debounced)', away: () => relay.hang(), back: () => relay.resume(), first: 13, last: 14, gatherMs: 1 },
  { what: 'is down', away: () => relay.stop(), back: () => relay.restart(), first: 21, last: 22 },
  {
    what: 'is down (debounced)',
    away: () => relay.stop(),
    back: () => relay.restart(),
    first: 23,
    last: 24,
    gatherMs: 1,
  },
])('an event server that $what', ({ away, back, first, last, gatherMs }) => {
  it('a failing event server fails readiness, delays no caller, and is used again once it answers', async () => {
    const arrived = new Map<number, () => void>();
    const consumer = await bus.consume({
      durable: `test-link-${first}`,
      payloads: ['componentDeleted'],
      ...(gatherMs ? { gatherMs, batch: 10 } : {}),
      handle: async (events: IncomingEvent<'componentDeleted'>[]) => {
        for (const { payload } of events) arrived.get(payload.componentId)?.();
      },
    });
    const arrival = (id: number) => new Promise<void>((resolve) => arrived.set(id, resolve));
    const followed = new Set<number>();
    const follower = bus.follow({
      name: 'test',
      payloads: ['componentDeleted'],
      after: 0,
      apply: ({ payload }) => followed.add(payload.componentId),
      restart: () => Promise.resolve(0),
    });
    expect(await bus.connected()).toBe(true);
    const firstCame = arrival(first);
    await bus.publish(event(first));
    await firstCame;

    const returned = answeringAgain();
    await away();
    expect(await bus.connected()).toBe(false);
    await expect(bus.publish(event(1))).rejects.toThrow(EventsUnavailableError);
    expect(await consumer.caughtUp(600_000)).toBe(false);
    expect(await bus.connected()).toBe(false);

    await back();
    await returned;
    expect(await bus.connected()).toBe(true);
    const lastCame = arrival(last);
    await bus.publish(event(last));
    expect(
      await within(
        SOON_MS,
        lastCame.then(() => true),
      ),
    ).toBe(true);
    expect(await follower.caughtUp(SOON_MS)).toBe(true);
    expect([...followed]).toEqual(expect.arrayContaining([first, last]));
    await consumer.stop();
    await follower.stop();
  });
});

it('a request that times out makes later requests fail without delay', async () => {
  relay.hang();
  const returned = answeringAgain();
  await expect(bus.publish(event(2))).rejects.toThrow(EventsUnavailableError);
  await expect(bus.publish(event(3))).rejects.toMatchObject({ cause: undefined });
  relay.resume();
  await returned;
  expect(await bus.publish(event(4))).toBeGreaterThan(0);
});
