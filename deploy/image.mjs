// npm run image [-- NAME]: builds the image of the processes (parlance:VERSION by default).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureContainerEngine } from './engines/container-engine.mjs';
import { ensureNodeImage, NODE_IMAGE } from './engines/images.mjs';
import { run, say, step } from './engines/process.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const name = process.argv[2] ?? `parlance:${version}`;

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
  const args = [
    'build',
    '--network',
    'host',
    '--build-arg',
    `NODE_IMAGE=${NODE_IMAGE}`,
    '--file',
    join(root, 'deploy/Dockerfile'),
    '--tag',
    name,
    root,
  ];
  await step(`Building the image ${name}`, (report) => run('docker', args, { onLine: report }));
  process.stdout.write(`${name}\n`);
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
