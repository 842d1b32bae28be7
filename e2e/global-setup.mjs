import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../deploy/engines/ready.mjs';
import { startCollector } from './support/telemetry/collector.mjs';
import { startSystem } from './support/system.mjs';

/** Starts the product as `npm start` does, with its own data directory. */
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
    PARLANCE_RATE_LIMIT_PAGES: '1000000/day',
    // Tests observe each hook on its own.
    PARLANCE_HOOK_MERGE_SECONDS: '0',
    // Traces only requests that ask for it.
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
 * Every jest worker has its own system: tests stop processes, count calls and compare site-wide data.
 * @param {{maxWorkers: number}} jest
 */
export default async function setup({ maxWorkers }) {
  const systems = (globalThis.__parlance = []);
  try {
    // Sequential: the first start builds what the others reuse.
    for (let worker = 0; worker < maxWorkers; worker++) systems.push(await start());
  } catch (error) {
    // Jest skips the teardown if the setup fails.
    await Promise.all(systems.map(({ stop }) => stop()));
    throw error;
  }
  process.env.PARLANCE_E2E_SYSTEMS = JSON.stringify(systems.map(({ url, dataDir }) => ({ url, dataDir })));
  process.env.PARLANCE_E2E_ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
}
