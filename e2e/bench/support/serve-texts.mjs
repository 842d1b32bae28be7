// A git server with generated PO files for the benchmarks.
import { execFileSync, spawn } from 'node:child_process';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually } from '../../support/api.mjs';
import { TestRepository } from '../../support/repository.mjs';
import { makeTexts } from './texts.mjs';

/** Serves a repository with `strings` strings per language at `url`; `stop` ends the server and deletes the repository. */
export async function serveTexts(codes, strings) {
  const repository = new TestRepository(makeTexts(codes, strings));
  const port = await freePort();
  const daemon = spawn(
    'git',
    [
      'daemon',
      '--reuseaddr',
      '--export-all',
      '--listen=127.0.0.1',
      `--port=${port}`,
      `--base-path=${repository.folder}`,
    ],
    { stdio: 'ignore' },
  );
  const url = `git://127.0.0.1:${port}/remote.git`;
  await eventually(async () => {
    try {
      return execFileSync('git', ['ls-remote', url], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return '';
    }
  }, Boolean);
  const stop = () => {
    daemon.kill();
    repository.remove();
  };
  return { url, stop };
}
