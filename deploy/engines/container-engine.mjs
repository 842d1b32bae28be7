// Finds the container engine, or installs and starts one on Debian and Ubuntu.
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { canInstallPackages, installPackages } from './packages.mjs';
import { attempt, onPath, run, say, sleep, step } from './process.mjs';

const DAEMON_LOG = '/var/log/parlance-dockerd.log';

const serverVersion = () => attempt('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 20000 });

async function waitUntilRunning(ms) {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(250)) if (await serverVersion()) return true;
  return false;
}

/** Ensures that a container engine responds. Throws an Error with instructions otherwise. */
export async function ensureContainerEngine() {
  if (await serverVersion()) return;
  const elsewhere =
    'Start Docker and try again, or set MONGODB_URI, NATS_URL, REDIS_URL and S3_ENDPOINT (with S3_ACCESS_KEY and S3_SECRET_KEY) to engines of your own.';
  if (process.env.DOCKER_HOST)
    throw new Error(`No container engine answers at DOCKER_HOST=${process.env.DOCKER_HOST}. ${elsewhere}`);
  const complaint = await run('docker', ['version'], { timeout: 20000 }).then(
    () => '',
    (error) => error.output,
  );
  if (/permission denied/i.test(complaint)) {
    throw new Error(
      `This user may not use the container engine: ask an administrator for membership in the group "docker". ${elsewhere}`,
    );
  }
  if (!canInstallPackages())
    throw new Error(`MongoDB, NATS, Redis and MinIO run in containers, and no container engine answers. ${elsewhere}`);

  say('MongoDB, NATS, Redis and MinIO run in containers, and no container engine runs here.');
  if (!(await onPath('dockerd')) || !(await onPath('docker'))) {
    await installPackages(['docker.io', 'iptables'], 'a container engine');
    if (await waitUntilRunning(3000)) return;
  }
  await step('Starting the container engine', async () => {
    if (await attempt('test', ['-d', '/run/systemd/system'])) {
      await attempt('systemctl', ['start', 'docker']);
    } else {
      // The daemon outlives this process and its terminal, because others may use it.
      mkdirSync('/var/log', { recursive: true });
      const log = openSync(DAEMON_LOG, 'a');
      spawn('dockerd', [], { detached: true, stdio: ['ignore', log, log] }).unref();
    }
    if (await waitUntilRunning(60000)) return;
    const tail = await attempt('tail', ['-n', '5', DAEMON_LOG]);
    throw new Error(
      `The container engine did not start within 60 s. ${tail ? `The end of ${DAEMON_LOG}:\n${tail}\n` : ''}${elsewhere}`,
    );
  });
}
