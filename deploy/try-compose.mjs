// node deploy/try-compose.mjs: brings the compose file up in a project of its own, runs the main flow against it, scales every process to
// two replicas, compares their shares of the calls, starts a process with a wrong credential, and removes everything.
//
// COMPOSE names the program; default: the plugin of docker, else docker-compose. PARLANCE_IMAGES: prefix of the images, "parlance" by default;
// build them before, with npm run image. Exits with 1 if something is not as it must be.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callEverything } from '../e2e/bench/support/call-everything.mjs';
import { callsIn, rarelyCalled, shares, unevenShares } from '../e2e/bench/support/shares.mjs';
import { makeApi } from '../e2e/support/api.mjs';
import { writeSecrets } from './container/compose-secrets.mjs';
import { ensureImages, images } from './engines/images.mjs';
import { attempt, CommandError, run, say, step } from './engines/process.mjs';
import { freePort } from './engines/ready.mjs';
import { processes } from './processes.mjs';

const deploy = fileURLToPath(new URL('.', import.meta.url));
/** After this time, every caller has connected to a new replica. */
const KNOWN_MS = 15_000;
const REJECTED = 'Waiting to start: MongoDB rejects the credentials';

const project = `parlance-try-${process.pid}`;
const work = mkdtempSync(join(tmpdir(), 'parlance-compose-'));
const folders = { secrets: join(work, 'secrets'), repositories: join(work, 'repositories') };
const problems = /** @type {string[]} */ ([]);

async function program() {
  if (process.env.COMPOSE) return [process.env.COMPOSE];
  if ((await attempt('docker', ['compose', 'version'])) !== undefined) return ['docker', 'compose'];
  if ((await attempt('docker-compose', ['version'])) !== undefined) return ['docker-compose'];
  throw new Error('docker compose is missing: install it, or name the program in COMPOSE.');
}

/** A function that runs compose with the project's name and settings. */
async function composeOf(port) {
  const [command, ...first] = await program();
  const env = {
    PORT: String(port),
    PARLANCE_SECRETS: folders.secrets,
    PARLANCE_ALLOW_PRIVATE_REMOTES: 'true',
    PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
  };
  const options = ['--project-name', project, '--file', join(deploy, 'compose.yaml')];
  return (...args) => run(command, [...first, ...options, ...args], { env });
}

/** Git repositories of this machine for the containers. */
async function serveRepositories() {
  mkdirSync(folders.repositories);
  const port = await freePort();
  const gateway = await run('docker', [
    'network',
    'inspect',
    '--format',
    '{{(index .IPAM.Config 0).Gateway}}',
    `${project}_default`,
  ]);
  const options = ['--reuseaddr', '--export-all', '--enable=receive-pack', `--port=${port}`];
  const daemon = join(await run('git', ['--exec-path']), 'git-daemon');
  const child = spawn(daemon, [...options, `--base-path=${folders.repositories}`, folders.repositories], {
    stdio: 'ignore',
  });
  return { base: `git://${gateway}:${port}`, stop: () => child.kill() };
}

const containersOf = async (compose, name) => (await compose('ps', '--quiet', name)).split('\n').filter(Boolean);

/** Secrets are in no variable and in no command line of any container. */
async function checkSecrets(compose) {
  const values = readdirSync(folders.secrets).map((name) => readFileSync(join(folders.secrets, name), 'utf8').trim());
  const ids = (await compose('ps', '--quiet')).split('\n').filter(Boolean);
  for (const id of ids) {
    const { Name, Config } = JSON.parse(await run('docker', ['inspect', id]))[0];
    const shown = JSON.stringify([Config.Env, Config.Cmd, Config.Entrypoint]);
    if (values.some((value) => shown.includes(value))) problems.push(`${Name} shows a secret in its settings`);
  }
  say(`${ids.length} containers show no secret in their settings`);
}

const METRICS = "fetch('http://127.0.0.1:9090/metrics').then((a) => a.text()).then((t) => process.stdout.write(t))";

/** Calls that each replica has answered, by process. */
async function callsOf(compose) {
  const calls = {};
  for (const name of processes) {
    const ids = await containersOf(compose, name);
    calls[name] = await Promise.all(
      ids.map(async (id) => callsIn(await run('docker', ['exec', id, 'node', '-e', METRICS]))),
    );
  }
  return calls;
}

/** Scales every process to two replicas and compares what they answer. */
async function checkShares(compose, api) {
  const scale = processes.flatMap((name) => ['--scale', `${name}=2`]);
  await step('Scaling every process to two replicas', () =>
    compose('up', '--detach', '--wait', '--no-recreate', ...scale),
  );
  await sleep(KNOWN_MS);
  const before = await callsOf(compose);
  await step('Calling every process', () => callEverything(api));
  const after = await callsOf(compose);
  say(shares(before, after));
  for (const name of processes) {
    if (after[name].length !== 2) problems.push(`${name} has ${after[name].length} replicas`);
    if (after[name].some((count, i) => count <= before[name][i])) problems.push(`a replica of ${name} got no calls`);
  }
  for (const name of unevenShares(before, after)) problems.push(`a replica of ${name} got less than 40 % of the calls`);
  for (const name of rarelyCalled(before, after)) problems.push(`${name} got too few calls to compare its replicas`);
}

/** A process with a wrong credential stays alive, not started, with the reason. */
async function checkWrongCredential(compose) {
  const name = `${project}-wrong`;
  const uri = 'mongodb://parlance:wrong@mongo:27017/parlance_statistics?authSource=admin';
  const settings = ['--env', 'MONGODB_URI_FILE=', '--env', `MONGODB_URI=${uri}`];
  await compose('run', '--detach', '--no-deps', '--name', name, ...settings, 'statistics');
  try {
    let said = '';
    for (let tries = 0; tries < 30 && !said.includes(REJECTED); tries++) {
      await sleep(1000);
      said = await run('docker', ['exec', name, 'parlance-process', 'started']).then(
        () => 'it has started',
        (error) => (error instanceof CommandError ? error.output : String(error)),
      );
    }
    if (!said.includes(REJECTED)) problems.push(`the process with a wrong credential said: ${said}`);
    else say(said.trim());
  } finally {
    await run('docker', ['rm', '--force', '--volumes', name]);
  }
}

async function main() {
  await ensureImages(Object.keys(images));
  writeSecrets(folders.secrets, '');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const compose = await composeOf(port);
  let stopRepositories = () => {};
  try {
    await step('Starting the containers', () => compose('up', '--detach', '--wait'));
    await checkSecrets(compose);
    const token = await compose(
      'exec',
      '-T',
      'identity',
      'parlance',
      'user',
      'create',
      'admin',
      '--superuser',
      '--token',
    );
    const { base, stop } = await serveRepositories();
    stopRepositories = stop;
    const env = { PARLANCE_URL: url, PARLANCE_TOKEN: token, TMPDIR: folders.repositories, PARLANCE_GIT_BASE: base };
    const demo = () => run(process.execPath, [join(deploy, '../e2e/demo.mjs')], { env });
    say(await demo());
    await checkShares(compose, makeApi(url, token));
    await step('Running the main flow with two replicas', demo);
    await checkWrongCredential(compose);
  } catch (error) {
    say(await compose('logs', '--tail', '20').catch(() => ''));
    throw error;
  } finally {
    stopRepositories();
    await step('Removing the containers', () => compose('down', '--volumes', '--remove-orphans'));
    rmSync(work, { recursive: true, force: true });
  }
  say(problems.length > 0 ? problems.join('\n') : 'compose works as described');
  if (problems.length > 0) process.exitCode = 1;
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
