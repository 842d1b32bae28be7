import { rmSync } from 'node:fs';

export default async function teardown() {
  const code = await globalThis.__parlance.stop();
  if (code !== 0) throw new Error(`npm start ended with ${code} after Ctrl-C`);
  rmSync(globalThis.__parlance.dataDir, { recursive: true, force: true });
}
