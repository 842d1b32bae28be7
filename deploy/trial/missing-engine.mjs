// Takes an engine away from processes that run, and starts another one: node missing-engine.mjs NAMESPACE. All must wait, unready and without
// restarts, with the reason in the description of their pods, and the one that starts in its log, too. They get ready when the engine is
// back. Exits with 1 otherwise.
import { say, sleep } from '../engines/process.mjs';
import { kubectl, podsOf } from './pods.mjs';

const WITHIN_MS = 180_000;
/** In the description of a process that runs, and of one that starts. */
const LOST = /Not ready: .*store: /;
const WAITS = /Waiting to start: .*MongoDB is unavailable/;

const [namespace] = process.argv.slice(2);
const kube = kubectl(namespace);

async function until(what, holds) {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(1000)) if (await holds()) return;
  throw new Error(`${what} did not happen within ${WITHIN_MS / 1000} s`);
}

/** The line of the description that has the reason; undefined if there is none. */
const reasonOf = async (pod, pattern) =>
  (await kube('describe', 'pod', pod)).split('\n').find((line) => pattern.test(line));

const stateOf = async (component, name) => (await podsOf(kube, component)).find((pod) => pod.name === name);

/** Waits for the reason in the description of a pod, which must be unready and must not restart. */
async function untilDescribed(component, name, pattern) {
  const { restarts } = await stateOf(component, name);
  let reason;
  await until(
    `the reason in the description of ${name}`,
    async () => (reason = await reasonOf(name, pattern)) !== undefined,
  );
  await until(`the unreadiness of ${name}`, async () => !(await stateOf(component, name))?.isReady);
  const state = await stateOf(component, name);
  if (state?.restarts !== restarts) throw new Error(`the pod does not wait: ${JSON.stringify(state)}`);
  say(`without MongoDB, kubectl describe pod ${name}:\n${reason}`);
}

const known = new Set((await podsOf(kube, 'media')).map(({ name }) => name));
const [running] = await podsOf(kube, 'hooks');
try {
  await kube('scale', 'statefulset/parlance-mongo', '--replicas=0');
  await until('the end of MongoDB', async () => (await podsOf(kube, 'mongo')).length === 0);
  await untilDescribed('hooks', running.name, LOST);
  await kube('delete', 'pod', '-l', 'app.kubernetes.io/component=media', '--wait=false');
  let pod;
  await until('the start of another pod', async () => {
    pod = (await podsOf(kube, 'media')).find(({ name }) => !known.has(name));
    return pod !== undefined;
  });
  await untilDescribed('media', pod.name, WAITS);
  await until('the reason in the log', async () => /MongoDB is unavailable/.test(await kube('logs', pod.name)));
} finally {
  await kube('scale', 'statefulset/parlance-mongo', '--replicas=1');
}
for (const name of ['statefulset/parlance-mongo', 'deployment/parlance-media', 'deployment/parlance-hooks'])
  await kube('rollout', 'status', name, '--timeout=300s');
const restarted = (await podsOf(kube, 'media')).filter(({ restarts }) => restarts > 0);
say(`with MongoDB the processes are ready, ${restarted.length} restarts`);
if (restarted.length > 0) process.exitCode = 1;
