import { EventBus, newEvent, OutboxRelay, type IncomingEvent, type OutgoingEvent } from '@parlance/events';
import { engines, until } from '@parlance/testing';
import { connect } from 'nats';
import { randomUUID } from 'node:crypto';

let bus: EventBus;
const namespace = `t${randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  const { natsUrl } = await engines();
  bus = await EventBus.connect({ url: natsUrl, service: 'test', namespace });
});
afterAll(() => bus.close());

describe('event bus', () => {
  it('the event bus delivers events in order, retries failures, and stores and replays dead letters', async () => {
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
    expect(await consumer.caughtUp(120_000)).toBe(true);
    await until(() => seen.includes('sometimes'));
    await until(async () => (await bus.deadLetters.count()) === 1);
    expect(seen).toEqual(expect.arrayContaining(['first', 'sometimes', 'last']));
    broken = false;
    expect(await bus.deadLetters.replay({ consumer: 'test-consumer' })).toEqual({ matched: 1, replayed: 1, others: 0 });
    await until(() => seen.includes('never'));
    expect(await bus.deadLetters.count()).toBe(0);
  });
});

describe('dead letters of several consumers', () => {
  it('a replay delivers an event once, and does not multiply the dead letters of consumers that fail again', async () => {
    let broken = true;
    let deliveries = 0;
    const names = ['test-one', 'test-two', 'test-three'];
    for (const durable of names)
      await bus.consume({
        durable,
        maxAttempts: 1,
        handlers: {
          projectDeleted: async () => {
            deliveries++;
            if (broken) throw new Error('cannot');
          },
        },
      });
    await bus.publish(newEvent('test', 'projectDeleted', { projectId: 1 }, 1));
    const letters = () => bus.deadLetters.count();
    await until(async () => (await letters()) === 3);
    expect(await bus.deadLetters.replay({ consumer: 'test-two' })).toEqual({ matched: 1, replayed: 1, others: 2 });
    await until(async () => deliveries === 6 && (await letters()) === 3);
    expect(await bus.deadLetters.replay()).toEqual({ matched: 3, replayed: 3, others: 0 });
    await until(async () => deliveries === 9 && (await letters()) === 3);
    broken = false;
    expect(await bus.deadLetters.replay()).toMatchObject({ replayed: 3 });
    await until(() => deliveries === 12);
    expect(await letters()).toBe(0);
  });

  it('events that cannot be decoded are told apart by their content', async () => {
    const { natsUrl } = await engines();
    const connection = await connect({ servers: natsUrl });
    const received: string[] = [];
    for (const durable of ['test-raw-one', 'test-raw-two'])
      await bus.consume({ durable, maxAttempts: 1, handlers: { translationDeleted: async () => undefined } });
    const subject = `${namespace}.parlance.events.translation_deleted.1`;
    const listener = connection.subscribe(subject, {
      callback: (_error, message) => void received.push(message.string()),
    });
    for (const text of ['not an event', 'another one']) connection.publish(subject, text);
    await until(async () => (await bus.deadLetters.count()) === 4);
    expect(received).toHaveLength(2);
    expect(await bus.deadLetters.replay()).toEqual({ matched: 4, replayed: 4, others: 0 });
    await until(() => received.length === 4);
    expect(received.slice(2).sort()).toEqual(['another one', 'not an event']);
    await until(async () => (await bus.deadLetters.count()) === 4);
    expect(await bus.deadLetters.drop({})).toBe(4);
    listener.unsubscribe();
    await connection.close();
  });
});

describe('two replicas of a consumer', () => {
  it('a replica that has handled later events waits for the one that another replica handles', async () => {
    const { natsUrl } = await engines();
    const other = await EventBus.connect({ url: natsUrl, service: 'test', namespace });
    const handled: Record<string, number[]> = { here: [], there: [] };
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let holder = '';
    const consume = (on: EventBus, name: string) =>
      on.consume({
        durable: 'test-replicas',
        payloads: ['userDeleted'],
        handlers: {
          userDeleted: async ({ payload }: IncomingEvent<'userDeleted'>) => {
            if (payload.userId === 1) {
              holder = name;
              await held;
            }
            handled[name]!.push(payload.userId);
          },
        },
      });
    const replicas = { here: await consume(bus, 'here'), there: await consume(other, 'there') };
    const publish = (userId: number) => bus.publish(newEvent('test', 'userDeleted', { userId }, userId));
    try {
      await publish(1);
      await until(() => holder !== '');
      const free = holder === 'here' ? 'there' : 'here';
      // The replica that waits may have fetched some of the later events.
      let last = 1;
      await until(async () => handled[free]!.includes(last) || (await publish(++last), false));
      expect(await replicas[free].caughtUp(300)).toBe(false);
      const read = replicas[free].readCaughtUp(120_000, async () => handled[holder]!.includes(1));
      release();
      expect(await read).toBe(true);
    } finally {
      release();
      for (const replica of Object.values(replicas)) await replica.stop();
      await other.close();
    }
  });
});

describe('two installations on one server', () => {
  it('two installations on one server see none of each other’s events and dead letters', async () => {
    const { natsUrl } = await engines();
    const seen: Record<string, string[]> = { one: [], two: [] };
    const connect = async (installation: string) => {
      const own = await EventBus.connect({ url: natsUrl, service: 'test', installation, namespace });
      await own.consume({
        durable: 'test-shared',
        payloads: ['changeMade'],
        maxAttempts: 1,
        handle: async ([event]) => {
          seen[installation]!.push(event!.payload.target);
          throw new Error('rejected');
        },
      });
      return own;
    };
    const [one, two] = [await connect('one'), await connect('two')];
    await one.publish(newEvent('test', 'changeMade', { target: 'of one' }, 1));
    await two.publish(newEvent('test', 'changeMade', { target: 'of two' }, 1));
    for (const own of [one, two]) await until(async () => (await own.deadLetters.count()) === 1);
    expect(seen).toEqual({ one: ['of one'], two: ['of two'] });
    await Promise.all([one.close(), two.close()]);
  });
});

describe('an event whose handler ends the process', () => {
  it('an event whose handler ends the process becomes a dead letter without another attempt after its last delivery', async () => {
    const options = { durable: 'test-deadly', payloads: ['changeMade' as const], batch: 10 };
    let [attempts, again] = [0, false];
    const { natsUrl } = await engines();
    const process = await EventBus.connect({ url: natsUrl, service: 'dying', namespace });
    await process.consume({
      ...options,
      maxAttempts: 100,
      handle: async (events) => {
        for (const { payload, attempt } of events as IncomingEvent<'changeMade'>[]) {
          if (payload.target !== 'deadly') continue;
          attempts = attempt;
          throw new Error('died');
        }
      },
    });
    await bus.publish(newEvent('test', 'changeMade', { target: 'deadly' }, 91));
    await until(() => attempts >= 2);
    await process.close();
    const dead = await bus.deadLetters.count();
    await bus.consume({
      ...options,
      maxAttempts: 2,
      handle: async (events) => {
        again ||= (events as IncomingEvent<'changeMade'>[]).some(({ payload }) => payload.target === 'deadly');
      },
    });
    await until(async () => (await bus.deadLetters.count()) === dead + 1);
    expect(again).toBe(false);
  });
});

describe('a consumer of another version', () => {
  it('a consumer of another version continues at its position, with the payloads that this version subscribes to', async () => {
    const seen: string[] = [];
    const handle = (version: string) => async (events: IncomingEvent<'changeMade' | 'projectUpdated'>[]) => {
      for (const event of events) seen.push(`${version} ${event.payloadName} ${event.key}`);
    };
    const old = await bus.consume({ durable: 'test-versions', payloads: ['changeMade'], handle: handle('old') });
    await bus.publish(newEvent('test', 'changeMade', {}, 71));
    await until(() => seen.includes('old changeMade 71'));
    await old.stop();
    await bus.publish(newEvent('test', 'changeMade', {}, 72));
    await bus.publish(newEvent('test', 'projectUpdated', { projectId: 1 }, 73));
    await bus.consume({ durable: 'test-versions', payloads: ['changeMade', 'projectUpdated'], handle: handle('new') });
    await until(() => seen.includes('new projectUpdated 73') && seen.includes('new changeMade 72'));
    expect(seen.filter((event) => event.endsWith('71'))).toEqual(['old changeMade 71']);
  });
});

describe('a consumer that debounces', () => {
  let count = 0;
  /** Events of this test: the stream holds those of other tests as well. */
  const own = (events: readonly IncomingEvent<'translationDeleted'>[]) =>
    events.map((e) => e.payload.translationId).filter((id) => Math.floor(id / 100) === count);
  async function gathering(gatherMs: number) {
    const durable = `test-gather-${++count}`;
    const calls: number[][] = [];
    const consumer = await bus.consume({
      durable,
      payloads: ['translationDeleted'],
      batch: 3,
      gatherMs,
      handle: async (events: IncomingEvent<'translationDeleted'>[]) => {
        calls.push(own(events));
      },
    });
    // Events of other tests arrive first.
    await consumer.caughtUp(120_000);
    calls.length = 0;
    const publish = (n: number) =>
      bus.publish(newEvent('test', 'translationDeleted', { translationId: count * 100 + n }, n));
    const taken = () => calls.map((ids) => ids.map((id) => id % 100));
    return { consumer, publish, taken, durable };
  }

  it('a consumer that debounces collects successive events in one batch and does not wait while it is behind', async () => {
    const { consumer, publish, taken, durable } = await gathering(2_000);
    // Sent together, so that all of them come before the end of the debounce.
    const sequences = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(publish));
    await until(async () => (await bus.handledUpTo(durable)) >= Math.max(...sequences));
    expect(taken()).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    await consumer.stop();
  });

  it('a consumer that debounces fetches events at once when a caller waits for them', async () => {
    const { consumer, publish, taken } = await gathering(600_000);
    for (const n of [1, 2]) await publish(n);
    expect(await consumer.caughtUp(120_000)).toBe(true);
    expect(taken().flat()).toEqual([1, 2]);
    await consumer.stop();
  });

  it('a read includes the events that were published before it, and is repeated only if one was unhandled', async () => {
    const { consumer, publish, taken } = await gathering(600_000);
    let reads = 0;
    const read = () =>
      consumer.readCaughtUp(10_000, async () => {
        reads++;
        return taken().flat();
      });
    await publish(1);
    expect(await read()).toEqual([1]);
    expect(reads).toBe(2);
    expect(await read()).toEqual([1]);
    expect(reads).toBe(3);
    await publish(2);
    expect(await read()).toEqual([1, 2]);
    expect(reads).toBe(5);
    await consumer.stop();
  });

  it('a failed read is reported, also when it is repeated', async () => {
    const { consumer, publish } = await gathering(600_000);
    const fail = () => consumer.readCaughtUp(10_000, () => Promise.reject(new Error('unavailable')));
    await expect(fail()).rejects.toThrow('unavailable');
    await publish(1);
    await expect(fail()).rejects.toThrow('unavailable');
    await consumer.stop();
  });

  it('a consumer that debounces loses no event when it is stopped during a debounce or a request', async () => {
    const { consumer, publish, taken, durable } = await gathering(600_000);
    await publish(1);
    await consumer.stop();
    await publish(2);
    const later: number[] = [];
    const next = await bus.consume({
      durable,
      payloads: ['translationDeleted'],
      batch: 3,
      gatherMs: 1,
      handle: async (events: IncomingEvent<'translationDeleted'>[]) => {
        later.push(...own(events).map((id) => id % 100));
      },
    });
    await until(() => later.includes(2));
    expect([...new Set([...taken().flat(), ...later])].sort()).toEqual([1, 2]);
    await next.stop();
  });
});

describe('outbox relay', () => {
  it('the outbox relay publishes events that a crash left in the outbox exactly once', async () => {
    const event = newEvent('test', 'componentDeleted', { componentId: 7 }, 7);
    const left = new Map<string, OutgoingEvent[]>([['document', [event]]]);
    const store = {
      pending: async () => [...left].map(([documentId, events]) => ({ documentId, events })),
      count: async () => left.size,
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
    // The crash happened between publishing and removal: the stream must drop the second publication.
    await bus.publish(event);
    expect(await new OutboxRelay(bus, store).relayOnce(-1)).toBe(1);
    expect(left.size).toBe(0);
    expect(await consumer.caughtUp(120_000)).toBe(true);
    expect(seen).toEqual([7]);
  });
});
