// Takes MongoDB, NATS and the S3 store away, one after the other, from a pod of media that runs and one that starts: node missing-engine.mjs
// NAMESPACE. Media needs all three. Both pods must wait, unready and without restarts, with the reason in their descriptions, and the one that
// starts in its log, too. They get ready when the engine is back. Exits with 1 otherwise.
import { say, sleep } from '../engines/process.mjs';
import { kubectl, podsOf } from './pods.mjs';

const WITHIN_MS = 180_000;
/** Engines by their pods: `check` is the name in /readyz of media. */
const engines = [
  { name: 'mongo', title: 'MongoDB', check: 'store' },
  { name: 'nats', title: 'NATS', check: 'events' },
  { name: 'minio', title: 'the S3 store', check: 'objects' },
];

const [namespace] = process.argv.slice(2);
const kube = kubectl(namespace);

async function until(what, holds) {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(1000)) if (await holds()) return;
  throw new Error(`${what} did not happen within ${WITHIN_MS / 1000} s`);
}

const mediaPods = () => podsOf(kube, 'media');
const rolledOut = (workload) => kube('rollout', 'status', workload, '--timeout=300s');

/** The line of the description that has the reason; undefined if there is none. */
const reasonOf = async (pod, pattern) =>
  (await kube('describe', 'pod', pod)).split('\n').find((line) => pattern.test(line));

const stateOf = async (name) => (await mediaPods()).find((pod) => pod.name === name);

/** Waits for the reason in the description of a pod, which must be unready and must not restart. */
async function untilDescribed(title, name, pattern) {
  const { restarts } = await stateOf(name);
  let reason;
  await until(
    `the reason in the description of ${name}`,
    async () => (reason = await reasonOf(name, pattern)) !== undefined,
  );
  await until(`the unreadiness of ${name}`, async () => !(await stateOf(name))?.isReady);
  const state = await stateOf(name);
  if (state?.restarts !== restarts) throw new Error(`the pod does not wait: ${JSON.stringify(state)}`);
  say(`without ${title}, kubectl describe pod ${name}:\n${reason}`);
}

/** Takes one engine away and brings it back. */
async function takeAway({ name, title, check }) {
  // Kubernetes limits the events of a pod (docs/adr/0046): new pods have none yet.
  await kube('rollout', 'restart', 'deployment/parlance-media');
  await rolledOut('deployment/parlance-media');
  const running = await mediaPods();
  try {
    await kube('scale', `statefulset/parlance-${name}`, '--replicas=0');
    await until(`the end of ${title}`, async () => (await podsOf(kube, name)).length === 0);
    await untilDescribed(title, running[0].name, new RegExp(`Not ready: .*${check}: `));
    await kube('delete', 'pod', '-l', 'app.kubernetes.io/component=media', '--wait=false');
    let pod;
    await until('the start of another pod', async () => {
      pod = (await mediaPods()).find((each) => running.every((old) => old.name !== each.name));
      return pod !== undefined;
    });
    const reason = `${title} is unavailable`;
    await untilDescribed(title, pod.name, new RegExp(`Waiting to start: .*${reason}`));
    await until('the reason in the log', async () => (await kube('logs', pod.name)).includes(reason));
  } finally {
    await kube('scale', `statefulset/parlance-${name}`, '--replicas=1');
  }
  await rolledOut(`statefulset/parlance-${name}`);
  await rolledOut('deployment/parlance-media');
  const restarted = (await mediaPods()).filter(({ restarts }) => restarts > 0);
  say(`with ${title} the pods are ready, ${restarted.length} restarts`);
  if (restarted.length > 0) process.exitCode = 1;
}

for (const engine of engines) await takeAway(engine);
