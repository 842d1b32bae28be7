import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StartedTestContainer } from 'testcontainers';
import { variables } from './engines';

const deploy = join(__dirname, '../../../deploy/engines');

/** deploy/engines/images.mjs and ready.mjs, as used here: the same images and readiness checks as `npm start`. */
interface Images {
  images: Record<'mongo' | 'nats' | 'redis' | 'minio', { image: string }>;
}
interface Ready {
  answers(engine: string, port: number, ms: number): Promise<boolean>;
}

const ownerLabel = 'parlance.testing.process';
let started: StartedTestContainer[] = [];

const docker = (...args: string[]): string =>
  execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 }).trim();

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Removes containers of killed test runs, as Ryuk does where its image is available. */
function sweep(): void {
  const listed = docker(
    'ps',
    '--all',
    '--filter',
    `label=${ownerLabel}`,
    '--format',
    `{{.ID}} {{.Label "${ownerLabel}"}}`,
  );
  for (const line of listed.split('\n').filter(Boolean)) {
    const [id, pid] = line.split(' ');
    if (id && !succeeds(() => process.kill(Number(pid), 0))) succeeds(() => docker('rm', '--force', '--volumes', id));
  }
}

/** Ryuk needs an image of its own. If our images had to be built, no registry can provide it. */
function disableReaperWhereItCannotRun(mongoImage: string): void {
  if (process.env['TESTCONTAINERS_RYUK_DISABLED'] !== undefined) return;
  const label = docker('image', 'inspect', '--format', '{{index .Config.Labels "parlance.recipe"}}', mongoImage);
  if (label !== '' && label !== '<no value>') process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
}

/** Starts the engines without an address in the environment and exports their addresses to the tests. */
export async function startEngines(): Promise<void> {
  const missing = variables.filter((name) => !process.env[name]);
  if (missing.length === 0) return;
  execFileSync(process.execPath, [join(deploy, 'cli.mjs'), 'images'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const { images } = (await import(join(deploy, 'images.mjs'))) as Images;
  const { answers } = (await import(join(deploy, 'ready.mjs'))) as Ready;
  disableReaperWhereItCannotRun(images.mongo.image);
  sweep();
  // Loaded late: the library decides about Ryuk when it is loaded.
  const { GenericContainer } = await import('testcontainers');

  const secretKey = randomBytes(16).toString('hex');
  const start = async (
    engine: keyof Images['images'],
    port: number,
    command: string[],
    environment: Record<string, string>,
    data?: string,
  ) => {
    const container = new GenericContainer(images[engine].image)
      .withEnvironment(environment)
      .withExposedPorts(port)
      .withLabels({ [ownerLabel]: String(process.pid) });
    if (command.length > 0) container.withCommand(command);
    if (data) container.withTmpFs({ [data]: 'rw' });
    const running = await container.start();
    started.push(running);
    const mapped = running.getMappedPort(port);
    if (!(await answers(engine, mapped, 60_000))) throw new Error(`${images[engine].image} does not answer`);
    return mapped;
  };
  const wants = (name: (typeof variables)[number]) => missing.includes(name);
  await Promise.all([
    wants('MONGODB_URI') &&
      start('mongo', 27017, [], { PARLANCE_UNSAFE_FAST: '1' }, '/data/db').then((port) => {
        process.env['MONGODB_URI'] = `mongodb://127.0.0.1:${port}/`;
      }),
    wants('NATS_URL') &&
      start('nats', 4222, ['-js', '-sd', '/data'], {}, '/data').then((port) => {
        process.env['NATS_URL'] = `nats://127.0.0.1:${port}`;
      }),
    wants('REDIS_URL') &&
      start('redis', 6379, ['valkey-server', '--save', ''], {}).then((port) => {
        process.env['REDIS_URL'] = `redis://127.0.0.1:${port}`;
      }),
    wants('S3_ENDPOINT') &&
      start('minio', 9000, ['server', '/data'], { MINIO_ROOT_USER: 'parlance', MINIO_ROOT_PASSWORD: secretKey }).then(
        (port) => {
          process.env['S3_ENDPOINT'] = `http://127.0.0.1:${port}`;
          process.env['S3_ACCESS_KEY'] = 'parlance';
          process.env['S3_SECRET_KEY'] = secretKey;
        },
      ),
  ]);
}

/** Stops the engines of startEngines and removes their data. */
export async function stopEngines(): Promise<void> {
  await Promise.all(started.map((container) => container.stop({ timeout: 0, removeVolumes: true })));
  started = [];
}
