// npm start: the whole product on this machine.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideEngines, stopEngines } from '../engines/engines.mjs';
import { holderOf, isSameProcess, startOf, tryLock } from '../engines/lock.mjs';
import { run, say, sleep } from '../engines/process.mjs';
import { freePort, reservePort } from '../engines/ready.mjs';
import { DataDir } from './data-dir.mjs';
import { prepareObservability, startObservability } from './observability.mjs';
import { build, install } from './prepare.mjs';
import { DRAIN_SECONDS, environments, membersOf, processes, readReplicas } from './processes.mjs';
import { Supervisor } from './supervisor.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const READY_MS = 180000;
const FRONT_PROXY = 'front-proxy';
/** Slightly longer than the drain time of the processes. */
const DRAIN_MS = (Number(process.env.PARLANCE_DRAIN_SECONDS) || DRAIN_SECONDS) * 1000 + 5000;

const dataDir = new DataDir();
let releaseLock;
let supervisor;
let containers;
let stopping;
/** What ends before the services, in order: nothing that is public may outlive what it calls. */
let publicFirst = [];

function readPort() {
  const text = process.env.PORT || '8080';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65535)
    throw new Error(`PORT is ${JSON.stringify(text)}: it must be a whole number from 1 to 65535.`);
  return port;
}

