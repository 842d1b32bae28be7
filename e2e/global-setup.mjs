import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startCollector } from './support/collector.mjs';
import { startSystem } from './support/system.mjs';

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts the product as `npm start` does, in a folder of its own, for all end-to-end tests. */
export default async function setup() {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-data-'));
  const port = await freePort();
  const collector = await startCollector(join(dataDir, 'spans'));
  const env = {
    PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
    PARLANCE_RATE_LIMIT_ANONYMOUS: '1000000/day',
    // Only requests that ask for it are traced.
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  globalThis.__parlance = { dataDir, collector, ...(await startSystem({ dataDir, port, env })) };
  process.env.PARLANCE_E2E_URL = `http://localhost:${port}`;
  process.env.PARLANCE_E2E_DATA = dataDir;
  process.env.PARLANCE_E2E_ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
}
