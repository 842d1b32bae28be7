// Changes an installation under a steady load: node under-load.mjs NAMESPACE, with PARLANCE_URL and PARLANCE_TOKEN.
//
// While processes are rolled, evicted, deleted, scaled and upgraded, no request may fail and the 99th percentile stays below a second. Of the
// calls of services that the load calls all the time, each pod gets at least 80 % of an even share (40 % with two pods), a new one within
// 10 s. While pods and engines are killed, requests may fail. No acknowledged edit may ever be lost, and all numbers equal a recount.
//
// PARLANCE_TRIAL_UPGRADE: the command of the upgrade. PARLANCE_TRIAL_PHASES: parts of the titles of the phases to run, separated by commas.
// PARLANCE_TRIAL_PROJECTS: projects under load, 1 by default.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApi } from '../../e2e/support/api.mjs';
import { run, say } from '../engines/process.mjs';
import { processes } from '../processes.mjs';
import { hasEnded, startLoad, summarizePhase } from './load.mjs';
import { firstCallOfNewPod, kubectl, measurePods, podsOf, sharesBetween } from './pods.mjs';

const namespace = process.argv[2];
const { PARLANCE_URL: url, PARLANCE_TOKEN: token, PARLANCE_TRIAL_UPGRADE: upgrade } = process.env;
if (!namespace || !url || !token) {
  process.stderr.write('node under-load.mjs NAMESPACE, with PARLANCE_URL and PARLANCE_TOKEN\n');
  process.exit(2);
}

/** Longest 99th percentile while processes change, in milliseconds. */
const P99_MS = 1000;
/** Load without changes, in milliseconds: several lives of a client’s connection to a gateway (9 s). */
const CALM_MS = 60_000;
/** Services that the load calls all the time. */
const CALLED = ['catalog', 'translation', 'statistics'];
/** Longest time from the readiness of a new pod to its first call. */
const FIRST_CALL_SECONDS = 10;
/** Time over which the share of a new pod is measured, in milliseconds. */
const SHARE_MS = 10_000;
/** The least part of an even share of the calls that a pod gets, and the calls from which on it counts. */
const LEAST_OF_EVEN = 0.8;
const FEWEST_CALLS = 100;
/** Pods that one phase deletes, one after the other. */
const DELETIONS = 8;
const TIMEOUT = '--timeout=300s';
const engines = ['mongo', 'nats', 'redis', 'minio'];
const kube = kubectl(namespace);
const workload = (name) =>
  `${name === 'vcs-worker' || engines.includes(name) ? 'statefulset' : 'deployment'}/parlance-${name}`;
const settled = (name) => kube('rollout', 'status', workload(name), TIMEOUT);
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];
const anyPodOf = async (name) => anyOf(await podsOf(kube, name)).name;

/** Asks for a pod's end as `kubectl drain` does: the disruption budget may refuse. */
async function evict(name) {
  const pod = await anyPodOf(name);
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  await run('kubectl', ['create', '--raw', path, '-f', '-'], { input: JSON.stringify(eviction) });
  await settled(name);
}

/** Prints the shares of the calls of some processes within some time. Adds to the problems each pod that gets too few. */
async function compareShares(names, forMs) {
  const before = await measurePods(kube, names);
  await sleep(forMs);
  for (const { component, total, shares, memory } of sharesBetween(before, await measurePods(kube, names))) {
    const share = shares.map((part) => `${Math.round(part * 100)} %`).join('  ');
    say(
      `    ${component.padEnd(12)}${String(total).padStart(7)} calls   ${share.padEnd(20)} memory ${memory.join(', ')} MiB`,
    );
    // The connections of clients, not their requests, are spread over gateways.
    const isSpread = component !== 'gateway' && total >= FEWEST_CALLS;
    if (isSpread && Math.min(...shares) < LEAST_OF_EVEN / shares.length)
      problems.push(`${component}: the pods get ${share} of the calls`);
  }
}

