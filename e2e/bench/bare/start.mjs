// Runs the baseline servers in processes of their own, on the store of the data directory.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { databaseUri, provideEngines } from '../../../deploy/engines/engines.mjs';
import { nodeFlags } from '../../../deploy/local/node-flags.mjs';
import { makeApi } from '../../support/api.mjs';
import { exchange } from '../support/exchange.mjs';
import { dataDir } from '../support/setup.mjs';

/** Starts a process with Parlance's flags of node. Resolves when it has printed its port. */
async function run(script, argument) {
  const child = spawn(process.execPath, [...nodeFlags, fileURLToPath(new URL(script, import.meta.url)), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    const port = await Promise.race([
      new Promise((resolve) => child.stdout.once('data', (line) => resolve(Number(line)))),
      ended.then((code) => Promise.reject(new Error(`${script} exited with ${code}`))),
    ]);
    return { port, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function uriOf(database) {
  const { environment } = await provideEngines(dataDir);
  return databaseUri(environment.MONGODB_URI, database);
}

/** A client of a front, which has stored the units. */
async function filled({ port }, units) {
  const api = makeApi(`http://127.0.0.1:${port}`, undefined, exchange);
  for (let at = 0; at < units.length; at += 50)
    await api.post(
      '/units',
      units.slice(at, at + 50).map((unit) => ({ ...unit, _id: unit.id })),
    );
  return api;
}

/**
 * Starts the direct server, which sends its statements itself, and fills it.
 * @param units units as returned by the API
 * @returns a client, the process ids by role, and `stop`
 */
export async function startBare(units) {
  const server = await run('direct.mjs', await uriOf('parlance_bench_bare'));
  try {
    return { api: await filled(server, units), pids: { bare: server.pid }, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The same for the server behind a hop: a front that calls a service, which sends the statements. */
export async function startHop(units) {
  const service = await run('service.mjs', await uriOf('parlance_bench_hop'));
  /** @type {Awaited<ReturnType<typeof run>> | undefined} */
  let front;
  const stop = async () => {
    await front?.stop();
    await service.stop();
  };
  try {
    front = await run('hop.mjs', `127.0.0.1:${service.port}`);
    return { api: await filled(front, units), pids: { front: front.pid, service: service.pid }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
