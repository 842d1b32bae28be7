import { signCaller, serviceCaller } from '@parlance/access';
import { loadService } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { TcpRelay } from '@parlance/testing';
import dns from 'node:dns';
import { once } from 'node:events';
import net from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceConfig, targetOf } from './balancing';
import { createClient } from './client';
import { serve } from '../server';
import type { ServiceName } from '@parlance/contracts';
import type { CallContext, Implementation } from '../types';

const serviceSecret = 'x'.repeat(32);
const as = signCaller(serviceCaller('test'), serviceSecret, 600_000);

/** Maximum age of connections in tests that do not need them to end. */
const AGELESS_MS = 600_000;
/** Maximum age in those that do: much shorter than their calls, and long enough to connect on a busy machine. */
const SHORT_AGE_MS = 250;

type Handle = (replica: { relay: TcpRelay; context: CallContext }) => Promise<void>;

/** A replica of a service that counts the calls it gets; `handle` runs for each. */
async function startReplica<S extends ServiceName>(service: S, handle: Handle, maxConnectionAgeMs: number) {
  const counts = { calls: 0, messages: 0 };
  const answer = async (request: unknown, context: CallContext) => {
    const messages = request as AsyncIterable<unknown>;
    if (Symbol.asyncIterator in messages) for await (const _ of messages) counts.messages++;
    counts.calls++;
    await handle({ relay, context });
    return {};
  };
  const stream = async function* (request: unknown, context: CallContext) {
    yield await answer(request, context);
  };
  const implementation = Object.fromEntries(
    Object.entries(loadService(service).client.service).map(([name, { responseStream }]) => [
      name[0]!.toLowerCase() + name.slice(1),
      responseStream ? stream : answer,
    ]),
  ) as unknown as Implementation<S>;
  const server = await serve({
    name: service,
    listen: '127.0.0.1:0',
    serviceSecret,
    implementation,
    maxConnectionAgeMs,
  });
  const relay = await TcpRelay.start(`grpc://127.0.0.1:${server.port}`);
  return { counts, server, relay, address: `127.0.0.1:${relay.port}` };
}

describe('the gRPC target of an address', () => {
  it('the gRPC target of an address is a DNS name or a list of addresses', () => {
    expect(targetOf('catalog:50051')).toBe('dns:///catalog:50051');
    expect(targetOf('10.0.0.1:1,10.0.0.2:2')).toBe('ipv4:10.0.0.1:1,10.0.0.2:2');
    expect(targetOf('[fd00::1]:1,[fd00::2]:2')).toBe('ipv6:[fd00::1]:1,[fd00::2]:2');
  });
});

