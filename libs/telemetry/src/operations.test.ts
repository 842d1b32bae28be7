import type { AddressInfo } from 'node:net';
import { Readiness, serveOperations } from './operations';

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
