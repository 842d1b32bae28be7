// npm run parlance: the operator's command, for the system that npm start runs or for the one that the environment names.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { holderOf } from '../engines/lock.mjs';
import { say } from '../engines/process.mjs';
import { DataDir } from './data-dir.mjs';

const cli = fileURLToPath(new URL('../../services/identity/dist/cli.js', import.meta.url));
const args = process.argv.slice(2);
const wantsHelp = args.length === 0 || args.some((arg) => arg === '--help' || arg === '-h' || arg === 'help');

function fail(text) {
  say(text);
  process.exit(1);
}

function environment() {
  if (process.env.IDENTITY_ADDRESS && process.env.PARLANCE_SERVICE_SECRET) return process.env;
  if (args[0] === 'events' && process.env.NATS_URL) return process.env;
  const dataDir = new DataDir();
  if (!holderOf(dataDir.lock) || !dataDir.read('run.json')) {
    if (wantsHelp) return process.env;
    fail(
      `Parlance does not run on ${dataDir.shown}: start it with "npm start", or set IDENTITY_ADDRESS and PARLANCE_SERVICE_SECRET (NATS_URL for "events").`,
    );
  }
  const { grpc, operations, natsUrl } = JSON.parse(dataDir.read('run.json'));
  const allOf = (addresses, kind) =>
    Object.keys(addresses)
      .filter((name) => name.replace(/-\d+$/, '') === kind)
      .map((name) => addresses[name])
      .join(',');
  return {
    ...process.env,
    IDENTITY_ADDRESS: allOf(grpc, 'identity'),
    CATALOG_ADDRESS: allOf(grpc, 'catalog'),
    TRANSLATION_ADDRESS: allOf(grpc, 'translation'),
    VCS_WORKER_ADDRESS: allOf(grpc, 'vcs-worker'),
    MEDIA_ADDRESS: allOf(grpc, 'media'),
    STATISTICS_ADDRESS: allOf(grpc, 'statistics'),
    HOOKS_ADDRESS: allOf(grpc, 'hooks'),
    GATEWAY_OPERATIONS_ADDRESS: allOf(operations, 'gateway'),
    PARLANCE_SERVICE_SECRET: dataDir.secrets().service,
    NATS_URL: process.env.NATS_URL || natsUrl,
  };
}

if (!existsSync(cli))
  fail('The operator\'s command is not built yet: run "npm ci" and "npm run build", or "npm start".');
const { status, error } = spawnSync(process.execPath, [cli, ...args], { stdio: 'inherit', env: environment() });
if (error) fail(error.message);
process.exitCode = status ?? 1;
