// A gateway that is stopped while clients with keep-alive connections send at random moments.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually } from '../../support/api.mjs';
import { keepAliveClients } from '../../support/keep-alive-clients.mjs';

const REPETITIONS = 5;
const DRAIN_SECONDS = 24;
/** Load balancers withdraw an endpoint within this time; the gateway accepts connections for 5 s. */
const WITHDRAWN_MS = 900;
const services = ['IDENTITY', 'CATALOG', 'TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'];

/** A gateway without services, which answers probes. */
async function startGateway() {
  const [port, operations] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(process.env.PARLANCE_E2E_ROOT!, 'gateway/dist/main.js')], {
    env: {
      ...process.env,
      LOG_LEVEL: 'error',
      ...Object.fromEntries(services.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      REDIS_URL: 'redis://127.0.0.1:1',
      PARLANCE_SERVICE_SECRET: 'a secret of this test with 32 characters',
      PARLANCE_DRAIN_SECONDS: String(DRAIN_SECONDS),
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      OPERATIONS_LISTEN: `127.0.0.1:${operations}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      ),
    (ok: boolean) => ok,
  );
  const status = () => fetch(`http://127.0.0.1:${operations}/readyz`).then((response) => response.json());
  return { port, child, ended, status };
}

it('a stopped gateway fails no request of clients that send at random moments', async () => {
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const gateway = await startGateway();
    const clients = keepAliveClients({ port: gateway.port, count: 300, pauseMs: 1500 });
    await eventually(
      async () => clients.answers.kept,
      (kept: number) => kept > 300,
    );
    gateway.child.kill('SIGTERM');
    await eventually(gateway.status, ({ parts }: { parts: Record<string, string> }) => parts.draining === 'down');
    await pause(WITHDRAWN_MS);
    await clients.withdraw();
    expect(clients.failures).toEqual([]);
    expect(clients.answers.closing).toBeGreaterThanOrEqual(300);
    expect(await gateway.ended).toEqual([0, null]);
  }
});
