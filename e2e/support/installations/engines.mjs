// Connects to the engines of a data directory with and without credentials.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { images } from '../../../deploy/engines/images.mjs';

const root = process.env.PARLANCE_E2E_ROOT;
const docker = (...args) =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

export const stateOf = (dataDir) => JSON.parse(readFileSync(join(dataDir, 'engines.json'), 'utf8'));

/** Sends text to a local port. Returns the response received until `enough` matches or the server closes the connection. */
export function converse(port, text, enough) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(10_000, end);
    socket.on('error', reject);
    socket.on('close', end);
    socket.on('connect', () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (enough.test(received)) end();
    });
  });
}

/**
 * Runs `work` with a MongoDB client. Returns its result or the error's message.
 * @param {string} uri
 * @param {(client: import('mongoose').mongo.MongoClient) => Promise<unknown>} work
 */
export async function withMongo(uri, work) {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  try {
    return await work(client);
  } catch (error) {
    return error.message;
  } finally {
    await client.close();
  }
}

/** Responses of each engine to a client without credentials that requests data. */
export async function strangers({ mongo, nats, redis, minio }) {
  const [mongoSaid, natsSaid, redisSaid, minioSaid] = await Promise.all([
    withMongo(`mongodb://127.0.0.1:${mongo}/`, (client) =>
      client.db('parlance_identity').collection('users').findOne({}),
    ),
    converse(nats, 'CONNECT {"verbose":false}\r\nPING\r\n', /-ERR|PONG/),
    converse(redis, 'KEYS *\r\n', /\r\n/),
    fetch(`http://127.0.0.1:${minio}/`).then((response) => response.status),
  ]);
  return { mongo: mongoSaid, nats: natsSaid, redis: redisSaid, minio: minioSaid };
}

/** Whether Redis accepts a password. */
export const redisTakes = async (port, password) =>
  (await converse(port, `AUTH ${password}\r\nPING\r\n`, /PONG|ERR|WRONGPASS/)).includes('+PONG');

/** Whether NATS accepts a user and password. */
export async function natsTakes(port, pass) {
  const options = JSON.stringify({ verbose: false, user: 'parlance', pass });
  return (await converse(port, `CONNECT ${options}\r\nPING\r\n`, /-ERR|PONG/)).includes('PONG');
}

/** A data directory of a version without passwords: containers of three engines without authentication. */
export function makeOldEngines() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-old-engines-'));
  const instance = `old${process.pid}`;
  /** @type {Record<string, number>} */
  const ports = {};
  const run = (name, port, ...args) => {
    const container = `parlance-${instance}-${name}`;
    const volume = name === 'mongo' ? ['--volume', `${container}:/data/db`] : [];
    docker(
      'run',
      '--detach',
      '--name',
      container,
      '--publish',
      `127.0.0.1::${port}`,
      ...volume,
      images[name].image,
      ...args,
    );
    ports[name] = Number(docker('port', container, String(port)).split(':').at(-1));
  };
  run('mongo', 27017);
  run('nats', 4222, '-js', '-sd', '/data');
  run('redis', 6379, 'valkey-server', '--save', '');
  const label = docker(
    'image',
    'inspect',
    '--format',
    '{{index .Config.Labels "parlance.recipe"}}',
    images.mongo.image,
  );
  const kind = label && label !== '<no value>' ? 'built' : 'official';
  const made = { mongo: kind, nats: kind };
  const s3 = { accessKey: 'parlance', secretKey: 'a key of an object store' };
  writeFileSync(join(dataDir, 'engines.json'), JSON.stringify({ instance, ports, s3, made }), { mode: 0o600 });
  return { dataDir, ports };
}

/** Runs the engines command. Returns the variables that it exports. */
export function engines(command, dataDir) {
  const env = { ...process.env };
  for (const name of ['MONGODB_URI', 'NATS_URL', 'REDIS_URL', 'S3_ENDPOINT']) delete env[name];
  const text = execFileSync(process.execPath, [join(root ?? '', 'deploy/engines/cli.mjs'), command, dataDir], {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return Object.fromEntries([...text.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
}

export function removeEngines(dataDir) {
  engines('remove', dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}
