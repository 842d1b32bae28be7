import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../deploy/engines/ready.mjs';
import { startCollector } from './support/collector.mjs';
import { startSystem } from './support/system.mjs';

/** Starts the product as `npm start` does, in a folder of its own. */
async function start() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-data-'));
  const port = await freePort();
  const collector = await startCollector(join(dataDir, 'spans'));
  const env = {
    PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
    PARLANCE_RATE_LIMIT_ANONYMOUS: '1000000/day',
    PARLANCE_RATE_LIMIT_HOOKS: '1000000/day',
    PARLANCE_RATE_LIMIT_HOOKS_OBJECT: '1000000/day',
    PARLANCE_RATE_LIMIT_EXPORTS: '1000000/day',
    PARLANCE_RATE_LIMIT_EXPORTS_OBJECT: '1000000/day',
    PARLANCE_RATE_LIMIT_GIT: '1000000/day',
    PARLANCE_RATE_LIMIT_GIT_OBJECT: '1000000/day',
    // Tests look at what each hook leaves.
    PARLANCE_HOOK_MERGE_SECONDS: '0',
    // Only requests that ask for it are traced.
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  return {
    url: `http://localhost:${port}`,
    dataDir,
    collector,
    ...(await startSystem({ dataDir, port, env, replicas: process.env.PARLANCE_E2E_REPLICAS })),
  };
}

/**
 * Every worker of jest has a system of its own: tests stop processes, count calls and compare what the whole site holds.
 * @param {{maxWorkers: number}} jest
 */
export default async function setup({ maxWorkers }) {
  const systems = (globalThis.__parlance = []);
  try {
    // One after the other: each builds what is not built yet.
    for (let worker = 0; worker < maxWorkers; worker++) systems.push(await start());
  } catch (error) {
    // Jest does not tear down what was not set up.
    await Promise.all(systems.map(({ stop }) => stop()));
    throw error;
  }
  process.env.PARLANCE_E2E_SYSTEMS = JSON.stringify(systems.map(({ url, dataDir }) => ({ url, dataDir })));
  process.env.PARLANCE_E2E_ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
}
