// Takes an engine away and starts a process: node missing-engine.mjs NAMESPACE. The process must wait, unready and without restarts, with the
// reason in its log and in the description of its pod, and get ready when the engine is back. Exits with 1 otherwise.
import { say, sleep } from '../engines/process.mjs';
import { kubectl, podsOf } from './pods.mjs';

const WITHIN_MS = 180_000;
const REASON = /MongoDB is unavailable/;

const [namespace] = process.argv.slice(2);
const kube = kubectl(namespace);

async function until(what, holds) {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(1000)) if (await holds()) return;
  throw new Error(`${what} did not happen within ${WITHIN_MS / 1000} s`);
}

const known = new Set((await podsOf(kube, 'media')).map(({ name }) => name));
try {
  await kube('scale', 'statefulset/parlance-mongo', '--replicas=0');
  await until('the end of MongoDB', async () => (await podsOf(kube, 'mongo')).length === 0);
  await kube('delete', 'pod', '-l', 'app.kubernetes.io/component=media', '--wait=false');
  let pod;
  await until('the start of another pod', async () => {
    pod = (await podsOf(kube, 'media')).find(({ name }) => !known.has(name));
    return pod !== undefined;
  });
  await until('the reason in the description', async () => REASON.test(await kube('describe', 'pod', pod.name)));
  await until('the reason in the log', async () => REASON.test(await kube('logs', pod.name)));
  const waiting = (await podsOf(kube, 'media')).find(({ name }) => name === pod.name);
  if (waiting?.isReady || waiting?.restarts !== 0)
    throw new Error(`the pod is not waiting: ${JSON.stringify(waiting)}`);
  const description = await kube('describe', 'pod', pod.name);
  say(
    `without MongoDB, kubectl describe pod ${pod.name}:\n${description.split('\n').find((line) => REASON.test(line))}`,
  );
} finally {
  await kube('scale', 'statefulset/parlance-mongo', '--replicas=1');
}
for (const name of ['statefulset/parlance-mongo', 'deployment/parlance-media'])
  await kube('rollout', 'status', name, '--timeout=300s');
const restarted = (await podsOf(kube, 'media')).filter(({ restarts }) => restarts > 0);
say(`with MongoDB the process is ready, ${restarted.length} restarts`);
if (restarted.length > 0) process.exitCode = 1;
