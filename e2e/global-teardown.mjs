import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { leaksOf } from './support/telemetry/leaks.mjs';

async function end({ stop, collector, dataDir }) {
  const code = await stop();
  collector.close();
  const leaks = leaksOf(dataDir);
  // The engines store their data in volumes, not in the data directory.
  execFileSync(
    process.execPath,
    [join(process.env.PARLANCE_E2E_ROOT ?? '', 'deploy/engines/cli.mjs'), 'remove', dataDir],
    {
      stdio: 'pipe',
    },
  );
  rmSync(dataDir, { recursive: true, force: true });
  return { code, leaks };
}

export default async function teardown() {
  const ends = await Promise.all(globalThis.__parlance.map(end));
  for (const { code, leaks } of ends) {
    if (code !== 0) throw new Error(`npm start exited with ${code} after Ctrl-C`);
    if (leaks.length > 0) throw new Error(`Logs or spans contain secrets:\n${leaks.join('\n')}`);
  }
}
