// npm run image:check [-- PREFIX]: checks the images that `npm run image` built, and builds them a second time without a cache.
//
// Each image must have few megabytes of its own, a health check, labels, a list of its packages, a user without rights, and no program that
// installs packages, downloads files or changes the user; and the layers of both builds must have equal digests.
import { execFileSync } from 'node:child_process';
import { argv } from 'node:process';
import { say } from '../engines/process.mjs';
import { processes } from '../processes.mjs';
import { packagesOf } from '../release/image-packages.mjs';
import { buildImage, imageOf, ownSize, RUNTIME } from './image-builds.mjs';

/** Most megabytes of the layers on top of the runtime image. */
const MOST_MB = { 'vcs-worker': 120 };
const MOST_MB_OTHERS = 60;
const LABELS = ['title', 'description', 'vendor', 'licenses', 'version', 'revision', 'base.name'];

/** Prints the programs that no process needs. */
const FIND_UNNEEDED =
  'for each in npm npx corepack yarn apt apt-get dpkg perl curl wget sudo; do command -v $each || true; done; ' +
  'find / -xdev -type f -perm /6000 2>/dev/null || true';

const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8' });
const inspect = (image) => JSON.parse(docker('image', 'inspect', image))[0];

const layersOf = (image) => inspect(image).RootFS.Layers;

/** What is wrong with an image, as sentences. */
async function problemsOf(name, image, runtime) {
  const { Config: config, RootFS: files } = inspect(image);
  const problems = [];
  const megabytes = await ownSize(image, runtime);
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
  const base = layersOf(runtime);
  if (base.some((layer, i) => files.Layers[i] !== layer)) problems.push(`is not built on ${runtime}`);
  const own = files.Layers.length - base.length;
  say(`${image}: ${megabytes} MB in ${own} layers, ${components.length} packages, ${ofNpm} of them of npm`);
  return problems;
}

/** Builds an image again and compares the layers. */
async function problemsOfRebuild(name, image, prefix, cached) {
  const again = await buildImage(name, `${prefix}-again`, { cached });
  const layers = layersOf(again);
  const first = layersOf(image);
  docker('image', 'rm', '--no-prune', again);
  const differing = first.filter((layer, i) => layer !== layers[i]).length + Math.max(0, layers.length - first.length);
  return differing > 0 ? [`${differing} layers of a second build differ`] : [];
}

async function main(prefix = 'parlance') {
  const problems = [];
  const runtime = imageOf(prefix, RUNTIME);
  for (const [index, name] of [...processes, RUNTIME].entries()) {
    const image = imageOf(prefix, name);
    const found = name === RUNTIME ? [] : await problemsOf(name, image, runtime);
    // All stages are built again for the first image; the others take theirs from it.
    found.push(...(await problemsOfRebuild(name, image, prefix, index > 0)));
    problems.push(...found.map((problem) => `${image}: ${problem}`));
  }
  say(problems.length > 0 ? problems.join('\n') : `${processes.length} images are as they must be, twice`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

await main(argv[2]);
