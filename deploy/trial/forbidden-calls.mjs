// Tries every connection from the pods of an installation: to each other, to pods of other installations and applications, to the cluster's
// DNS and API, and to addresses outside of it: node forbidden-calls.mjs NAMESPACE [RELEASE]
// Jobs have ended: pods with their labels call in their place. Engines have no Node.js: a container is added to their pods for the calls.
// Prints one line for each connection whose outcome is not the one of the architecture, and exits with 1 if there is one.
//
// Environment:
//   PARLANCE_TRIAL_HOST    private address of this machine that pods reach
//   PARLANCE_TRIAL_PUBLIC  another one, outside private ranges; without it, calls to public addresses are not tried
//   PARLANCE_TRIAL_PORTS   values of the chart's networkPolicy with one port each: {"remotePorts":1,"webPorts":2,"mailPorts":3}
import { createServer } from 'node:net';
import { run, say, sleep } from '../engines/process.mjs';
import { differences, engines, isAllowed, jobs, outsideTargets, podTargets, STRANGER_PORT } from './connections.mjs';

const WITHIN_MS = 120_000;
/** Calls that time out may need another try on a busy machine, and policies take effect shortly after a pod has started. */
const TRIES = 8;

const [namespace, release = 'parlance'] = process.argv.slice(2);
const { PARLANCE_TRIAL_HOST, PARLANCE_TRIAL_PUBLIC, PARLANCE_TRIAL_PORTS } = process.env;
const kubectl = (...args) => run('kubectl', args);
const kube = (...args) => kubectl('--namespace', namespace, ...args);
const read = async (...args) => JSON.parse(await kubectl('get', ...args, '-o', 'json'));

/** Runs in a pod: prints which of the targets accept a connection. A policy drops packets, so a refused call times out. */
const PROBE = `
  const { connect } = require('node:net');
  const one = ([, host, port]) => new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2500 });
    const end = (isOpen) => { socket.destroy(); resolve(isOpen); };
    socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
  });
  Promise.all(JSON.parse(process.argv[1]).map(one)).then((all) => console.log(JSON.stringify(all)));`;
const LISTEN = `require('node:net').createServer().listen(${STRANGER_PORT}, '0.0.0.0')`;

/** Running pods of all installations: `{ name, installation, component, ip, image }`. */
async function runningPods() {
  const { items } = await read('pods', '--namespace', namespace, '-l', 'app.kubernetes.io/name');
  return items
    .filter(({ metadata, status }) => status.phase === 'Running' && !metadata.deletionTimestamp)
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      installation: metadata.labels['app.kubernetes.io/instance'],
      component: metadata.labels['app.kubernetes.io/component'],
      ip: status.podIP,
      image: spec.containers[0].image,
    }));
}

/** A pod that waits for calls to make, with the labels of a component; `stranger`: of another application, which listens. */
function waitingPod(name, component, image) {
  const application = component === 'stranger' ? 'stranger' : 'parlance';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: {
        'app.kubernetes.io/name': application,
        'app.kubernetes.io/instance': release,
        'app.kubernetes.io/component': component,
      },
    },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'calls',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: component === 'stranger' ? ['node', '-e', LISTEN] : ['sleep', '3600'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
}

/** Adds a container to a pod of an engine. Such a container stays until the pod ends, so one that still runs is used again. */
async function addContainer(pod, image) {
  const containerOf = async () =>
    (await read('pod', pod, '--namespace', namespace)).status.ephemeralContainerStatuses?.find(
      ({ state }) => state.running,
    );
  const running = await containerOf();
  if (running) return running.name;
  const name = `calls-${Date.now().toString(36)}`;
  const options = [
    '--image',
    image,
    '--image-pull-policy',
    'IfNotPresent',
    '--profile',
    'restricted',
    '--container',
    name,
  ];
  await kube('debug', pod, ...options, '--', 'sleep', '1800');
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await sleep(500)) if (await containerOf()) return name;
  throw new Error(`the container ${name} of ${pod} did not start within ${WITHIN_MS / 1000} s`);
}

/** Listens on ports of this machine. One that is taken has a server already, such as that of the git repositories. */
const listen = (ports) =>
  Promise.all(
    ports.map(
      (port) =>
        new Promise((resolve, reject) => {
          const server = createServer((socket) => socket.destroy());
          server.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
          server.listen(port, '0.0.0.0', () => resolve(server));
        }),
    ),
  );

