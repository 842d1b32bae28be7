// Runs `promtool check rules` and `promtool test rules`: node deploy/observability/check-rules.mjs
// PROMTOOL names the program; by default it is on the PATH, or in a container of Prometheus' image.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./prometheus', import.meta.url));
const image = /image: (prom\/prometheus:\S+)/.exec(
  readFileSync(new URL('./compose.yaml', import.meta.url), 'utf8'),
)?.[1];
const own = process.env.PROMTOOL || 'promtool';
const inContainer = [
  'run',
  '--rm',
  '--volume',
  `${folder}:/rules:ro`,
  '--workdir',
  '/rules',
  '--entrypoint',
  'promtool',
];

const isThere = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

function promtool(...args) {
  const [command, ...before] = isThere(own) ? [own] : ['docker', ...inContainer, String(image)];
  const { status, error } = spawnSync(command, [...before, ...args], { cwd: folder, stdio: 'inherit' });
  if (error) process.stderr.write(`promtool was not found. Install Prometheus or docker, or set PROMTOOL.\n`);
  if (status !== 0) process.exit(1);
}

promtool('check', 'config', 'prometheus.yaml');
promtool('check', 'rules', 'rules.yaml');
promtool('test', 'rules', 'rules.test.yaml');
