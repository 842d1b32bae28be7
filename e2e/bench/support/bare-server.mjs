// Runs the bare server (bare.mjs) in a process of its own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { databaseUri, provideEngines } from '../../../deploy/engines/engines.mjs';
import { makeApi } from '../../support/api.mjs';
import { exchange } from './exchange.mjs';
import { dataDir } from './setup.mjs';

/**
 * Starts the bare server on the store of the data directory and fills it.
 * @param units units as returned by the API
 */
export async function startBare(units) {
  const { environment } = await provideEngines(dataDir);
  const server = spawn(
    process.execPath,
    [
      '--no-lazy-feedback-allocation',
      fileURLToPath(new URL('bare.mjs', import.meta.url)),
      databaseUri(environment.MONGODB_URI, 'parlance_bench_bare'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill();
    await ended;
  };
  try {
    const port = await Promise.race([
      new Promise((resolve) => server.stdout.once('data', (line) => resolve(Number(line)))),
      ended.then((code) => Promise.reject(new Error(`the bare server exited with ${code}`))),
    ]);
    const api = makeApi(`http://127.0.0.1:${port}`, undefined, exchange);
    for (let at = 0; at < units.length; at += 50)
      await api.post(
        '/units',
        units.slice(at, at + 50).map((unit) => ({ ...unit, _id: unit.id })),
      );
    return { api, stop, pid: server.pid ?? 0 };
  } catch (error) {
    await stop();
    throw error;
  }
}
