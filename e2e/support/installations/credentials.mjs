// Credentials of processes in the engines of a data directory: added and dropped while the engines run, as
// docs/runbooks/rotate-credentials.md describes it.
import { execFileSync } from 'node:child_process';
import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { converse, stateOf } from './engines.mjs';

const MONGO_ROLES = [
  { role: 'clusterAdmin', db: 'admin' },
  { role: 'readWriteAnyDatabase', db: 'admin' },
];
const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const containerOf = (dataDir, engine) => `parlance-${stateOf(dataDir).instance}-${engine}`;

/** An address with other credentials. */
function withCredentials(address, user, secret) {
  const [, scheme, rest] = /^(\w+:\/\/)[^@]*@(.*)$/.exec(address) ?? [];
  return `${scheme}${user}:${secret}@${rest}`;
}

async function onMongo(uri, command) {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** Sends commands to Redis after an authentication. @throws if one fails */
async function onRedis(url, ...commands) {
  const { port, username, password: secret } = new URL(url);
  const lines = [`AUTH ${username ? `${username} ` : ''}${secret}`, ...commands, 'PING'].join('\r\n');
  const said = await converse(Number(port), `${lines}\r\n`, /PONG|-\w+/);
  if (!said.includes('+PONG')) throw new Error(`Redis: ${said}`);
}

/** Writes the users of NATS into its configuration and reloads it. */
function setNatsUsers(dataDir, users) {
  const container = containerOf(dataDir, 'nats');
  const list = users.map(([user, secret]) => `{ user: "${user}", password: "${secret}" }`).join(', ');
  const text = `authorization { users: [ ${list} ] }\n`;
  execFileSync('docker', ['exec', '-i', container, 'sh', '-c', 'cat > /etc/parlance-nats.conf'], { input: text });
  docker('kill', '--signal', 'HUP', container);
}

/** Signs a request to MinIO's administration (AWS signature 4). */
function signed({ S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY }, method, path, query, body) {
  const { host } = new URL(S3_ENDPOINT);
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const digest = (text) => createHash('sha256').update(text).digest('hex');
  const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
  const headers = { host, 'x-amz-content-sha256': digest(body), 'x-amz-date': time };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const search = new URLSearchParams([...Object.entries(query)].sort()).toString();
  const canonical = [method, path, search, lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const first = Buffer.from(`AWS4${S3_SECRET_KEY}`);
  const key = scope.split('/').reduce((secret, part) => hmac(secret, part), first);
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest(canonical)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${S3_ACCESS_KEY}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const content = body.length > 0 ? { body } : {};
  return new Request(`${S3_ENDPOINT}${path}?${search}`, { method, headers: { ...headers, authorization }, ...content });
}

/** Encrypts the body of a request to MinIO's administration: PBKDF2, and AES-GCM as github.com/secure-io/sio-go does a last fragment. */
function sealed(secret, text) {
  const [salt, nonce] = [randomBytes(32), randomBytes(8)];
  const key = pbkdf2Sync(secret, salt, 8192, 32, 'sha256');
  const seal = (sequence, data, about) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32LE(sequence);
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, counter])).setAAD(about);
    return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
  };
  const tag = seal(0, Buffer.alloc(0), Buffer.alloc(0));
  return Buffer.concat([salt, Buffer.from([2]), nonce, seal(1, text, Buffer.concat([Buffer.from([0x80]), tag]))]);
}

async function onMinio(engines, method, path, query, body = Buffer.alloc(0)) {
  const response = await fetch(signed(engines, method, `/minio/admin/v3/${path}`, query, body));
  if (!response.ok) throw new Error(`MinIO ${path}: ${response.status} ${await response.text()}`);
}

export class EngineCredentials {
  /** Secrets by name. */
  #secrets = new Map();

  /**
   * @param {string} dataDir
   * @param {Record<string, string>} engines addresses with the credentials of an administrator
   */
  constructor(dataDir, engines) {
    this.dataDir = dataDir;
    this.engines = engines;
  }

  /** Creates credentials in every engine. @returns the environment that uses them */
  async add(name) {
    const { dataDir, engines } = this;
    const secret = randomBytes(24).toString('base64url');
    this.#secrets.set(name, secret);
    await onMongo(engines.MONGODB_URI, { createUser: name, pwd: secret, roles: MONGO_ROLES });
    await onRedis(engines.REDIS_URL, `ACL SETUSER ${name} on >${secret} ~* &* +@all`);
    setNatsUsers(dataDir, [...this.#secrets]);
    const user = sealed(engines.S3_SECRET_KEY, JSON.stringify({ secretKey: secret, status: 'enabled' }));
    await onMinio(engines, 'PUT', 'add-user', { accessKey: name }, user);
    const policy = { policyName: 'readwrite', userOrGroup: name, isGroup: 'false' };
    await onMinio(engines, 'PUT', 'set-user-or-group-policy', policy);
    return {
      ...engines,
      MONGODB_URI: withCredentials(engines.MONGODB_URI, name, secret),
      REDIS_URL: withCredentials(engines.REDIS_URL, name, secret),
      NATS_URL: withCredentials(engines.NATS_URL, name, secret),
      S3_ACCESS_KEY: name,
      S3_SECRET_KEY: secret,
    };
  }

  /** Drops credentials in every engine; Redis and NATS also end their connections. */
  async drop(name) {
    const { dataDir, engines } = this;
    this.#secrets.delete(name);
    await onMongo(engines.MONGODB_URI, { dropUser: name });
    await onRedis(engines.REDIS_URL, `ACL DELUSER ${name}`);
    setNatsUsers(dataDir, [...this.#secrets]);
    await onMinio(engines, 'DELETE', 'remove-user', { accessKey: name });
  }
}

/** Whether each engine accepts the credentials of an environment. */
export async function accepts(environment) {
  const works = (attempt) =>
    attempt.then(
      () => true,
      () => false,
    );
  const nats = new URL(environment.NATS_URL);
  const login = { verbose: false, user: nats.username, pass: nats.password };
  const said = await converse(Number(nats.port), `CONNECT ${JSON.stringify(login)}\r\nPING\r\n`, /-ERR|PONG/);
  return {
    mongo: await works(onMongo(environment.MONGODB_URI, { listDatabases: 1 })),
    redis: await works(onRedis(environment.REDIS_URL)),
    nats: said.includes('PONG'),
    s3: (await fetch(signed(environment, 'GET', '/', {}, Buffer.alloc(0)))).ok,
  };
}
