// Pods of an installation on Kubernetes, and what their metrics say.
import { sumOfSamples } from '../../e2e/support/telemetry/metrics.mjs';
import { run, sleep } from '../engines/process.mjs';
import { processes } from '../processes.mjs';

/** Prints the metrics of the process that runs in the same pod. */
const READ = `fetch('http://127.0.0.1:9090/metrics').then(async (answer) => process.stdout.write(await answer.text()))`;

/** `kubectl` in a namespace. */
export const kubectl =
  (namespace) =>
  (...args) =>
    run('kubectl', ['--namespace', namespace, ...args]);

function readiness({ conditions = [] }) {
  const ready = conditions.find(({ type }) => type === 'Ready');
  return { isReady: ready?.status === 'True', readyMs: Date.parse(ready?.lastTransitionTime ?? '') };
}

/** Pods of a component: `{ name, isReady, readyMs, isRunning, restarts }`; `readyMs` is the time when `isReady` changed. */
export async function podsOf(kube, component) {
  const { items } = JSON.parse(
    await kube('get', 'pods', '-l', `app.kubernetes.io/component=${component}`, '-o', 'json'),
  );
  return items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata, status }) => ({
      name: metadata.name,
      ...readiness(status),
      isRunning: status.containerStatuses?.[0]?.state?.running !== undefined,
      restarts: status.containerStatuses?.[0]?.restartCount ?? 0,
    }));
}

/**
 * Calls that each pod of some components has answered since its start, without those of probes, and its memory in MiB.
 *
 * @returns {Promise<Map<string, {component: string, calls: number, memory: number}>>} by the pod's name
 */
export async function measurePods(kube, components = processes) {
  const measured = new Map();
  for (const component of components)
    for (const { name } of await podsOf(kube, component)) {
      const text = await kube('exec', name, '--', 'node', '-e', READ);
      const calls = ['parlance_grpc_server_calls_total', 'parlance_http_requests_total'];
      measured.set(name, {
        component,
        calls: calls.reduce((sum, metric) => sum + sumOfSamples(text, metric), 0),
        memory: sumOfSamples(text, 'process_resident_memory_bytes') / 2 ** 20,
      });
    }
  return measured;
}

/** Waits in a pod until it has answered a call; prints the time, in milliseconds since the epoch. */
const WATCH = `
  const metrics = () => fetch('http://127.0.0.1:9090/metrics').then((answer) => answer.text(), () => '');
  const isCalled = (text) => /^parlance_grpc_server_calls_total{.* [1-9]/m.test(text);
  (async () => {
    while (!isCalled(await metrics())) await new Promise((resolve) => setTimeout(resolve, 100));
    process.stdout.write(String(Date.now()));
  })();
`;

/**
 * Waits for a new pod of a component and its first call.
 *
 * @param {ReadonlySet<string>} known names of the pods before
 * @returns {Promise<number>} seconds from the time, a whole second, at which Kubernetes called the pod ready
 */
export async function firstCallOfNewPod(kube, component, known) {
  const newPod = async () =>
    (await podsOf(kube, component)).find(({ name, isRunning }) => isRunning && !known.has(name));
  const deadline = Date.now() + 300_000;
  let pod = await newPod();
  for (; !pod; pod = await newPod()) {
    if (Date.now() > deadline) throw new Error(`no new pod of ${component} runs`);
    await sleep(250);
  }
  const calledMs = Number(await kube('exec', pod.name, '--', 'node', '-e', WATCH));
  const { readyMs } = await newPod();
  return Math.max(0, (calledMs - readyMs) / 1000);
}

/** Shares of the calls between two measurements, as `{ component, total, shares, memory }`, with the pods that are in both. */
export function sharesBetween(before, after) {
  const components = new Set([...after.values()].map(({ component }) => component));
  return [...components].map((component) => {
    const pods = [...after].filter(([name, pod]) => pod.component === component && before.has(name));
    const calls = pods.map(([name, pod]) => pod.calls - before.get(name).calls);
    const total = calls.reduce((sum, count) => sum + count, 0);
    return {
      component,
      total,
      shares: calls.map((count) => (total > 0 ? count / total : 0)),
      memory: pods.map(([, pod]) => Math.round(pod.memory)),
    };
  });
}
