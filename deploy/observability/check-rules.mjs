// Runs `promtool check` and `promtool test rules`: node deploy/observability/check-rules.mjs
// PROMTOOL names the program. By default it is on the PATH, in a container of Prometheus' image, or from Debian's package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
const folder = fileURLToPath(new URL('./prometheus', import.meta.url));
const image = /image: (prom\/prometheus:\S+)/.exec(
  readFileSync(new URL('./compose.yaml', import.meta.url), 'utf8'),
)?.[1];
const own = process.env.PROMTOOL || 'promtool';
const inContainer = ['docker', 'run', '--rm', '--volume', `${folder}:/rules:ro`, '--workdir', '/rules'];

const succeeds = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: 'ignore', ...options }).status === 0;

/** The program of Debian's package, without installing the package, which would start a server. */
function unpacked() {
  const target = join(cache, 'promtool');
  const program = join(target, 'usr/bin/promtool');
  if (existsSync(program)) return program;
  mkdirSync(target, { recursive: true });
  succeeds('apt-get', ['update', '-q']);
  if (!succeeds('apt-get', ['download', 'prometheus'], { cwd: target })) return undefined;
  const archive = readdirSync(target).find((name) => name.endsWith('.deb'));
  return archive && succeeds('dpkg-deb', ['--extract', join(target, archive), target]) ? program : undefined;
}

/** The command line of promtool; undefined if there is none. */
function findPromtool() {
  if (succeeds(own, ['--version'])) return [own];
  if (succeeds('docker', ['pull', '--quiet', String(image)], { timeout: 120_000 }))
    return [...inContainer, '--entrypoint', 'promtool', String(image)];
  const program = unpacked();
  return program && [program];
}

const promtool = findPromtool();
if (!promtool) {
  process.stderr.write('promtool was not found. Install Prometheus or docker, or set PROMTOOL.\n');
  process.exit(1);
}
for (const args of [
  ['check', 'config', 'prometheus.yaml'],
  ['check', 'rules', 'rules.yaml'],
  ['test', 'rules', 'rules.test.yaml'],
]) {
  const [command, ...before] = promtool;
  if (!succeeds(command, [...before, ...args], { cwd: folder, stdio: 'inherit' })) process.exit(1);
}
