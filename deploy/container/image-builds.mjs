// Builds the image of one process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_IMAGE } from '../engines/images.mjs';
import { attempt, run, step } from '../engines/process.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Target of the Dockerfile that all processes share: Node.js and its system. */
export const RUNTIME = 'runtime';

/** Name of the image of a target. */
export const imageOf = (prefix, target) => `${prefix}/${target}:${version}`;

/** Megabytes of the layers that an image adds to the runtime image, rounded up. */
export async function ownSize(image, runtime) {
  const size = async (name) => Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', name]));
  return Math.ceil(((await size(image)) - (await size(runtime))) / 1e6);
}

/**
 * Builds the image PREFIX/NAME:VERSION of a process or of the runtime. The commit and the base image are labels, in no layer.
 *
 * @returns {Promise<string>} the image
 */
export async function buildImage(name, prefix, { cached = true } = {}) {
  const image = imageOf(prefix, name);
  const revision = (await attempt('git', ['-C', root, 'rev-parse', 'HEAD'])) ?? 'unknown';
  const settings = { NODE_IMAGE, VERSION: version, REVISION: revision };
  const args = Object.entries(settings).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
  if (!cached) args.push('--no-cache');
  await step(`Building the image ${image}`, (report) =>
    run(
      'docker',
      [
        'build',
        '--network',
        'host',
        ...args,
        '--file',
        join(root, 'deploy/Dockerfile'),
        '--target',
        name,
        '--tag',
        image,
        root,
      ],
      { onLine: report },
    ),
  );
  return image;
}
