import { processes } from '../../../deploy/processes.mjs';
import { makeApi } from '../../support/api.mjs';
import { running, system } from '../../support/system.mjs';

const { api, base } = system();

describe('operations', () => {
  it.each(processes)('%s serves health, readiness and metrics', async (name) => {
    const { operations } = running();
    const address = `http://${operations[name]}`;
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const ready = await fetch(`${address}/readyz`);
    expect({ status: ready.status, body: await ready.json() }).toMatchObject({ status: 200, body: { ready: true } });
    expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^process_resident_memory_bytes \d+/m);
  });

  it('every /api/ response is counted', async () => {
    const first = await api.send('GET', '/api/projects/');
    const second = await api.send('GET', '/api/projects/');
    const remaining = (answer: { headers: Headers }) => Number(answer.headers.get('x-ratelimit-remaining'));
    expect(remaining(second)).toBe(remaining(first) - 1);
    expect(Number(second.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
    expect(Number(second.headers.get('x-ratelimit-reset'))).toBeGreaterThan(0);
    expect(second.headers.get('x-request-id')).toBeTruthy();
  });

  it('anonymous callers read public objects only', async () => {
    const anonymous = makeApi(base);
    expect((await anonymous.send('GET', '/api/')).status).toBe(200);
    expect((await anonymous.get('/api/users/')).count).toBe(0);
    expect((await anonymous.send('GET', '/api/metrics/')).status).toBe(401);
    expect(await api.get('/api/metrics/')).toMatchObject({
      units: expect.any(Number),
      projects: expect.any(Number),
      celery_queues: expect.any(Object),
    });
  });
});
