// A git server with generated PO files for the benchmarks.
import { execFileSync, spawn } from 'node:child_process';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { eventually } from '../../support/api.mjs';
import { TestRepository } from '../../support/repository.mjs';
import { makeTexts } from './texts.mjs';

/**
 * Serves all repositories below a folder.
 * @param {string} folder
 * @param {string} probe path of a repository in it, which shows that the server answers
 * @param {string[]} [options] of `git daemon`
 * @returns the address of the folder, and a function that ends the server
 */
export async function serveFolder(folder, probe, options = []) {
  const port = await freePort();
  const daemon = spawn(
    'git',
    [
      'daemon',
      '--reuseaddr',
      '--export-all',
      ...options,
      '--listen=127.0.0.1',
      `--port=${port}`,
      `--base-path=${folder}`,
    ],
    { stdio: 'ignore' },
  );
  const url = `git://127.0.0.1:${port}`;
  await eventually(async () => {
    try {
      const args = ['ls-remote', `${url}/${probe}`];
      return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return '';
    }
  }, Boolean);
  return { url, stop: () => daemon.kill() };
}

/** Serves a repository with `strings` strings per language at `url`; `stop` ends the server and deletes the repository. */
export async function serveTexts(codes, strings) {
  const repository = new TestRepository(makeTexts(codes, strings));
  const server = await serveFolder(repository.folder, 'remote.git');
  const stop = () => {
    server.stop();
    repository.remove();
  };
  return { url: `${server.url}/remote.git`, stop };
}
