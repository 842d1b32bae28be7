// Starts a system of its own and compares a few endpoints with ratios.json: node check.mjs [--record]. A stage of npm test.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../deploy/engines/ready.mjs';
import { startSystem } from '../../support/system.mjs';

const dataDir = mkdtempSync(join(tmpdir(), 'parlance-ratios-'));
const port = await freePort();
const unlimited = ['AUTHENTICATED', 'EXPORTS', 'EXPORTS_OBJECT'].map((name) => [`PARLANCE_RATE_LIMIT_${name}`, 'off']);
try {
  const system = await startSystem({ dataDir, port, env: Object.fromEntries(unlimited) });
  try {
    const measured = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('endpoints.mjs', import.meta.url)),
        '--short',
        process.argv.includes('--record') ? '--record' : '--check',
      ],
      {
        stdio: 'inherit',
        env: { ...process.env, PARLANCE_DATA_DIR: dataDir, PARLANCE_URL: `http://localhost:${port}` },
      },
    );
    process.exitCode = await new Promise((resolve) => measured.once('exit', (code) => resolve(code ?? 1)));
  } finally {
    await system.stop();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