describe('calls to two replicas', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** Two replicas of a service and a client of both. */
  async function pairOf<S extends ServiceName>(service: S, handle: Handle, maxConnectionAgeMs: number) {
    const a = await startReplica(service, handle, maxConnectionAgeMs);
    const b = await startReplica(service, handle, maxConnectionAgeMs);
    const client = createClient(service, `${a.address},${b.address}`);
    closing.push(
      () => client.close(),
      ...[a, b].flatMap(({ server, relay }) => [() => relay.stop(), () => server.drain(100)]),
    );
    return { a, b, client };
  }
  const pair = (handle: Handle = async () => undefined) => pairOf('catalog', handle, AGELESS_MS);
  /** Servers that close their connections all the time. */
  const closingPairOf = <S extends ServiceName>(service: S) => pairOf(service, async () => undefined, SHORT_AGE_MS);

  type Pair = Awaited<ReturnType<typeof pair>>;

  /** Waits until calls reach both replicas, and counts from zero. Until both connections are made, all calls go to the first. */
  async function bothConnected({ a, b, client }: Pair): Promise<void> {
    while (a.counts.calls === 0 || b.counts.calls === 0) await client.getProject({ id: 1 }, { as });
    a.counts.calls = b.counts.calls = 0;
  }

  it('calls to two replicas are spread evenly', async () => {
    const replicas = await pair();
    const { a, b, client } = replicas;
    await bothConnected(replicas);
    for (let i = 0; i < 100; i++) await client.getProject({ id: 1 }, { as });
    expect([a.counts.calls, b.counts.calls]).toEqual([50, 50]);
  });

  /** Lets connections to another address reach a replica, and counts them. Port 0 takes a free one. */
  async function front(host: string, port: number, replica: { server: { port: number } }) {
    let connections = 0;
    const listener = net.createServer((socket) => {
      connections++;
      const onward = net.connect(replica.server.port, '127.0.0.1');
      pipeline(socket, onward, socket, () => undefined);
    });
    await once(listener.listen(port, host), 'listening');
    closing.push(() => listener.close());
    return { port: (listener.address() as net.AddressInfo).port, connections: () => connections };
  }

  it('calls reach a new replica that its name resolves to, while known connections stay open', async () => {
    const { a, b } = await pair();
    const first = await front('127.0.0.1', 0, a);
    // Replicas behind a name have addresses of their own and share a port.
    const second = await front('127.0.0.2', first.port, b);
    const known = ['127.0.0.1'];
    const lookup = jest.spyOn(dns.promises, 'lookup') as unknown as jest.SpyInstance;
    closing.push(() => lookup.mockRestore());
    lookup.mockImplementation(async () => known.map((address) => ({ address, family: 4 })));
    const client = createClient('catalog', `replicas.test:${first.port}`);
    closing.unshift(() => client.close());
    await client.getProject({ id: 1 }, { as });
    known.push('127.0.0.2');
    while (b.counts.calls === 0) await client.getProject({ id: 1 }, { as });
    const looked = lookup.mock.calls.length;
    while (lookup.mock.calls.length < looked + 2) await client.getProject({ id: 1 }, { as });
    expect([first.connections(), second.connections()]).toEqual([1, 1]);
  });

  it('calls to two replicas do not fail while servers close connections because of their age', async () => {
    const { a, b, client } = await closingPairOf('catalog');
    const until = Date.now() + 4_000;
    let writes = 0;
    const editors = Array.from({ length: 16 }, async () => {
      for (; Date.now() < until; writes++) await client.updateProject({ id: 1 }, { as });
    });
    await Promise.all(editors);
    // A write that a closing server refused is counted once: its handler did not run.
    expect(a.counts.calls + b.counts.calls).toBe(writes);
  });

  it('calls to two replicas that stream responses do not fail while servers close connections', async () => {
    const { a, b, client } = await closingPairOf('translation');
    const until = Date.now() + 4_000;
    let messages = 0;
    const readers = Array.from({ length: 16 }, async () => {
      while (Date.now() < until) for await (const _ of client.streamUnits({ translationId: 1 }, { as })) messages++;
    });
    await Promise.all(readers);
    expect(a.counts.calls + b.counts.calls).toBe(messages);
  });

  async function* body() {
    for (const text of ['three ', 'parts ', 'of a body']) yield { chunk: Buffer.from(text) };
  }
  const upload = async () => {
    const { client, ...replicas } = await closingPairOf('hooks');
    return { ...replicas, send: async () => void (await client.receive(body(), { as })) };
  };
  const converse = async () => {
    const { client, ...replicas } = await closingPairOf('translation');
    const send = async () => {
      for await (const _ of client.mergeFile(body(), { as }));
    };
    return { ...replicas, send };
  };
  it.each([
    ['requests', upload],
    ['requests and responses', converse],
  ] as const)('calls to two replicas that stream %s do not fail while servers close connections', async (_, start) => {
    const { a, b, send } = await start();
    const until = Date.now() + 4_000;
    let calls = 0;
    const senders = Array.from({ length: 16 }, async () => {
      for (; Date.now() < until; calls++) await send();
    });
    await Promise.all(senders);
    expect(a.counts.calls + b.counts.calls).toBe(calls);
    expect(a.counts.messages + b.counts.messages).toBe(3 * calls);
  });

  it('calls to two replicas do not fail when a replica drains', async () => {
    const { a, b, client } = await pair();
    let over = false;
    const editors = Array.from({ length: 8 }, async () => {
      while (!over) await client.updateProject({ id: 1 }, { as });
    });
    while (a.counts.calls < 10 || b.counts.calls < 10) await client.getProject({ id: 1 }, { as });
    await a.server.drain(15_000);
    const before = b.counts.calls;
    while (b.counts.calls < before + 100) await client.getProject({ id: 1 }, { as });
    over = true;
    await Promise.all(editors);
  });

  /** Two replicas, of which the one that gets the next call loses its connections before it answers. */
  async function breakingPair() {
    let breaks = true;
    const replicas = await pair(async ({ relay }) => {
      if (!breaks) return;
      breaks = false;
      await relay.stop();
    });
    return { ...replicas, calls: () => replicas.a.counts.calls + replicas.b.counts.calls };
  }

  it('calls to two replicas are sent again when their connection breaks and the method is idempotent', async () => {
    const { client, calls } = await breakingPair();
    await client.getProject({ id: 1 }, { as });
    expect(calls()).toBe(2);
  });

  it('calls to two replicas are not sent again when their connection breaks and the method writes', async () => {
    const { client, calls } = await breakingPair();
    await expect(client.updateProject({ id: 1 }, { as })).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(calls()).toBe(1);
  });

  /** Two connected replicas, of which the one that gets the next call never answers it. */
  async function silentPair() {
    let silent = false;
    const replicas = await pair(async () => {
      if (!silent) return;
      silent = false;
      await new Promise(() => undefined);
    });
    await bothConnected(replicas);
    silent = true;
    return { ...replicas, calls: () => replicas.a.counts.calls + replicas.b.counts.calls };
  }

  it('calls to two replicas are sent again when an attempt gets no answer and the method is idempotent', async () => {
    const { client, calls } = await silentPair();
    await client.getProject({ id: 1 }, { as, attemptMs: 1_000 });
    expect(calls()).toBe(2);
  });

  it('calls to two replicas are not sent again without an answer when the method writes, or when the time is over', async () => {
    const timeout = { reason: 'DEADLINE_EXCEEDED' };
    const write = await silentPair();
    const options = { as, attemptMs: 300, timeoutMs: 1_500 };
    await expect(write.client.updateProject({ id: 1 }, options)).rejects.toMatchObject(timeout);
    expect(write.calls()).toBe(1);
    const read = await silentPair();
    await expect(read.client.getProject({ id: 1 }, { ...options, attemptMs: 1_500 })).rejects.toMatchObject(timeout);
    expect(read.calls()).toBe(1);
  });

  it('calls to two replicas avoid a replica that answers much slower than the other one', async () => {
    let slow: TcpRelay | undefined;
    const { a, b, client } = await pair(async ({ relay }) => {
      slow ??= relay;
      // Much slower than the other one on a busy machine, too.
      if (relay === slow) await sleep(700);
    });
    const difference = () => Math.abs(a.counts.calls - b.counts.calls);
    // Evenly spread calls differ by one.
    for (let i = 0; i < 200 && difference() < 40; i++) await client.updateProject({ id: 1 }, { as });
    expect(difference()).toBeGreaterThanOrEqual(40);
  });

  it('calls to two replicas avoid a replica that fails them while the other one succeeds', async () => {
    let broken: TcpRelay | undefined;
    const { client } = await pair(({ relay }) => {
      broken ??= relay;
      return relay === broken ? Promise.reject(new ServiceError('UNAVAILABLE')) : Promise.resolve();
    });
    const call = () =>
      client.updateProject({ id: 1 }, { as }).then(
        () => 'succeeded',
        () => 'failed',
      );
    const results: string[] = [];
    for (let i = 0; i < 40; i++) results.push(await call());
    // Without circuit breakers, half of the calls fail.
    expect(results.filter((result) => result === 'failed').length).toBeLessThan(10);
  });

  it('calls to two replicas avoid a replica that does not answer', async () => {
    let silent: TcpRelay | undefined;
    const { a, b, client } = await pair(async ({ relay }) => {
      silent ??= relay;
      if (relay === silent) await new Promise(() => undefined);
    });
    const ended: Promise<unknown>[] = [];
    for (let i = 0; i < 400 && Math.abs(a.counts.calls - b.counts.calls) < 50; i++) {
      ended.push(client.updateProject({ id: 1 }, { as, timeoutMs: 5_000 }).catch((error: unknown) => error));
      await sleep(10);
    }
    await Promise.all(ended);
    expect(Math.abs(a.counts.calls - b.counts.calls)).toBeGreaterThanOrEqual(50);
  });

  it('calls to two replicas are sent again within a budget: when most connections break, nearly all calls get one attempt', async () => {
    const { client, a, b } = await pair(async ({ relay }) => {
      await relay.stop();
      await relay.restart();
    });
    const CALLS = 60;
    for (let i = 0; i < CALLS; i++)
      await expect(client.getProject({ id: 1 }, { as })).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    // A failure costs one of 100 tokens, and calls are sent again while more than 50 are left: 17 calls get three attempts.
    expect(a.counts.calls + b.counts.calls).toBeGreaterThan(CALLS + 20);
    expect(a.counts.calls + b.counts.calls).toBeLessThan(CALLS + 50);
  });

  it('calls to two replicas leave the calls that they cause no more time than they have themselves', async () => {
    const deadlines: number[] = [];
    const inner = await pair(async ({ context }) => void deadlines.push(context.deadlineMs));
    const outer = await pair(async ({ context }) => {
      deadlines.push(context.deadlineMs);
      await inner.client.updateProject({ id: 1 }, { as: context });
      await inner.client.updateProject({ id: 1 }, { as: context, timeoutMs: 60_000 });
      await inner.client.updateProject({ id: 1 }, { as: context, timeoutMs: 3_000 });
    });
    await outer.client.updateProject({ id: 1 }, { as, timeoutMs: 6_000 });
    const [own, byDefault, longer, shorter] = deadlines as [number, number, number, number];
    // Deadlines travel as the remaining time, so the way adds to them. Without the caller's they would be 9 and 54 s later.
    expect(byDefault - own).toBeLessThan(4_500);
    expect(longer - own).toBeLessThan(4_500);
    expect(own - shorter).toBeGreaterThan(100);
  });

  it('calls to two replicas are not sent again when a handler reported an unavailable dependency', async () => {
    const { a, b, client } = await pair(async () => {
      throw new ServiceError('UNAVAILABLE', { message: 'The store is away.' });
    });
    await expect(client.getProject({ id: 1 }, { as })).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    expect(a.counts.calls + b.counts.calls).toBe(1);
  });
});

describe('the service config', () => {
  it('the service config retries exactly the methods that their contract declares idempotent', () => {
    const config = JSON.parse(serviceConfig('catalog', loadService('catalog').client.service)) as {
      methodConfig: { name: { method: string }[] }[];
    };
    const retried = config.methodConfig[0]!.name.map(({ method }) => method);
    expect(retried).toEqual(expect.arrayContaining(['GetProject', 'BatchGetComponents', 'ListComponents']));
    expect(retried.filter((name) => /^(Create|Update|Delete|Set|Add|Remove)/.test(name))).toEqual([]);
  });
});
