import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verdict } from './audit-verdict.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Asks the registry for known vulnerabilities of the packages that run in production. High and critical ones are not accepted. */
export function audit() {
  const args = ['audit', '--json', '--omit=dev'];
  return verdict(spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
}
