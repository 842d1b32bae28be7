// Two replicas, of which one answers 2 s late: calls under round robin, and with circuit breakers. Needs a build.
// node libs/grpc-kit/bench/slow-replica.mjs [CALLERS] [SECONDS]
import { credentials, Metadata } from '@grpc/grpc-js';
import { serviceCaller, signCaller } from '@parlance/access';
import { loadService } from '@parlance/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceConfig } from '../dist/client/balancing.js';
import { registerPolicy } from '../dist/client/load-balancer.js';
import { serve } from '../dist/server.js';

const [callers, seconds] = [Number(process.argv[2] ?? 16), Number(process.argv[3] ?? 15)];
const LATE_MS = 2_000;
const serviceSecret = 'x'.repeat(32);
const { client: Stub } = loadService('catalog');

async function startReplica(lateMs) {
  const counts = { calls: 0 };
  const answer = async () => {
    counts.calls++;
    await sleep(lateMs + Math.random() * 3);
    return {};
  };
  const implementation = Object.fromEntries(
    Object.keys(Stub.service).map((name) => [name[0].toLowerCase() + name.slice(1), answer]),
  );
  const server = await serve({ name: 'catalog', listen: '127.0.0.1:0', serviceSecret, implementation });
  return { server, counts };
}

const withBreakers = serviceConfig('catalog', Stub.service);
const policies = {
  'round robin': JSON.stringify({ ...JSON.parse(withBreakers), loadBalancingConfig: [{ round_robin: {} }] }),
  'with circuit breakers': withBreakers,
};
registerPolicy();
console.log(
  `${callers} callers, ${seconds} s\npolicy                    calls  slow replica     p50     p90     p99  (ms)`,
);
for (const [title, config] of Object.entries(policies)) {
  const fast = await startReplica(0);
  const slow = await startReplica(LATE_MS);
  const address = [fast, slow].map(({ server }) => `127.0.0.1:${server.port}`).join(',');
  const stub = new Stub(`ipv4:${address}`, credentials.createInsecure(), { 'grpc.service_config': config });
  const metadata = new Metadata({ waitForReady: true });
  metadata.set('parlance-caller', signCaller(serviceCaller('bench'), serviceSecret, 600_000));
  const call = () =>
    new Promise((resolve, reject) =>
      stub.GetProject({ id: 1 }, metadata, (error) => (error ? reject(error) : resolve())),
    );
  const times = [];
  const until = performance.now() + seconds * 1000;
  const work = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await call();
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  times.sort((one, other) => one - other);
  const quantiles = [0.5, 0.9, 0.99].map((share) => times[Math.floor(share * times.length)].toFixed(1).padStart(8));
  console.log(
    `${title.padEnd(24)}${String(times.length).padStart(7)}${String(slow.counts.calls).padStart(14)}${quantiles.join('')}`,
  );
  stub.close();
  await Promise.all([fast, slow].map(({ server }) => server.drain(100)));
}
process.exit(0);