/** The targets that a pod's calls reach: calls with an unexpected outcome are repeated, where another outcome may follow. */
async function callAll({ name, container, component, ip, isNew }, targets, options) {
  const others = targets.filter(([, address]) => address !== ip);
  const outcomes = new Map();
  for (let left = others, tries = 0; left.length > 0 && tries < TRIES; tries++) {
    const where = container ? [name, '--container', container] : [name];
    const answers = JSON.parse(await kube('exec', ...where, '--', 'node', '-e', PROBE, JSON.stringify(left)));
    left.forEach((target, index) => outcomes.set(target, answers[index]));
    left = left.filter((target) => {
      const isOpen = outcomes.get(target);
      return isOpen !== isAllowed(component, target, options) && (!isOpen || isNew);
    });
  }
  return { component, ip, options, tried: [...outcomes] };
}

async function main() {
  const found = await runningPods();
  const image = found.find(({ installation, component }) => installation === release && component === 'gateway')?.image;
  if (!image) throw new Error(`no gateway of ${release} runs in ${namespace}`);
  const added = [...jobs, 'stranger', 'stranger'].map((component, index) => ({
    component,
    name: `calls-${release}-${component}-${index}`,
  }));
  const names = added.map(({ name }) => `pod/${name}`);
  const ports = JSON.parse(PARLANCE_TRIAL_PORTS ?? '{}');
  const servers = await listen(Object.values(ports));
  try {
    const manifest = {
      apiVersion: 'v1',
      kind: 'List',
      items: added.map(({ name, component }) => waitingPod(name, component, image)),
    };
    await run('kubectl', ['--namespace', namespace, 'apply', '-f', '-'], { input: JSON.stringify(manifest) });
    await kube('wait', '--for=condition=Ready', `--timeout=${WITHIN_MS / 1000}s`, ...names);

    const pods = await runningPods();
    const isAdded = new Set(added.map(({ name }) => name));
    const callers = await Promise.all(
      pods
        .filter(({ installation }) => installation === release)
        .map(async (pod) => ({
          ...pod,
          isNew: isAdded.has(pod.name),
          container: engines.includes(pod.component) ? await addContainer(pod.name, image) : undefined,
        })),
    );
    const { spec: api } = await read('service', 'kubernetes', '--namespace', 'default');
    const { items: dns } = await read('service', '--namespace', 'kube-system', '-l', 'k8s-app=kube-dns');
    const addresses = { private: PARLANCE_TRIAL_HOST, public: PARLANCE_TRIAL_PUBLIC };
    const targets = [
      ...podTargets(pods, release),
      ['DNS', dns[0].spec.clusterIP, 53],
      ['Kubernetes API', api.clusterIP, 443],
      ...outsideTargets(PARLANCE_TRIAL_PORTS ? addresses : {}, ports),
    ];
    const { items: settings } = await read(
      'configmap',
      '--namespace',
      namespace,
      '-l',
      `app.kubernetes.io/instance=${release}`,
    );
    const privateRemotes = settings.some(({ data }) => data?.PARLANCE_ALLOW_PRIVATE_REMOTES === 'true');
    const outcomes = [];
    for (const pod of callers) outcomes.push(await callAll(pod, targets, { privateRemotes }));
    report(outcomes);
  } finally {
    await kube('delete', '--wait', '--ignore-not-found', ...names);
    for (const server of servers) server?.close();
  }
}

function report(outcomes) {
  const wrong = differences(outcomes);
  const tried = outcomes.flatMap((outcome) => outcome.tried);
  const open = tried.filter(([, isOpen]) => isOpen).length;
  for (const line of wrong) say(line);
  if (!PARLANCE_TRIAL_PUBLIC) say('Calls to public addresses are not tried: PARLANCE_TRIAL_PUBLIC is not set.');
  const from = [...new Set(outcomes.map(({ component }) => component))].join(', ');
  say(`${tried.length} connections tried from ${from}: ${open} work, ${wrong.length} unlike the architecture`);
  process.exitCode = wrong.length > 0 || open === 0 ? 1 : 0;
}

await main();
