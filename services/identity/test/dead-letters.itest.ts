import { EventBus, newEvent } from '@parlance/events';
import { engines, until } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import { connectEvents } from '../src/cli/connect-events';
import { run } from '../src/cli/program';

const namespace = `t${randomUUID().slice(0, 8)}`;
let natsUrl: string;
let bus: EventBus;

beforeAll(async () => {
  ({ natsUrl } = await engines());
  bus = await EventBus.connect({ url: natsUrl, service: 'test', namespace });
});
afterAll(() => bus.close());

/** Runs a command with --json. */
async function parlance(...args: string[]): Promise<unknown> {
  let out = '';
  let err = '';
  const code = await run([...args, '--json'], {
    variables: {},
    connect: () => {
      throw new Error('not needed');
    },
    connectEvents: () => connectEvents({ NATS_URL: natsUrl }, namespace),
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    input: () => Promise.resolve(''),
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

describe('parlance events dead', () => {
  it('parlance events dead lists an event that its consumer cannot handle and replays it once after the fix', async () => {
    let broken = true;
    const handled: number[] = [];
    await bus.consume({
      durable: 'test-poisoned',
      maxAttempts: 2,
      handlers: {
        userDeleted: async ({ payload }) => {
          if (broken) throw new Error('no such table\nline two');
          handled.push(payload.userId);
        },
      },
    });
    const event = newEvent('identity', 'userDeleted', { userId: 7 }, 7);
    await bus.publish(event);
    await until(async () => (await bus.deadLetters.count()) === 1);

    const letters = await parlance('events', 'dead', 'list');
    expect(letters).toEqual([
      {
        sequence: expect.any(Number),
        subject: `${namespace}.parlance.events.user_deleted.7`,
        event_id: event.id,
        time: new Date(event.timeMs).toISOString(),
        service: 'test',
        consumer: 'test-poisoned',
        attempts: 2,
        error: 'Error: no such table line two',
        dead_since: expect.any(String),
        age_seconds: expect.any(Number),
      },
    ]);
    expect(await parlance('events', 'dead', 'list', '--service', 'test')).toHaveLength(1);
    expect(await parlance('events', 'dead', 'list', '--service', 'hooks')).toEqual([]);
    expect(await parlance('events', 'dead', 'list', '--id', event.id)).toHaveLength(1);

    const [{ sequence }] = letters as [{ sequence: number }];
    expect(await parlance('events', 'dead', 'show', String(sequence))).toMatchObject({
      sequence,
      event_id: event.id,
      error: 'Error: no such table line two',
      event: { source: 'identity', payload: 'userDeleted', key: '7', fields: { userId: 7 } },
    });

    broken = false;
    const nothing = { matched: 0, replayed: 0, others: 0, left: 0 };
    expect(await parlance('events', 'dead', 'replay', '--id', randomUUID())).toEqual(nothing);
    expect(await parlance('events', 'dead', 'replay', '--service', 'hooks')).toEqual(nothing);
    expect(await parlance('events', 'dead', 'replay', '--all')).toEqual({
      matched: 1,
      replayed: 1,
      others: 0,
      left: 0,
    });
    await until(() => handled.length > 0);
    expect(await parlance('events', 'dead', 'replay', '--all')).toEqual(nothing);
    expect(await parlance('events', 'dead', 'list')).toEqual([]);
    expect(handled).toEqual([7]);
  });

  it('parlance events dead drops only the selected events', async () => {
    await bus.consume({
      durable: 'test-dropped',
      maxAttempts: 1,
      handlers: {
        projectDeleted: async () => {
          throw new Error('broken');
        },
      },
    });
    const events = [1, 2, 3].map((projectId) =>
      newEvent('catalog', 'projectDeleted', { projectId, slug: 'gone' }, projectId),
    );
    for (const event of events) await bus.publish(event);
    await until(async () => (await bus.deadLetters.count()) === 3);
    expect(await parlance('events', 'dead', 'drop', '--service', 'hooks')).toEqual({ dropped: 0 });
    expect(await parlance('events', 'dead', 'drop', '--id', events[0]!.id)).toEqual({ dropped: 1 });
    const left = (await parlance('events', 'dead', 'list')) as { sequence: number; event_id: string }[];
    expect(left.map((letter) => letter.event_id)).toEqual([events[1]!.id, events[2]!.id]);
    expect(await parlance('events', 'dead', 'drop', '--sequence', String(left[0]!.sequence))).toEqual({ dropped: 1 });
    expect(await parlance('events', 'dead', 'list')).toMatchObject([{ event_id: events[2]!.id }]);
    expect(await parlance('events', 'dead', 'drop', '--all')).toEqual({ dropped: 1 });
    expect(await bus.deadLetters.count()).toBe(0);
  });

  it('parlance events dead publishes an event once if two operators replay it concurrently', async () => {
    let broken = true;
    let handled = 0;
    const consumer = await bus.consume({
      durable: 'test-twice',
      maxAttempts: 1,
      handlers: {
        accessChanged: async () => {
          if (broken) throw new Error('broken');
          handled++;
        },
      },
    });
    for (let key = 0; key < 5; key++) await bus.publish(newEvent('identity', 'accessChanged', { userIds: [key] }, key));
    await until(async () => (await bus.deadLetters.count()) === 5);
    broken = false;
    await Promise.all([parlance('events', 'dead', 'replay', '--all'), parlance('events', 'dead', 'replay', '--all')]);
    expect(await consumer.caughtUp(120_000)).toBe(true);
    expect(handled).toBe(5);
    expect(await bus.deadLetters.count()).toBe(0);
  });
});
