// npm run image:check [-- PREFIX]: checks the images that `npm run image` built, and builds them a second time without a cache.
//
// Each image must have few megabytes of its own, a health check, labels, a list of its packages, a user without rights, and no program that
// installs packages, downloads files or changes the user; and the layers of both builds must have equal digests.
import { execFileSync } from 'node:child_process';
import { argv } from 'node:process';
import { NODE_IMAGE } from '../engines/images.mjs';
import { say } from '../engines/process.mjs';
import { packagesOf } from '../release/image-packages.mjs';
import { buildImage, ownSize, processes, version } from './image-builds.mjs';

/** Most megabytes of the layers on top of the base image. */
const MOST_MB = { 'vcs-worker': 120 };
const MOST_MB_OTHERS = 60;
const LABELS = ['title', 'description', 'vendor', 'licenses', 'version', 'revision'];

/** Prints the programs that no process needs. */
const FIND_UNNEEDED =
  'for each in npm npx corepack yarn apt apt-get dpkg perl curl wget sudo; do command -v $each || true; done; ' +
  'find / -xdev -type f -perm /6000 2>/dev/null || true';

const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8' });
const inspect = (image) => JSON.parse(docker('image', 'inspect', image))[0];

/** What is wrong with an image, as sentences. */
async function problemsOf(name, image, base) {
  const { Config: config, RootFS: files } = inspect(image);
  const problems = [];
  const megabytes = await ownSize(image);
  const most = MOST_MB[name] ?? MOST_MB_OTHERS;
  if (megabytes > most) problems.push(`has ${megabytes} MB of its own, more than ${most}`);
  if (!config.Healthcheck?.Test?.length) problems.push('has no HEALTHCHECK');
  if (config.User !== '1000:1000') problems.push(`runs as "${config.User}"`);
  for (const label of LABELS)
    if (!config.Labels?.[`org.opencontainers.image.${label}`]) problems.push(`has no label "${label}"`);
  const unneeded = docker('run', '--rm', '--entrypoint', 'sh', image, '-c', FIND_UNNEEDED).split('\n').filter(Boolean);
  if (unneeded.length > 0) problems.push(`has programs that it does not need: ${unneeded.join(', ')}`);
  const { bomFormat, components } = packagesOf(image);
  const ofNpm = components.filter(({ purl }) => purl.startsWith('pkg:npm/')).length;
  const expected = name === 'vcs-worker' ? ['tini', 'git'] : ['tini'];
  const unlisted = expected.filter(
    (each) => !components.some(({ purl }) => purl.startsWith(`pkg:deb/debian/${each}@`)),
  );
  if (bomFormat !== 'CycloneDX' || ofNpm === 0 || unlisted.length > 0) problems.push('has no full list of packages');
  if (base.some((layer, i) => files.Layers[i] !== layer)) problems.push(`is not built on ${NODE_IMAGE}`);
  const own = files.Layers.slice(base.length);
  say(`${image}: ${megabytes} MB in ${own.length} layers, ${components.length} packages, ${ofNpm} of them of npm`);
  return { problems, own };
}

async function main(prefix = 'parlance') {
  const base = inspect(NODE_IMAGE).RootFS.Layers;
  const problems = [];
  let cached = false;
  for (const name of processes) {
    const image = `${prefix}/${name}:${version}`;
    const { problems: found, own } = await problemsOf(name, image, base);
    problems.push(...found.map((problem) => `${image} ${problem}`));
    // All stages are built again for the first image; the others take theirs from it.
    const again = await buildImage(name, `${prefix}-again`, { cached });
    cached = true;
    const layers = inspect(again).RootFS.Layers.slice(base.length);
    const differing = own.filter((layer, i) => layer !== layers[i]).length;
    if (differing > 0 || layers.length !== own.length)
      problems.push(`${image}: ${differing} layers of a second build differ`);
    docker('image', 'rm', '--no-prune', again);
  }
  say(problems.length > 0 ? problems.join('\n') : `${processes.length} images are as they must be, twice`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

await main(argv[2]);
