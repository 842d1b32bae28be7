import type { AddressInfo } from 'node:net';
import { EngineUnavailableError } from './engine-wait';
import { logger } from './logger';
import { Readiness, serveOperations } from './operations';

afterEach(() => jest.restoreAllMocks());

describe('operations server', () => {
  it('the operations server answers health, readiness and metrics', async () => {
    let storeIsThere = true;
    const readiness = new Readiness({ store: () => storeIsThere, events: () => true });
    const server = await serveOperations('127.0.0.1:0', readiness);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect((await fetch(`${base}/healthz`)).status).toBe(200);
      expect((await fetch(`${base}/readyz`)).status).toBe(200);
      expect(await (await fetch(`${base}/metrics`)).text()).toContain('process_resident_memory_bytes');
      expect((await fetch(`${base}/other`)).status).toBe(404);

      storeIsThere = false;
      const down = await fetch(`${base}/readyz`);
      expect(down.status).toBe(503);
      expect(await down.json()).toEqual({
        ready: false,
        parts: { store: 'down', events: 'up' },
        problems: { store: 'unreachable' },
      });

      storeIsThere = true;
      readiness.drain();
      expect((await fetch(`${base}/readyz`)).status).toBe(503);
      expect((await fetch(`${base}/healthz`)).status).toBe(200);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('the liveness probe repeats why the process is not ready, as a redirect to another host, and asks no dependency', async () => {
    let storeIsThere = true;
    let asked = 0;
    const store = () => {
      asked++;
      if (!storeIsThere) throw new EngineUnavailableError('MongoDB is unavailable');
      return true;
    };
    const server = await serveOperations('127.0.0.1:0', new Readiness({ store, events: () => storeIsThere }));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const live = async () => {
      const before = asked;
      const response = await fetch(`${base}/livez`, { redirect: 'manual' });
      expect(asked).toBe(before);
      return [response.status, await response.text(), new URL(response.headers.get('location') ?? base).hostname];
    };
    const alive = [200, 'ok\n', '127.0.0.1'];
    try {
      expect(await live()).toEqual(alive);
      storeIsThere = false;
      await fetch(`${base}/readyz`);
      const reasons = 'Not ready: store: MongoDB is unavailable; events: unreachable';
      expect(await live()).toEqual([307, reasons, 'not-ready.invalid']);
      storeIsThere = true;
      await fetch(`${base}/readyz`);
      expect(await live()).toEqual(alive);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('an outage of an optional dependency leaves the process ready, and is named with its reason and in the metric', async () => {
    let cacheIsThere = true;
    const cache = () => {
      if (!cacheIsThere) throw new EngineUnavailableError('the cache is unavailable');
      return true;
    };
    // Gauges are read at most every 10 s.
    const now = performance.now.bind(performance);
    let skippedMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
    const server = await serveOperations('127.0.0.1:0', new Readiness({ store: () => true }, { optional: { cache } }));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const read = async () => {
      skippedMs += 10_000;
      const ready = await fetch(`${base}/readyz`);
      const metrics = await (await fetch(`${base}/metrics`)).text();
      const [, gauge] = /^parlance_dependency_up\{[^}]*dependency="cache"[^}]*\} (\S+)/m.exec(metrics) ?? [];
      return { status: ready.status, body: await ready.json(), gauge };
    };
    const up = {
      status: 200,
      body: { ready: true, parts: { store: 'up', cache: 'up' }, optional: ['cache'] },
      gauge: '1',
    };
    try {
      expect(await read()).toEqual(up);
      cacheIsThere = false;
      expect(await read()).toEqual({
        status: 200,
        body: {
          ready: true,
          parts: { store: 'up', cache: 'down' },
          optional: ['cache'],
          problems: { cache: 'the cache is unavailable' },
        },
        gauge: '0',
      });
      cacheIsThere = true;
      expect(await read()).toEqual(up);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('an optional dependency that hangs delays the answer by 1 s only', async () => {
    jest.useFakeTimers();
    try {
      const hanging = () => new Promise<boolean>(() => undefined);
      const state = new Readiness({ store: () => true }, { optional: { cache: hanging } }).state();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(await state).toEqual({
        ready: true,
        parts: { store: 'up', cache: 'down' },
        optional: ['cache'],
        problems: { cache: 'no answer within 1 s' },
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('the log says once why a process is not ready any more, and when it is ready again', async () => {
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const info = jest.spyOn(logger, 'info').mockImplementation(() => undefined);
    let storeIsThere = false;
    const readiness = new Readiness({ store: () => storeIsThere }, { starting: true });
    await readiness.state();
    storeIsThere = true;
    readiness.started({ store: () => storeIsThere });
    await readiness.state();
    expect([...warn.mock.calls, ...info.mock.calls]).toEqual([]);
    storeIsThere = false;
    await readiness.state();
    await readiness.state();
    expect(warn.mock.calls).toEqual([[{ problems: { store: 'unreachable' } }, 'readiness: not ready']]);
    storeIsThere = true;
    await readiness.state();
    expect(info.mock.calls).toEqual([['readiness: ready again']]);
    readiness.drain();
    await readiness.state();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('a process that drains with an optional dependency down is not ready', async () => {
    const readiness = new Readiness({}, { optional: { cache: () => false } });
    readiness.drain();
    expect(await readiness.state()).toMatchObject({
      ready: false,
      problems: { draining: 'the process is stopping', cache: 'unreachable' },
    });
  });

  it('a check that throws or hangs counts as down', async () => {
    jest.useFakeTimers();
    try {
      const checks = {
        broken: () => Promise.reject(new TypeError('mongodb://user:password@host')),
        hanging: () => new Promise<boolean>(() => undefined),
        fine: () => true,
      };
      const state = new Readiness(checks).state();
      await jest.advanceTimersByTimeAsync(2_000);
      expect(await state).toEqual({
        ready: false,
        parts: { broken: 'down', hanging: 'down', fine: 'up' },
        problems: { broken: 'failed: TypeError', hanging: 'no answer within 2 s' },
      });
    } finally {
      jest.useRealTimers();
    }
  });
});
