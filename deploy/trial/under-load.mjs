// Changes an installation under a steady load: node under-load.mjs NAMESPACE, with PARLANCE_URL and PARLANCE_TOKEN.
//
// While processes are rolled, evicted, deleted, scaled and upgraded, no request may fail and the 99th percentile stays below a second.
// While an engine is killed, requests may fail. No acknowledged edit may ever be lost, and all numbers equal a recount.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApi } from '../../e2e/support/api.mjs';
import { run, say } from '../engines/process.mjs';
import { startLoad, summarizePhase } from './load.mjs';

const namespace = process.argv[2];
const { PARLANCE_URL: url, PARLANCE_TOKEN: token, PARLANCE_TRIAL_UPGRADE: upgrade } = process.env;
if (!namespace || !url || !token) {
  process.stderr.write('node under-load.mjs NAMESPACE, with PARLANCE_URL and PARLANCE_TOKEN\n');
  process.exit(2);
}

/** Longest 99th percentile while processes change, in milliseconds. */
const P99_MS = 1000;
/** Load without changes, in milliseconds. */
const CALM_MS = 15_000;
const TIMEOUT = '--timeout=300s';
const processes = ['gateway', 'identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];
const engines = ['mongo', 'nats', 'redis', 'minio'];
const kube = (...args) => run('kubectl', ['--namespace', namespace, ...args]);
const workload = (name) =>
  `${name === 'vcs-worker' || engines.includes(name) ? 'statefulset' : 'deployment'}/parlance-${name}`;
const settled = (name) => kube('rollout', 'status', workload(name), TIMEOUT);
const podsOf = async (name) =>
  JSON.parse(await kube('get', 'pods', '-l', `app.kubernetes.io/component=${name}`, '-o', 'json')).items.map(
    ({ metadata }) => metadata.name,
  );
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/** Asks for a pod's end as `kubectl drain` does: the disruption budget may refuse. */
async function evict(name) {
  const pod = anyOf(await podsOf(name));
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  await run('kubectl', ['create', '--raw', path, '-f', '-'], { input: JSON.stringify(eviction) });
  await settled(name);
}

async function scale(replicas) {
  for (const name of processes) await kube('scale', workload(name), `--replicas=${replicas}`);
  for (const name of processes) await settled(name);
}

/** strict: requests must not fail. */
const phases = [
  { title: 'no change', strict: true, act: () => sleep(CALM_MS) },
  ...processes.map((name) => ({
    title: `roll ${name}`,
    strict: true,
    async act() {
      await kube('rollout', 'restart', workload(name));
      await settled(name);
    },
  })),
  ...processes.map((name) => ({ title: `evict a pod of ${name}`, strict: true, act: () => evict(name) })),
  { title: 'scale to 3', strict: true, act: () => scale(3) },
  { title: 'scale to 2', strict: true, act: () => scale(2) },
  ...(upgrade
    ? [{ title: 'helm upgrade', strict: true, act: () => run('sh', ['-c', upgrade]).then(() => settled('vcs-worker')) }]
    : []),
  ...processes.map((name) => ({
    title: `kill a pod of ${name}`,
    strict: false,
    async act() {
      await kube('delete', 'pod', anyOf(await podsOf(name)), '--grace-period=0', '--force');
      await sleep(1000);
      await settled(name);
    },
  })),
  ...engines.map((name) => ({
    title: `kill ${name}`,
    strict: false,
    async act() {
      await kube('delete', 'pod', `parlance-${name}-0`, '--grace-period=0', '--force');
      await sleep(1000);
      await settled(name);
      for (const process of processes) await settled(process);
    },
  })),
];

const wanted = (process.env.PARLANCE_TRIAL_PHASES ?? '').split(',').filter(Boolean);
const load = await startLoad(makeApi(url, token), Date.now() % 100_000);
const row = (cells) => say(cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : String(cell).padStart(10))).join(''));
const problems = [];
try {
  row(['phase', 'seconds', 'requests', 'rejected', 'failed', 'p50 ms', 'p99 ms', 'max ms']);
  for (const { title, strict, act } of phases) {
    if (wanted.length > 0 && !wanted.some((part) => title.includes(part))) continue;
    const from = Date.now();
    await act().catch((error) => problems.push(`${title}: ${error.message}`));
    // Pods that end still drain.
    await sleep(5000);
    const to = Date.now();
    const { requests, rejected, failed, examples, p50, p99, longest } = summarizePhase(load.requests, { from, to });
    row([title, Math.round((to - from) / 1000), requests, rejected, failed, ...[p50, p99, longest].map(Math.round)]);
    for (const example of examples) say(`    ${example}`);
    if (strict && failed > 0) problems.push(`${title}: ${failed} requests failed`);
    if (strict && p99 > P99_MS) problems.push(`${title}: the 99th percentile is ${Math.round(p99)} ms`);
  }
  const { acknowledged, lost, doubled, wrong } = await load.stop();
  say(
    `${acknowledged} edits acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${wrong.length} wrong numbers`,
  );
  problems.push(...lost, ...doubled, ...wrong);
} finally {
  load.remove();
}
for (const problem of problems) say(`  ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