function readOptions() {
  const { values } = parseArgs({
    options: { replicas: { type: 'string', default: '' }, observability: { type: 'boolean', default: false } },
  });
  return { members: membersOf(readReplicas(values.replicas)), observability: values.observability };
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Node.js ${process.versions.node} is too old: 20.19 or newer is needed.`);
}

/** Throws if the public API cannot listen, before minutes of preparation. */
async function checkListen(host, port) {
  await new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      const why =
        { EADDRINUSE: 'is in use by another program', EACCES: 'may not be used by this user' }[error.code ?? ''] ??
        `cannot be used: ${error.message}`;
      reject(new Error(`Port ${port} ${why}. Set PORT to another one.`));
    });
    server.listen({ host, port }, () => server.close(resolve));
  });
}

/** Ends leftover processes of a start that was killed. */
async function clearLeftovers() {
  const { processes: pids = {}, started = {} } = JSON.parse(dataDir.read('run.json') ?? '{}');
  const left = Object.entries(pids).filter(([name, pid]) => isSameProcess(pid, started[name]));
  if (left.length === 0) return;
  say(`Ending what an earlier start left running: ${left.map(([name]) => name).join(', ')}`);
  for (const [, pid] of left) process.kill(pid, 'SIGTERM');
  const end = Date.now() + DRAIN_MS;
  for (const [name, pid] of left) {
    while (isSameProcess(pid, started[name])) {
      if (Date.now() > end) process.kill(pid, 'SIGKILL');
      await sleep(100);
    }
  }
}

async function makeAdministrator(environment) {
  if (dataDir.read('admin-token')) return;
  const command = (...args) =>
    run(process.execPath, [join(root, 'services/identity/dist/cli.js'), ...args], { env: environment, timeout: 60000 });
  // The user may exist: the token file was deleted, or an earlier start ended before writing it.
  const token = await command('user', 'create', 'admin', '--superuser', '--token').catch((error) =>
    command('token', 'create', '--user', 'admin').catch(() => {
      throw error;
    }),
  );
  dataDir.write('admin-token', `${token}\n`);
}

async function start() {
  checkNode();
  const port = readPort();
  const { members, observability } = readOptions();
  const url = `http://localhost:${port}/`;
  dataDir.make();
  const release = tryLock(dataDir.lock, { url });
  if (!release) {
    const holder = holderOf(dataDir.lock);
    throw new Error(
      `Parlance runs already on ${dataDir.shown}${holder ? ` (process ${holder.pid}, ${holder.url})` : ''}. ` +
        'Stop it with Ctrl-C there or with "npm run stop", or set PARLANCE_DATA_DIR and PORT for a second one.',
    );
  }
  releaseLock = release;
  const listen = process.env.GATEWAY_LISTEN || `127.0.0.1:${port}`;
  await clearLeftovers();
  await checkListen(listen.slice(0, listen.lastIndexOf(':')).replace(/^\[|\]$/g, ''), port);

  const outputs = [...Object.values(processes).map(({ entry }) => entry), 'services/identity/dist/cli.js'];
  const [engines] = await Promise.all([provideEngines(dataDir.path), install(root).then(() => build(root, outputs))]);
  containers = engines.containers;
  if (stopping) return;

  const toolState = dataDir.file('observability');
  const tools = observability ? await prepareObservability(toolState) : undefined;
  // The build may have taken longer than a reservation lasts.
  reservePort(port);
  const free = async () => `127.0.0.1:${await freePort()}`;
  const grpc = /** @type {Record<string, string>} */ ({});
  const operations = /** @type {Record<string, string>} */ ({});
  const workDirs = /** @type {Record<string, string>} */ ({});
  for (const [name, { kind, replica }] of Object.entries(members)) {
    if (processes[kind].database) grpc[name] = await free();
    operations[name] = await free();
    if (kind === 'vcs-worker')
      workDirs[name] = dataDir.file(replica === 1 ? 'repositories' : `repositories-${replica}`);
  }
  const gatewayNames = Object.keys(members).filter((name) => members[name].kind === 'gateway');
  const gateways = /** @type {Record<string, string>} */ ({});
  if (gatewayNames.length > 1) for (const name of gatewayNames) gateways[name] = await free();
  const hasFront = gatewayNames.length > 1;
  const env = environments({
    members,
    grpc,
    operations,
    engines: { .../** @type {Record<string, string>} */ (engines.environment), ...tools?.environment },
    secrets: dataDir.secrets(),
    listen,
    gateways: hasFront ? gateways : undefined,
    url,
    workDirs,
  });
  supervisor = new Supervisor(dataDir.file('log'), (pids) => {
    const started = Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, startOf(pid)]));
    const natsUrl = engines.environment.NATS_URL;
    const state = { pid: process.pid, url, processes: pids, started, grpc, operations, containers, workDirs, natsUrl };
    dataDir.write('run.json', `${JSON.stringify(state, null, 2)}\n`);
  });
  for (const [name, { entry }] of Object.entries(members)) supervisor.start(name, join(root, entry), root, env[name]);
  if (hasFront)
    supervisor.start(FRONT_PROXY, join(root, 'deploy/local/front-proxy.mjs'), root, {
      ...process.env,
      FRONT_LISTEN: listen,
      FRONT_GATEWAYS: Object.values(gateways).join(','),
    });
  const addresses = tools ? startObservability(tools, toolState, { supervisor, members, operations }) : [];
  publicFirst = [...(hasFront ? [[FRONT_PROXY]] : []), gatewayNames];
  await supervisor.ready(operations, READY_MS);
  if (stopping) return;
  await makeAdministrator(env.identity);
  process.stdout.write(
    `Parlance is ready: ${url}\nThe administrator's token is in ${join(dataDir.shown, 'admin-token')}\n${addresses.join('')}`,
  );
}

/** Stops everything that was started. The exit status is 0 if no process had to be killed. */
function stop(status) {
  return (stopping ??= (async () => {
    const killed = supervisor ? await supervisor.stop(publicFirst, DRAIN_MS) : [];
    if (killed.length > 0) say(`Ended by force, since they did not finish: ${killed.join(', ')}`);
    if (releaseLock) await stopEngines(dataDir.path, containers);
    releaseLock?.();
    process.exit(killed.length > 0 ? 1 : status);
  })().catch((error) => {
    say(error.message);
    releaseLock?.();
    process.exit(1);
  }));
}

let askedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // One Ctrl-C may arrive twice, from the terminal and from npm. A later one requests an immediate stop.
    if (askedAt && Date.now() - askedAt > 1500) supervisor?.kill();
    if (askedAt) return;
    askedAt = Date.now();
    say('Stopping; all data stays ...');
    void stop(0);
  });
}

start().catch((error) => {
  if (stopping) return;
  say(error.message);
  void stop(1);
});
