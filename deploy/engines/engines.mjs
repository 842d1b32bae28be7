// MongoDB, NATS, Redis and an object store: addresses that the environment gives are used; what it does not give runs in
// containers that belong to one data directory.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join, resolve } from 'node:path';
import { ensureContainerEngine } from './container-engine.mjs';
import { ensureImages, images } from './images.mjs';
import { attempt, CommandError, run, say } from './process.mjs';
import { answers, canListen, freePort, reachable } from './ready.mjs';

/** Name that clients of the engines authenticate as. */
const USER = 'parlance';

/**
 * One row for every engine. variable: where its address is given; port, volume: inside the container; args: what the image
 * is started with; secrets: its environment; file: a file that is put into the container before its start (docker inspect shows the
 * environment, to those who may use the container engine; nothing shows the file); address: of a port on this machine.
 *
 * Every engine asks for the credentials of the data directory, which are in engines.json and on no command line.
 */
const engines = {
  mongo: {
    title: 'MongoDB',
    variable: 'MONGODB_URI',
    port: 27017,
    volume: '/data/db',
    args: [],
    secrets: (state) => ({
      MONGO_INITDB_ROOT_USERNAME: USER,
      MONGO_INITDB_ROOT_PASSWORD: state.passwords.mongo,
    }),
    // MongoDB itself acknowledges before its journal is on disk unless it is asked not to.
    address: (host, port, { passwords }) => ({
      MONGODB_URI: `mongodb://${USER}:${passwords.mongo}@${host}:${port}/?journal=true&authSource=admin`,
    }),
  },
  nats: {
    title: 'NATS',
    variable: 'NATS_URL',
    port: 4222,
    volume: '/data',
    args: ['-c', '/etc/parlance-nats.conf', '-js', '-sd', '/data'],
    file: ({ passwords }) => ({
      path: 'etc/parlance-nats.conf',
      text: `authorization { user: "${USER}", password: "${passwords.nats}" }\n`,
    }),
    address: (host, port, { passwords }) => ({ NATS_URL: `nats://${USER}:${passwords.nats}@${host}:${port}` }),
  },
  redis: {
    title: 'Redis',
    variable: 'REDIS_URL',
    port: 6379,
    // Only caches and rate limits: nothing to keep.
    args: [
      'valkey-server',
      '/etc/parlance-valkey.conf',
      '--save',
      '',
      '--appendonly',
      'no',
      '--maxmemory',
      '256mb',
      '--maxmemory-policy',
      'volatile-lru',
    ],
    file: ({ passwords }) => ({ path: 'etc/parlance-valkey.conf', text: `requirepass "${passwords.redis}"\n` }),
    address: (host, port, { passwords }) => ({ REDIS_URL: `redis://:${passwords.redis}@${host}:${port}` }),
  },
  minio: {
    title: 'MinIO',
    variable: 'S3_ENDPOINT',
    port: 9000,
    volume: '/data',
    args: ['server', '/data'],
    secrets: (state) => ({
      MINIO_ROOT_USER: state.s3.accessKey,
      MINIO_ROOT_PASSWORD: state.s3.secretKey,
      MINIO_BROWSER: 'off',
    }),
    address: (host, port, state) => ({
      S3_ENDPOINT: `http://${host}:${port}`,
      S3_ACCESS_KEY: state.s3.accessKey,
      S3_SECRET_KEY: state.s3.secretKey,
    }),
  },
};

const stateFile = (dataDir) => join(dataDir, 'engines.json');

/**
 * {instance: names the containers and volumes; ports; s3: the object store's key; passwords: of the other engines; made: which image wrote
 * which data; mongoUser: the official image's data has the user}. Directories of versions without passwords get them here.
 */
function readState(dataDir) {
  try {
    const state = JSON.parse(readFileSync(stateFile(dataDir), 'utf8'));
    return { ...state, passwords: { ...newPasswords(), ...state.passwords } };
  } catch (error) {
    if (error.code !== 'ENOENT') throw new Error(`${stateFile(dataDir)} cannot be read: ${error.message}`);
    return undefined;
  }
}

function writeState(dataDir, state) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(`${stateFile(dataDir)}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${stateFile(dataDir)}.new`, stateFile(dataDir));
}

/** Letters and digits only: they stand in addresses and configuration files as they are. */
const newPasswords = () =>
  Object.fromEntries(['mongo', 'nats', 'redis'].map((name) => [name, randomBytes(24).toString('hex')]));

const newState = () => ({
  instance: randomBytes(4).toString('hex'),
  ports: {},
  s3: { accessKey: 'parlance', secretKey: randomBytes(24).toString('base64url') },
  passwords: newPasswords(),
  made: {},
});

