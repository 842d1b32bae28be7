// npm run image [-- PREFIX [PROCESS...]]: builds the images PREFIX/PROCESS:VERSION of the processes, and PREFIX/runtime:VERSION that they
// are built on. PREFIX is "parlance" by default.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, ownSize, RUNTIME } from './container/image-builds.mjs';
import { ensureContainerEngine } from './engines/container-engine.mjs';
import { ensureNodeImage } from './engines/images.mjs';
import { run, say } from './engines/process.mjs';
import { processes } from './processes.mjs';

const [prefix = 'parlance', ...chosen] = process.argv.slice(2);

async function main() {
  await ensureContainerEngine();
  const work = mkdtempSync(join(tmpdir(), 'parlance-npm-'));
  try {
    await ensureNodeImage(async () => {
      const [file] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', work, 'npm@11']));
      return { 'npm.tgz': join(work, file.filename) };
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const runtime = await buildImage(RUNTIME, prefix);
  for (const name of chosen.length > 0 ? chosen : processes) {
    const image = await buildImage(name, prefix);
    say(`  ${await ownSize(image, runtime)} MB on top of ${runtime}`);
    process.stdout.write(`${image}\n`);
  }
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
