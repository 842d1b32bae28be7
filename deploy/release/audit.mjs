// npm run audit: known vulnerabilities of the packages that run in production. Fails on high and critical ones.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verdict } from './audit-verdict.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
const { text, isAccepted } = verdict(stdout);
process.stdout.write(`${text}\n`);
process.exitCode = isAccepted ? 0 : 1;
