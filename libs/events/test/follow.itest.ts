import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { EventBus, newEvent, STREAM } from '@parlance/events';
import { metrics, metricsText } from '@parlance/telemetry';
import { engines, until } from '@parlance/testing';
import { connect } from 'nats';
import { randomUUID } from 'node:crypto';
import { subjectOf } from '../src/event';
import { Follower } from '../src/follow';
import { Link } from '../src/link';
import { serversOf } from '../src/servers';

let bus: EventBus;
let seen: string[];
let namespace: string;

const publish = (target: string) => bus.publish(newEvent('test', 'changeMade', { target }, 1));
const follow = (after: number) =>
  bus.follow({
    name: 'test',
    payloads: ['changeMade'],
    after,
    apply: (event) => {
      if (event.payload.target === 'broken') throw new Error('cannot be applied');
      seen.push(event.payload.target);
    },
    restart: () => Promise.resolve(0),
  });

/** The lag that a scrape reports for a follower. */
async function lagOf(consumer: string): Promise<{ sequences: number; aged: boolean }> {
  const text = await metricsText();
  const value = (metric: string) => {
    const line = text.split('\n').find((line) => line.startsWith(`${metric}{consumer="${consumer}"} `));
    return Number(line?.split(' ')[1]);
  };
  return {
    sequences: value('parlance_consumer_lag_events'),
    aged: value('parlance_consumer_oldest_event_age_seconds') > 0,
  };
}

beforeEach(async () => {
  seen = [];
  namespace = `t${randomUUID().slice(0, 8)}`;
  bus = await EventBus.connect({
    url: (await engines()).natsUrl,
    service: 'test',
    namespace,
  });
});
afterEach(() => bus.close());

