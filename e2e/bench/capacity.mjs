// npm run bench:capacity: bytes in the stores and memory of the processes for each string, by counting. docs/deployment/capacity.md uses it.
// Starts its own system. Options: --strings 20000,60000 (in all languages together), --languages 4
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseUri } from '../../deploy/engines/engines.mjs';
import { freePort } from '../../deploy/engines/ready.mjs';
import { processes } from '../../deploy/local/processes.mjs';
import { eventually, makeApi } from '../support/api.mjs';
import { engines, removeEngines, withMongo } from '../support/installations/engines.mjs';
import { sumOfSamples } from '../support/telemetry/metrics.mjs';
import { startSystem } from '../support/system.mjs';
import { importComponent } from './support/setup.mjs';
import { serveTexts } from './support/serve-texts.mjs';

const { values } = parseArgs({
  options: { strings: { type: 'string', default: '20000,60000' }, languages: { type: 'string', default: '4' } },
});
const steps = values.strings.split(',').map(Number);
const codes = ['cs', 'de', 'fr', 'it', 'es', 'pl', 'pt', 'sv', 'fi'].slice(0, Number(values.languages) - 1);
const root = join(import.meta.dirname, '../..');
process.env.PARLANCE_E2E_ROOT ??= root;
const env = { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour', PARLANCE_SEARCH_INDEX_GRACE_MS: '0' };
const dataDir = mkdtempSync(join(tmpdir(), 'parlance-bench-capacity-'));
const port = await freePort();

const run = () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
const metricsOf = async (name) => (await fetch(`http://${run().operations[name]}/metrics`)).text();

/** Resident memory of each process in MiB, and bytes of the event stream. */
async function memory() {
  const found = {};
  for (const name of Object.keys(run().operations)) {
    const text = await metricsOf(name);
    found[name] = Math.round(sumOfSamples(text, 'process_resident_memory_bytes') / 2 ** 20);
  }
  const stream = sumOfSamples(await metricsOf('translation'), 'parlance_event_stream_bytes');
  return { processes: found, stream };
}

/** Documents, bytes of BSON and of indexes of every collection. */
async function collections(uri) {
  const found = {};
  for (const [name, { database }] of Object.entries(/** @type {Record<string, {database?: string}>} */ (processes))) {
    if (!database) continue;
    await withMongo(databaseUri(uri, database), async (client) => {
      for (const { name: collection } of await client.db().listCollections().toArray()) {
        let documents = 0;
        let bytes = 0;
        for await (const document of client.db().collection(collection).find({}, { raw: true })) {
          documents++;
          bytes += /** @type {Buffer} */ (/** @type {unknown} */ (document)).length;
        }
        const stats = /** @type {{totalIndexSize?: number, storageSize?: number}} */ (
          await client
            .db()
            .command({ collStats: collection })
            .catch(() => ({}))
        );
        found[`${name}.${collection}`] = {
          documents,
          bytes,
          indexes: stats.totalIndexSize ?? 0,
          stored: stats.storageSize ?? 0,
        };
      }
    });
  }
  return found;
}

/** Waits until no event is waiting and the search index is complete. */
async function settled() {
  await eventually(
    async () => {
      const texts = await Promise.all(Object.keys(run().operations).map(metricsOf));
      return texts.reduce((sum, text) => sum + sumOfSamples(text, 'parlance_consumer_lag_events'), 0);
    },
    (lag) => lag === 0,
    600_000,
  );
}

const results = [];
let system;
const remotes = [];
try {
  system = await startSystem({ dataDir, port, env });
  const uri = engines('up', dataDir).MONGODB_URI;
  const api = makeApi(`http://localhost:${port}`, readFileSync(join(dataDir, 'admin-token'), 'utf8').trim());
  const measure = async (strings) => {
    await settled();
    const busy = await memory();
    const stored = await collections(uri);
    await system.stop();
    system = await startSystem({ dataDir, port, env });
    results.push({ strings, busy, idle: await memory(), stored });
  };
  await measure(0);
  let total = 0;
  for (const [i, step] of steps.entries()) {
    const texts = await serveTexts(codes, Math.round((step - total) / (codes.length + 1)));
    remotes.push(texts);
    await importComponent(api, `bench-${i}`, texts.url, step - total);
    total = step;
    await measure(step);
  }
} finally {
  await system?.stop();
  for (const { stop } of remotes) stop();
  if (existsSync(join(dataDir, 'engines.json'))) removeEngines(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
}

const [empty, ...filled] = results;
const last = filled.at(-1);
console.log('\nMemory in MiB: idle after a start, and at the end of the import');
console.log(
  [
    'process',
    ...results.map(({ strings }) => `${strings} idle`),
    ...filled.map(({ strings }) => `${strings} import`),
  ].join(' | '),
);
for (const name of Object.keys(empty.idle.processes))
  console.log(
    [name, ...results.map(({ idle }) => idle.processes[name]), ...filled.map(({ busy }) => busy.processes[name])].join(
      ' | ',
    ),
  );
const before = filled.at(-2) ?? empty;
const added = last.strings - before.strings;
console.log(`\nPer string, between ${before.strings} and ${last.strings}`);
console.log('collection | documents | bytes of BSON | bytes of indexes | bytes on disk');
const sums = { bytes: 0, indexes: 0, stored: 0 };
for (const [name, now] of Object.entries(last.stored)) {
  const then = before.stored[name] ?? { documents: 0, bytes: 0, indexes: 0, stored: 0 };
  const per = (field) => (now[field] - then[field]) / added;
  if (per('bytes') < 0.5) continue;
  for (const field of Object.keys(sums)) sums[field] += per(field);
  console.log(
    [
      name,
      per('documents').toFixed(3),
      per('bytes').toFixed(0),
      per('indexes').toFixed(0),
      per('stored').toFixed(0),
    ].join(' | '),
  );
}
console.log(['total', '', sums.bytes.toFixed(0), sums.indexes.toFixed(0), sums.stored.toFixed(0)].join(' | '));
console.log(`event stream | | ${((last.busy.stream - before.busy.stream) / added).toFixed(0)}`);
