// A process whose engine is missing or rejects its credentials stays alive and unready, says why, and starts as soon as it can.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { databaseUri } from '../../../deploy/engines/engines.mjs';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually } from '../../support/api.mjs';
import { engines, withMongo } from '../../support/installations/engines.mjs';
import { system } from '../../support/system.mjs';

const { dataDir } = system();
const environment = engines('up', dataDir);
const services = ['IDENTITY', 'CATALOG', 'TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'];
const password = 'of a user that exists later';
const WRONG = 'not-the-password';
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** The address with another user or password. */
function withCredentials(address: string, user: string, pass: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = pass;
  return url.href;
}

/** Starts a service on a database and event streams of its own. */
async function start(service: string, changed: Record<string, string>) {
  const [grpc, operations] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(process.env.PARLANCE_E2E_ROOT!, `services/${service}/dist/main.js`)], {
    env: {
      ...process.env,
      ...environment,
      ...Object.fromEntries(services.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      MONGODB_URI: databaseUri(environment['MONGODB_URI'], `parlance_credentials_${service}`),
      NATS_NAMESPACE: 'credentials',
      PARLANCE_SERVICE_SECRET: 'a secret of this test with 32 characters',
      PARLANCE_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      GRPC_LISTEN: `127.0.0.1:${grpc}`,
      OPERATIONS_LISTEN: `127.0.0.1:${operations}`,
      ...changed,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  ended.push(() => {
    child.kill('SIGTERM');
    return exited;
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${operations}${path}`);
  const problems = (): Promise<Record<string, string>> =>
    get('/readyz').then(
      async (response) => ((await response.json()) as { problems?: Record<string, string> }).problems ?? {},
      () => ({ process: 'no answer' }),
    );
  return {
    problems,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    health: async () => (await get('/healthz')).status,
    readiness: async () => (await get('/readyz')).status,
    log: () => log,
  };
}

it.each([
  ['store', 'MongoDB rejects the credentials', 'MONGODB_URI'],
  ['events', 'NATS rejects the credentials', 'NATS_URL'],
  ['objects', 'the S3 store rejects the credentials', 'S3_SECRET_KEY'],
])(
  'a process whose credentials for its %s are wrong stays alive and unready with the reason',
  async (part, reason, variable) => {
    const media = databaseUri(environment['MONGODB_URI'], 'parlance_credentials_media');
    const wrong: Record<string, string> = {
      MONGODB_URI: withCredentials(media, 'parlance', WRONG),
      NATS_URL: withCredentials(environment['NATS_URL']!, 'parlance', WRONG),
      S3_SECRET_KEY: WRONG,
    };
    const process = await start('media', { [variable]: wrong[variable]! });
    // Several attempts are made: other engines are available, and the log repeats no reason.
    const isChecked = (found: Record<string, string>) =>
      found[part] === reason && !Object.values(found).includes('not checked yet');
    expect(await eventually(process.problems, isChecked)).toEqual({
      [part]: reason,
      starting: 'the process is starting',
    });
    expect(process.isAlive()).toBe(true);
    expect(await process.health()).toBe(200);
    expect(process.log().split(`waiting to start: ${reason}`)).toHaveLength(2);
    expect(process.log()).not.toContain(WRONG);
  },
);

it('a process starts when its engine accepts the credentials', async () => {
  const admin = environment['MONGODB_URI']!;
  const late = databaseUri(withCredentials(admin, 'late', password), 'parlance_credentials_statistics');
  const process = await start('statistics', { MONGODB_URI: late });
  await eventually(
    process.problems,
    ({ store }: Record<string, string>) => store === 'MongoDB rejects the credentials',
  );
  await withMongo(admin, (client) =>
    client.db('admin').command({ createUser: 'late', pwd: password, roles: ['root'] }),
  );
  try {
    expect(await eventually(process.problems, (found: object) => Object.keys(found).length === 0)).toEqual({});
    expect(process.log()).toContain('statistics is running');
  } finally {
    await withMongo(admin, (client) => client.db('admin').command({ dropUser: 'late' }));
  }
});

it('a process runs without Redis, and the log says that Redis rejects the credentials', async () => {
  const process = await start('catalog', { REDIS_URL: withCredentials(environment['REDIS_URL']!, '', WRONG) });
  const optional = { redis: 'Redis is unavailable' };
  expect(await eventually(process.problems, (found: object) => Object.keys(found).join() === 'redis')).toEqual(
    optional,
  );
  expect(await process.readiness()).toBe(200);
  await eventually(
    async () => process.log(),
    (log: string) => log.includes('WRONGPASS'),
  );
  expect(process.log()).not.toContain(WRONG);
  expect(process.isAlive()).toBe(true);
});
