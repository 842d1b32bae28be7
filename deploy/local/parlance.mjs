// The operator's command line: `npm run --silent parlance -- user create ...`. Finds the running system by the environment
// (IDENTITY_ADDRESS and PARLANCE_SERVICE_SECRET) or by what `npm start` left in its data folder.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const needed = ['IDENTITY_ADDRESS', 'PARLANCE_SERVICE_SECRET'];
const cli = join(root, 'services', 'identity', 'dist', 'cli.js');

/** What the environment lacks, read from run.json: an object whose `environment` has the settings as strings. */
function fromRunFile(missing) {
  const file = join(resolve(root, process.env.PARLANCE_DATA_DIR || '.data'), 'run.json');
  if (!existsSync(file)) return {};
  const { environment = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(missing.filter((name) => environment[name]).map((name) => [name, environment[name]]));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const asksForHelp = process.argv.slice(2).some((argument) => ['--help', '-h', 'help'].includes(argument));
if (!existsSync(cli)) fail('Parlance is not built yet: run `npm start` or `npm run build` first.');
const missing = needed.filter((name) => !process.env[name]);
const found = fromRunFile(missing);
if (!asksForHelp && missing.some((name) => !found[name])) {
  fail('Parlance is not running here: run `npm start`, or set IDENTITY_ADDRESS and PARLANCE_SERVICE_SECRET.');
}
const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ...found },
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