const containerOf = (state, name) => `parlance-${state.instance}-${name}`;

/** Checks an address from the environment; throws an Error that names the variable where nothing answers there. */
async function checkGiven(variable, value) {
  let url;
  try {
    url = new URL(value);
  } catch {
    throw new Error(`${variable} is not an address.`);
  }
  if (url.protocol === 'mongodb+srv:') return;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const fallback = {
    'mongodb:': 27017,
    'nats:': 4222,
    'tls:': 4222,
    'redis:': 6379,
    'rediss:': 6379,
    'http:': 80,
    'https:': 443,
  }[url.protocol];
  const port = Number(url.port) || fallback;
  if (port && !(await reachable(host, port, 10000)))
    throw new Error(`${variable} is set, but nothing answers at ${host}:${port}.`);
}

const isRunning = async (container) =>
  (await attempt('docker', ['inspect', '--format', '{{.State.Running}}', container])) === 'true';

/**
 * Addresses of this machine under which a container's port is published. What goes to the loopback address is copied by a
 * process of the container engine, which costs a tenth of the machine under load; what goes to the machine's own address on the
 * containers' network is forwarded by the kernel. Where there is none (a container engine in a virtual machine) the first is used.
 */
const LOOPBACK = '127.0.0.1';
async function publishedAddresses() {
  const template = '{{range .IPAM.Config}}{{.Gateway}} {{end}}';
  const gateways = await attempt('docker', ['network', 'inspect', 'bridge', '--format', template]);
  const gateway = gateways?.split(' ').find((address) => isIPv4(address));
  // Not by the list of interfaces: before the first container runs, the network's is down and left out there.
  return gateway && (await canListen(0, gateway)) ? [LOOPBACK, gateway] : [LOOPBACK];
}

/**
 * A tar archive with one file. The engine's program may run as any user of the container, so the file is readable there; from outside
 * only root and who may use the container engine reach it.
 */
export function archiveOf({ path, text }) {
  const header = Buffer.alloc(512);
  const size = Buffer.byteLength(text);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12), 100);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([header, Buffer.from(text), Buffer.alloc(1024 + ((512 - (size % 512)) % 512))]);
}

/**
 * The official MongoDB image creates its user in an empty data directory only. In one that was written without authentication the user is
 * created here, as MongoDB lets a client on the same host do while there is none (localhost exception).
 */
async function ensureMongoUser(container, state) {
  if (state.made.mongo !== 'official' || state.mongoUser) return;
  const name = 'process.env.MONGO_INITDB_ROOT_USERNAME';
  const password = 'process.env.MONGO_INITDB_ROOT_PASSWORD';
  const script =
    `try { db.createUser({ user: ${name}, pwd: ${password}, roles: ['root'] }) } ` +
    `catch (error) { db.auth(${name}, ${password}) }`;
  await run('docker', ['exec', container, 'mongosh', '--quiet', 'admin', '--eval', script], { timeout: 60000 });
  state.mongoUser = true;
}

async function startContainer(name, state, dataDir, hosts) {
  const engine = engines[name];
  const container = containerOf(state, name);
  const image = images[name].image;

  // Data that one program wrote is nothing to another of the same protocol.
  const label = await attempt('docker', [
    'image',
    'inspect',
    '--format',
    '{{index .Config.Labels "parlance.recipe"}}',
    image,
  ]);
  const kind = label && label !== '<no value>' ? 'built' : 'official';
  if (engine.volume && (state.made[name] ??= kind) !== kind) {
    throw new Error(
      `The data of ${engine.title} in ${dataDir} was written by the ${state.made[name]} image ${image}, which is now the ${kind} one. ` +
        'Use another PARLANCE_DATA_DIR, or bring that image back.',
    );
  }

  const secrets = engine.secrets?.(state) ?? {};
  const file = engine.file?.(state);
  // A container that runs with other settings, such as one of a version without passwords, is replaced; its data is in the volume.
  const settings = createHash('sha256')
    .update(JSON.stringify([engine.args, secrets, file ?? null]))
    .digest('hex')
    .slice(0, 16);
  if (await isRunning(container)) {
    const port = Number((await attempt('docker', ['port', container, String(engine.port)]))?.split(':').at(-1));
    const [used, current] = [
      await attempt('docker', [
        'inspect',
        '--format',
        '{{.Image}} {{index .Config.Labels "parlance.settings"}}',
        container,
      ]),
      await attempt('docker', ['image', 'inspect', '--format', '{{.Id}}', image]),
    ];
    if (port && used === `${current} ${settings}`) return { port, started: false };
    await run('docker', ['stop', '--time', '30', container]);
  }
  await attempt('docker', ['rm', '--force', container]);

  for (let tries = 1; ; tries++) {
    const port = await freePort(state.ports[name]);
    const args = [
      ...[
        'create',
        '--name',
        container,
        '--restart',
        'on-failure:20',
        ...hosts.flatMap((host) => ['--publish', `${host}:${port}:${engine.port}`]),
      ],
      ...['--label', `parlance.engine=${name}`, '--label', `parlance.data-dir=${dataDir}`, '--log-opt', 'max-size=10m'],
      ...['--label', `parlance.settings=${settings}`],
      ...(engine.volume ? ['--volume', `${container}:${engine.volume}`] : []),
      ...Object.keys(secrets).flatMap((key) => ['--env', key]),
      ...[image, ...engine.args],
    ];
    try {
      await run('docker', args, { env: secrets });
      if (file) await run('docker', ['cp', '-', `${container}:/`], { input: archiveOf(file) });
      await run('docker', ['start', container]);
      state.ports[name] = port;
      return { port, started: true };
    } catch (error) {
      await attempt('docker', ['rm', '--force', container]);
      if (
        !(error instanceof CommandError) ||
        tries === 3 ||
        !/port is already allocated|address already in use/.test(error.output)
      )
        throw error;
      delete state.ports[name];
    }
  }
}

