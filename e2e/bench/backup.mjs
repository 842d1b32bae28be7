// npm run bench:backup: time and size of a backup and its restore, and the read-only time. Starts its own two systems.
// Options: --strings 100000, --languages 4, --encrypted
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../deploy/engines/ready.mjs';
import { makeApi } from '../support/api.mjs';
import { removeEngines } from '../support/installations/engines.mjs';
import { parlanceOn, startSystem } from '../support/system.mjs';
import { importComponent } from './support/setup.mjs';
import { serveTexts } from './support/serve-texts.mjs';

const { values } = parseArgs({
  options: {
    strings: { type: 'string', default: '100000' },
    languages: { type: 'string', default: '4' },
    encrypted: { type: 'boolean', default: false },
  },
});
const strings = Number(values.strings);
/** The backup waits for the events of the import, which take minutes for some 100 000 strings. */
const WAIT_SECONDS = '3600';
const codes = ['cs', 'de', 'fr', 'it', 'es', 'pl', 'pt', 'sv', 'fi'].slice(0, Number(values.languages) - 1);
process.env.PARLANCE_E2E_ROOT ??= join(import.meta.dirname, '../..');
const env = { PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour' };

const folder = mkdtempSync(join(tmpdir(), 'parlance-bench-backup-'));
const dirs = ['source', 'target'].map((name) => mkdtempSync(join(tmpdir(), `parlance-bench-${name}-`)));
const passphrase = join(folder, 'passphrase');
writeFileSync(passphrase, 'a passphrase of the benchmark\n');
const secret = values.encrypted ? ['--passphrase-file', passphrase] : [];

const timed = (name, work) => {
  const startedAt = performance.now();
  const result = work();
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
};

const start = async (dataDir) => {
  const port = await freePort();
  return { port, ...(await startSystem({ dataDir, port, env })) };
};

/** Bytes of the files below a folder. */
const sizeOf = (path) =>
  readdirSync(path, { recursive: true })
    .map((name) => statSync(join(path, String(name))))
    .filter((entry) => entry.isFile())
    .reduce((sum, { size }) => sum + size, 0);

const running = [];
const texts = await serveTexts(codes, Math.round(strings / (codes.length + 1)));
try {
  const [sourceDir, targetDir] = /** @type {[string, string]} */ (dirs);
  const source = await start(sourceDir);
  running.push(source);
  const api = makeApi(`http://localhost:${source.port}`, readFileSync(join(sourceDir, 'admin-token'), 'utf8').trim());
  const importedAt = performance.now();
  await importComponent(api, 'bench', texts.url, strings);
  console.log(`import of ${strings} strings: ${((performance.now() - importedAt) / 1000).toFixed(1)} s`);
  const { count } = await api.get('/api/units/?page_size=1');
  const backup = join(folder, 'backup');
  const made = timed('create', () =>
    JSON.parse(parlanceOn(sourceDir, 'backup', 'create', backup, '--json', '--wait', WAIT_SECONDS, ...secret)),
  );
  console.log(`read-only: ${made.read_only_seconds.toFixed(1)} s`);
  console.log(`size: ${(sizeOf(backup) / 1024 / 1024).toFixed(1)} MiB, ${made.documents} documents`);
  timed('verify', () => parlanceOn(sourceDir, 'backup', 'verify', backup, ...secret));
  await running.pop()?.stop();
  copyFileSync(join(sourceDir, 'secrets.json'), join(targetDir, 'secrets.json'));
  const target = await start(targetDir);
  running.push(target);
  timed('restore, with its check', () => parlanceOn(targetDir, 'backup', 'restore', backup, ...secret));
  await running.pop()?.stop();
  const again = await start(targetDir);
  running.push(again);
  const restored = makeApi(`http://localhost:${again.port}`, api.token);
  const found = (await restored.get('/api/units/?page_size=1')).count;
  if (found !== count) throw new Error(`${found} strings of ${count} were restored`);
} finally {
  for (const system of running) await system.stop();
  texts.stop();
  for (const dir of dirs) if (existsSync(join(dir, 'engines.json'))) removeEngines(dir);
  for (const dir of [folder, ...dirs]) rmSync(dir, { recursive: true, force: true });
}
