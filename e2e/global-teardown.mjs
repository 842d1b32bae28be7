import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

export default async function teardown() {
  const code = await globalThis.__parlance.stop();
  globalThis.__parlance.collector.close();
  if (code !== 0) throw new Error(`npm start ended with ${code} after Ctrl-C`);
  // The engines' data is not in the folder but in volumes.
  execFileSync(
    process.execPath,
    [join(process.env.PARLANCE_E2E_ROOT, 'deploy/engines/cli.mjs'), 'remove', globalThis.__parlance.dataDir],
    { stdio: 'pipe' },
  );
  rmSync(globalThis.__parlance.dataDir, { recursive: true, force: true });
}