/** Scales a process to three pods and back to two. Judges when the new pod gets calls, and how many. */
async function scale(name) {
  const known = new Set((await podsOf(kube, name)).map((pod) => pod.name));
  await kube('scale', workload(name), '--replicas=3');
  if (CALLED.includes(name)) {
    const seconds = await firstCallOfNewPod(kube, name, known);
    say(`    first call of the new pod of ${name.padEnd(12)}${seconds.toFixed(1).padStart(5)} s after it was ready`);
    if (seconds > FIRST_CALL_SECONDS) problems.push(`the new pod of ${name} waited ${seconds} s for its first call`);
    await sleep((FIRST_CALL_SECONDS - seconds) * 1000);
    await compareShares([name], SHARE_MS);
  }
  await settled(name);
  await kube('scale', workload(name), '--replicas=2');
  await settled(name);
}

async function deletePods() {
  for (let count = 0; count < DELETIONS; count++) {
    const name = anyOf(processes);
    await kube('delete', 'pod', await anyPodOf(name));
    await settled(name);
  }
}

/** strict: requests must not fail. */
const phases = [
  ...(upgrade
    ? [{ title: 'helm upgrade', strict: true, act: () => run('sh', ['-c', upgrade]).then(() => settled('vcs-worker')) }]
    : []),
  { title: 'no change', strict: true, act: () => compareShares(processes, CALM_MS) },
  ...processes.map((name) => ({
    title: `roll ${name}`,
    strict: true,
    async act() {
      await kube('rollout', 'restart', workload(name));
      await settled(name);
    },
  })),
  ...processes.map((name) => ({ title: `evict a pod of ${name}`, strict: true, act: () => evict(name) })),
  { title: 'delete pods at random', strict: true, act: deletePods },
  ...processes.map((name) => ({ title: `scale ${name}`, strict: true, act: () => scale(name) })),
  ...processes.map((name) => ({
    title: `kill a pod of ${name}`,
    strict: false,
    async act() {
      await kube('delete', 'pod', await anyPodOf(name), '--grace-period=0', '--force');
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
const projects = Number(process.env.PARLANCE_TRIAL_PROJECTS || 1);
if (!(Number.isInteger(projects) && projects > 0))
  throw new Error(`PARLANCE_TRIAL_PROJECTS must be a positive number, not "${process.env.PARLANCE_TRIAL_PROJECTS}"`);
const load = await startLoad(makeApi(url, token), Date.now() % 100_000, projects);
/** @type {string[]} */
const problems = [];
const row = (cells) => say(cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : String(cell).padStart(11))).join(''));

/** Prints the figures of a phase and notes what was wrong. */
function showPhase({ title, strict, from, to }) {
  const summary = summarizePhase(load.requests, { from, to });
  const { requests, rejected, failed, recoveredMs, examples, slow, p50, p99, longest } = summary;
  const recovery = failed > 0 ? (recoveredMs / 1000).toFixed(1) : '-';
  const milliseconds = [p50, p99, longest].map(Math.round);
  row([title, Math.round((to - from) / 1000), requests, rejected, failed, recovery, ...milliseconds]);
  for (const example of [...examples, ...slow]) say(`    ${example}`);
  if (strict && failed > 0) problems.push(`${title}: ${failed} requests failed`);
  if (strict && p99 > P99_MS) problems.push(`${title}: the 99th percentile is ${Math.round(p99)} ms`);
}

try {
  /** Phases that are not shown yet, in order. */
  const past = [];
  row(['phase', 'seconds', 'requests', 'rejected', 'failed', 'recovery s', 'p50 ms', 'p99 ms', 'max ms']);
  for (const { title, strict, act } of phases) {
    if (wanted.length > 0 && !wanted.some((part) => title.includes(part))) continue;
    const from = Date.now();
    await act().catch((error) => problems.push(`${title}: ${error.message}`));
    // Pods that end still drain.
    await sleep(5000);
    const to = Date.now();
    past.push({ title, strict, from, to });
    // The slowest requests of a phase end in a later one.
    while (past.length > 0 && hasEnded(load.requests, past[0])) showPhase(past.shift());
  }
  const { acknowledged, lost, doubled, wrong } = await load.stop();
  past.forEach(showPhase);
  say(
    `${acknowledged} edits acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${wrong.length} wrong numbers`,
  );
  problems.push(...lost, ...doubled, ...wrong);
} finally {
  load.remove();
}
for (const problem of problems) say(`  ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