describe('a follower', () => {
  it('a follower applies all events after its position in order, and is caught up with all earlier publications', async () => {
    await publish('one');
    const second = await publish('two');
    await publish('three');
    const follower = follow(second);
    expect(await follower.caughtUp(120_000)).toBe(true);
    expect(seen).toEqual(['three']);
    for (let i = 0; i < 50; i++) {
      await publish(`n${i}`);
      expect(await follower.caughtUp(120_000)).toBe(true);
      expect(seen.at(-1)).toBe(`n${i}`);
    }
  });

  it('a follower does not wait on an empty stream and ignores payloads that it does not follow', async () => {
    const follower = follow(0);
    expect(await follower.caughtUp(120_000)).toBe(true);
    await bus.publish(newEvent('test', 'accessChanged', { userIds: [] }, 1));
    expect(await follower.caughtUp(120_000)).toBe(true);
    expect(seen).toEqual([]);
  });

  it('a follower at the end of the stream is caught up without a request for each payload', async () => {
    const connection = await connect(serversOf((await engines()).natsUrl));
    const manager = await jetstreamManager(connection);
    const asked: string[] = [];
    const streams = Object.create(manager.streams, {
      getMessage: {
        value: (...[stream, query]: Parameters<typeof manager.streams.getMessage>) => {
          asked.push(JSON.stringify(query));
          return manager.streams.getMessage(stream, query);
        },
      },
    }) as typeof manager.streams;
    const payloads = ['changeMade', 'accessChanged'] as const;
    const apply = () => seen.push('event');
    const follower = new Follower(
      { name: 'test', payloads, after: 0, apply, restart: () => Promise.resolve(0) },
      new Link(connection, () => Promise.resolve()),
      jetstream(connection),
      Object.create(manager, { streams: { value: streams } }) as typeof manager,
      `${STREAM}_${namespace}`,
      payloads.map((name) => `${namespace}.${subjectOf(name)}`),
    );
    try {
      await publish('one');
      await until(() => seen.length === 1);
      expect(await follower.caughtUp(120_000)).toBe(true);
      expect(asked).toEqual([]);
      // The last event is another one.
      await bus.publish(newEvent('test', 'fontChanged', { projectId: 1 }, 1));
      expect(await follower.caughtUp(120_000)).toBe(true);
      expect(asked).toHaveLength(2);
    } finally {
      await follower.stop();
      await connection.close();
    }
  });

  it('a follower creates a new consumer when the server stops delivering, and until then reports its lag', async () => {
    const follower = follow(0);
    await publish('one');
    expect(await follower.caughtUp(120_000)).toBe(true);
    const connection = await connect(serversOf((await engines()).natsUrl));
    const manager = await jetstreamManager(connection);
    const stream = `${STREAM}_${namespace}`;
    const [consumer] = await manager.consumers.list(stream).next();
    // The paused consumer still sends heartbeats.
    await manager.consumers.pause(stream, consumer!.name, new Date(Date.now() + 600_000));
    await bus.publish(newEvent('test', 'accessChanged', { userIds: [] }, 1));
    await publish('two');
    expect(await lagOf('test')).toEqual({ sequences: 2, aged: true });
    expect(await follower.caughtUp(120_000)).toBe(true);
    expect(seen).toEqual(['one', 'two']);
    await connection.close();
    // The lag is read at most every 10 s.
    await until(async () => (await lagOf('test')).sequences === 0);
    expect(await lagOf('test')).toEqual({ sequences: 0, aged: false });
  });

  it('a follower is caught up again after requests for the end of the stream failed', async () => {
    const connection = await connect(serversOf((await engines()).natsUrl));
    const manager = await jetstreamManager(connection);
    let failures = 1;
    const streams = Object.create(manager.streams, {
      getMessage: {
        value: (...request: Parameters<typeof manager.streams.getMessage>) =>
          failures-- > 0 ? Promise.reject(new Error('timeout')) : manager.streams.getMessage(...request),
      },
    }) as typeof manager.streams;
    const faulty = Object.create(manager, { streams: { value: streams } }) as typeof manager;
    await publish('one');
    const follower = new Follower(
      {
        name: 'test',
        payloads: ['changeMade'],
        after: 0,
        apply: (event) => seen.push(event.payload.target),
        restart: () => Promise.resolve(0),
      },
      new Link(connection, () => Promise.resolve()),
      jetstream(connection),
      faulty,
      `${STREAM}_${namespace}`,
      [`${namespace}.parlance.events.>`],
    );
    try {
      // The second call waits for the request of the first one.
      expect(await Promise.all([follower.caughtUp(120_000), follower.caughtUp(120_000)])).toEqual([false, true]);
      expect(await follower.caughtUp(120_000)).toBe(true);
    } finally {
      await follower.stop();
      await connection.close();
    }
  });

  it('a follower measures the delay of an event that was published after an outage from its write', async () => {
    const delays = () => metrics.getSingleMetric('parlance_event_delay_seconds')!.get();
    const slower = async (limit: number) => {
      const bucket = (await delays()).values.find(
        ({ labels }) => labels['consumer'] === 'test' && String(labels['le']) === String(limit),
      );
      const all = (await delays()).values.find(
        ({ labels }) => labels['consumer'] === 'test' && String(labels['le']) === '+Inf',
      );
      return (all?.value ?? 0) - (bucket?.value ?? 0);
    };
    const follower = follow(0);
    const before = await slower(60);
    await bus.publish({
      ...newEvent('test', 'changeMade', { target: 'late' }, 1),
      writtenMs: Date.now() - 90_000,
    });
    await publish('in time');
    expect(await follower.caughtUp(120_000)).toBe(true);
    expect((await slower(60)) - before).toBe(1);
  });

  it('a follower skips events that cannot be applied', async () => {
    await publish('broken');
    await publish('fine');
    expect(await follow(0).caughtUp(120_000)).toBe(true);
    expect(seen).toEqual(['fine']);
  });

  it('a follower restarts at the given sequence when the stream ends before its position', async () => {
    await publish('one');
    const follower = follow(1_000);
    expect(await follower.caughtUp(120_000)).toBe(true);
    // The position was beyond the end of the stream, so the first result proves nothing.
    await publish('two');
    await follower.caughtUp(120_000);
    while (!seen.includes('two')) await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['one', 'two']);
  });
});