/**
 * Provides the engines for a data directory (made when it is not there).
 *
 * Gives {environment: MONGODB_URI, NATS_URL, REDIS_URL, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY; containers: name of
 * the container by engine, for those started or found running}. MONGODB_URI names a server: `databaseUri` makes the address of a database.
 */
export async function provideEngines(directory) {
  const dataDir = resolve(directory);
  const environment = {};
  const wanted = [];
  for (const [name, { variable }] of Object.entries(engines)) {
    if (!process.env[variable]) {
      wanted.push(name);
      continue;
    }
    await checkGiven(variable, process.env[variable]);
    environment[variable] = process.env[variable];
    if (name !== 'minio') continue;
    for (const key of ['S3_ACCESS_KEY', 'S3_SECRET_KEY']) {
      if (!process.env[key]) throw new Error(`S3_ENDPOINT is set, so ${key} must be set as well.`);
      environment[key] = process.env[key];
    }
  }
  if (wanted.length === 0) return { environment, containers: {} };

  await ensureContainerEngine();
  await ensureImages(wanted);
  const state = readState(dataDir) ?? newState();
  // Kept before an engine starts with them: a start that is cut short must not lose the passwords.
  writeState(dataDir, state);
  const hosts = await publishedAddresses();
  const containers = {};
  await Promise.all(
    wanted.map(async (name) => {
      const { port } = await startContainer(name, state, dataDir, hosts);
      const container = containerOf(state, name);
      containers[name] = container;
      if (!(await answers(name, port, 90000))) {
        const log = await run('sh', ['-c', `docker logs --tail 15 ${container} 2>&1`]).catch(() => '');
        throw new Error(`${engines[name].title} does not answer (container ${container}). The end of its log:\n${log}`);
      }
      if (name === 'mongo') await ensureMongoUser(container, state);
      const direct = hosts.at(-1);
      const host = direct !== LOOPBACK && (await reachable(direct, port, 500)) ? direct : LOOPBACK;
      Object.assign(environment, engines[name].address(host, port, state));
    }),
  ).finally(() => writeState(dataDir, state));
  return { environment, containers };
}

/** The address of one database of the server that MONGODB_URI names, with its credentials and options. */
export function databaseUri(uri, database) {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]*)[^?]*(\?.*)?$/.exec(uri);
  if (!parts) throw new Error('MONGODB_URI must start with mongodb:// or mongodb+srv://.');
  const [, server, query = ''] = parts;
  return `${server}/${database}${query}`;
}

/** Stops the containers that provideEngines gave (all of the data directory where none are given); their data stays. */
export async function stopEngines(directory, containers) {
  const state = readState(resolve(directory));
  const names = containers
    ? Object.values(containers)
    : state
      ? Object.keys(engines).map((name) => containerOf(state, name))
      : [];
  await Promise.all(
    names.map(async (container) => {
      if (await isRunning(container)) await run('docker', ['stop', '--time', '30', container]);
      await attempt('docker', ['rm', container]);
    }),
  );
}

/** Removes the containers and the volumes that hold their data. */
export async function removeEngines(directory) {
  const state = readState(resolve(directory));
  if (!state) return;
  for (const name of Object.keys(engines)) {
    await attempt('docker', ['rm', '--force', '--volumes', containerOf(state, name)]);
    await attempt('docker', ['volume', 'rm', containerOf(state, name)]);
  }
  writeState(resolve(directory), { ...newState() });
  say(`The engines of ${resolve(directory)} and their data are removed.`);
}
