// npm run chaos -- --minutes N --seed S: starts its own system, injects faults and verifies every acknowledged write.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeEngines } from '../../deploy/engines/engines.mjs';
import { freePort } from '../../deploy/engines/ready.mjs';
import { makeApi } from '../support/api.mjs';
import { startSystem } from '../support/system.mjs';
import { FAULTS } from './faults.mjs';
import { runChaos } from './run.mjs';
import { holds, print } from './verdict.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    // Stops after this number of faults.
    faults: { type: 'string', default: 'Infinity' },
    // Comma-separated substrings of fault kinds, such as "mongo,kill gateway"; all kinds by default.
    only: { type: 'string', default: '' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const wanted = values.only.split(',').filter(Boolean);
const faults = FAULTS.filter(({ kind }) => wanted.length === 0 || wanted.some((part) => kind.includes(part)));
if (!(minutes > 0) || !(Number(values.faults) > 0) || !Number.isInteger(seed) || faults.length === 0) {
  process.stderr.write('Usage: npm run chaos -- [--minutes N] [--seed S] [--faults N] [--only KIND,KIND]\n');
  process.exit(2);
}

const dataDir = mkdtempSync(join(tmpdir(), 'parlance-chaos-'));
const port = await freePort();
process.stdout.write(`seed ${seed}, ${minutes} minutes, data in ${dataDir}\n`);
const system = await startSystem({
  dataDir,
  port,
  env: { PARLANCE_RATE_LIMIT_AUTHENTICATED: 'off', PARLANCE_RATE_LIMIT_ANONYMOUS: 'off' },
});
try {
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  const result = await runChaos(
    {
      api: makeApi(`http://localhost:${port}`, token),
      running: () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')),
    },
    {
      ms: minutes * 60_000,
      seed,
      faults,
      count: Number(values.faults),
      report: (line) => process.stdout.write(`${line}\n`),
    },
  );
  process.stdout.write(`\n${print(result)}\n`);
  process.exitCode = holds(result) ? 0 : 1;
} finally {
  await system.stop();
  await removeEngines(dataDir);
}
