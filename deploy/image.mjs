// npm run image [-- PREFIX [PROCESS...]]: builds the images PREFIX/PROCESS:VERSION of the processes. PREFIX is "parlance" by default.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureContainerEngine } from './engines/container-engine.mjs';
import { ensureNodeImage, NODE_IMAGE } from './engines/images.mjs';
import { run, say, step } from './engines/process.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const [prefix = 'parlance', ...chosen] = process.argv.slice(2);
const processes = ['gateway', 'identity', 'catalog', 'translation', 'media', 'statistics', 'hooks', 'vcs-worker'];

/** Megabytes of the layers that an image adds to the base image. */
async function ownSize(image) {
  const size = async (name) => Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', name]));
  return Math.round(((await size(image)) - (await size(NODE_IMAGE))) / 1e6);
}

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
  const settings = ['--build-arg', `NODE_IMAGE=${NODE_IMAGE}`, '--build-arg', `VERSION=${version}`];
  for (const name of chosen.length > 0 ? chosen : processes) {
    const image = `${prefix}/${name}:${version}`;
    const args = ['build', '--network', 'host', ...settings, '--file', join(root, 'deploy/Dockerfile')];
    await step(`Building the image ${image}`, (report) =>
      run('docker', [...args, '--target', name, '--tag', image, root], { onLine: report }),
    );
    say(`  ${await ownSize(image)} MB on top of ${NODE_IMAGE}`);
    process.stdout.write(`${image}\n`);
  }
}

main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
