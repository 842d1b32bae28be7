import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';
import { stateOf } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, running, system } from '../../support/system.mjs';
import { metricsOf } from '../../support/telemetry/metrics.mjs';

const { api, user, dataDir } = system();
const remote = makeRemote();

/** More than the API accepts for a user; older installations may store them. */
const ENTRIES = 120_000;
/** Maximum resident memory of the restarted process in MB; loading all entries as objects takes several times as much. */
const MOST_MB = 900;

async function residentMb(): Promise<number> {
  const text = await metricsOf(running().operations.translation);
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)![1]) / 1024 / 1024;
}

it(`translation restarts and serves within its memory beside ${ENTRIES} private memory entries`, async () => {
  const { project, path } = await importExample(api, remote);
  await eventually(
    () => api.get(`/api/memory/?project=${project}`),
    (memory: { count: number }) => memory.count > 0,
  );
  const owner = await user('hoarder');
  const { id } = await owner.get('/api/users/hoarder/');
  const { ports, passwords } = stateOf(dataDir);
  const uri = `mongodb://parlance:${passwords.mongo}@127.0.0.1:${ports.mongo}/?journal=true&authSource=admin`;
  const fill = join(process.env['PARLANCE_E2E_ROOT']!, 'e2e/support/installations/fill-memory.mjs');
  execFileSync(process.execPath, [fill, uri, String(id), String(ENTRIES)], { stdio: 'pipe' });

  const killed = running().processes.translation;
  process.kill(killed, 'SIGKILL');
  const restarted = await eventually(
    () => running().processes.translation,
    (pid: number) => pid !== killed,
  );
  const [unit] = await eventually(
    () => api.send('GET', `${path}/units/?q=state:empty`),
    (answer: { status: number }) => answer.status === 200,
  ).then(({ body }: { body: { results: { id: number }[] } }) => body.results);
  const text = `Entry ${ENTRIES - 1}: the quick brown fox jumps over the lazy dog`;
  const query = new URLSearchParams({ source: text, source_language: 'en', target_language: 'cs' });
  // The first search reads all entries; an edit must not wait for it.
  const search = eventually(
    () => owner.send('GET', `/api/memory/?${query}`),
    ({ status }: { status: number }) => status === 200,
  );
  expect((await api.send('PATCH', `/api/units/${unit!.id}/`, { target: ['Text'], state: 20 })).status).toBe(200);
  expect((await search).body.results[0]).toMatchObject({ source: text, similarity: 100 });
  const stranger = await user('stranger');
  expect((await stranger.get(`/api/memory/?${query}`)).count).toBe(0);
  expect(await residentMb()).toBeLessThan(MOST_MB);
  expect(running().processes.translation).toBe(restarted);
}, 600_000);
