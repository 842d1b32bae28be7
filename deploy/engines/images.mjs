// The images of the engines: present, pulled, or built from packages under the same names.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canInstallPackages, installPackages } from './packages.mjs';
import { withLock } from './lock.mjs';
import { attempt, CommandError, onPath, run, say, step } from './process.mjs';

const RECIPES = fileURLToPath(new URL('./build/', import.meta.url));
export const CACHE =
  process.env.PARLANCE_CACHE_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'parlance');
const BASE = 'debian:forky-slim';
const RECIPE_LABEL = 'parlance.recipe';

/**
 * One row for every engine's image. image: the official name, also given to the one built from packages; recipe: the
 * files in build/ that it is built from, the Dockerfile first; program: what is built from Go modules for it.
 */
export const images = {
  mongo: {
    image: 'mongo:8',
    recipe: ['mongo.Dockerfile', 'mongo-entrypoint.sh', 'mongo-order-indexes.sh', 'mongo-postgresql.conf'],
    program: { name: 'ferretdb', package: 'github.com/FerretDB/FerretDB/v2/cmd/ferretdb', version: 'v2.7.0' },
  },
  nats: { image: 'nats:2.15-alpine', recipe: ['nats.Dockerfile'] },
  redis: { image: 'valkey/valkey:9', recipe: ['redis.Dockerfile'] },
  minio: {
    image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z',
    recipe: ['minio.Dockerfile'],
    // The last revision of the archived upstream. Earlier releases have known vulnerabilities.
    program: { name: 'minio', package: 'github.com/minio/minio', version: 'v0.0.0-20260212201848-7aac2a2c5b7c' },
  },
};

/** Label of a built image. A changed recipe causes a rebuild. */
function recipeOf({ recipe, program }) {
  const hash = createHash('sha256').update(JSON.stringify(program ?? null));
  for (const file of recipe) hash.update(`\0${file}\0`).update(readFileSync(join(RECIPES, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Recipe label of a local image; '' for a pulled one, undefined if there is none. */
const labelOf = (image) =>
  attempt('docker', ['image', 'inspect', '--format', `{{index .Config.Labels "${RECIPE_LABEL}"}}`, image]);

async function isPresent(row) {
  const label = await labelOf(row.image);
  return label !== undefined && (label === '' || label === '<no value>' || label === recipeOf(row));
}

/** Whether the registry rejected only this name. Other failures mean that it is unreachable, so further names are not tried. */
const refusedName = (output) =>
  /manifest unknown|not found: manifest|manifest for .* not found|denied|no matching manifest/i.test(output);

async function pull(names) {
  const missing = [];
  for (const [index, image] of names.entries()) {
    try {
      await step(`Pulling the image ${image}`, (report) =>
        run('docker', ['pull', image], { onLine: report, firstOutput: 15000, timeout: 900000 }),
      );
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      missing.push(image);
      if (refusedName(error.output)) {
        say(`  The registry has no ${image}.`);
        continue;
      }
      say(`  No image registry can be reached: ${error.output.trim().split('\n').at(-1).slice(0, 200)}`);
      return [...missing, ...names.slice(index + 1)];
    }
  }
  return missing;
}

async function buildBase() {
  if (await attempt('docker', ['image', 'inspect', BASE])) return;
  if (!(await onPath('debootstrap')))
    await installPackages(['debootstrap', 'debian-archive-keyring'], 'makes the base image');
  const scripts = '/usr/share/debootstrap/scripts';
  if (!existsSync(join(scripts, 'forky'))) symlinkSync('sid', join(scripts, 'forky'));
  await step(`Building the base image ${BASE} from Debian packages`, async (report) => {
    const work = mkdtempSync(join(tmpdir(), 'parlance-base-'));
    try {
      const root = join(work, 'root');
      await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'forky', root], { onLine: report });
      // As in the official slim image: no documentation and no downloaded packages.
      writeFileSync(
        join(root, 'etc/dpkg/dpkg.cfg.d/slim'),
        ['doc', 'man', 'info', 'locale', 'lintian'].map((name) => `path-exclude /usr/share/${name}/*\n`).join(''),
      );
      writeFileSync(
        join(root, 'etc/apt/apt.conf.d/parlance'),
        'Acquire::Check-Valid-Until "false";\nAPT::Install-Recommends "false";\n',
      );
      // Images trust the certificates of this machine, which an inspecting proxy requires.
      if (existsSync('/etc/ssl/certs/ca-certificates.crt')) {
        copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(root, 'etc/ssl/certs/ca-certificates.crt'));
      }
      await run('sh', [
        '-c',
        `cd '${root}' && rm -rf usr/share/doc/* usr/share/man/* usr/share/info/* usr/share/locale/* var/cache/apt/* var/lib/apt/lists/* &&
         tar --numeric-owner -c . | docker import --change 'CMD ["bash"]' --change 'LABEL ${RECIPE_LABEL}=base' - ${BASE}`,
      ]);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
}

async function hostCompiles() {
  const version = /go(\d+)\.(\d+)/.exec((await attempt('go', ['version'])) ?? '');
  // Go 1.21 and later downloads the toolchain that a module requires.
  return version !== null && Number(version[1]) === 1 && Number(version[2]) >= 21;
}

/**
 * Runs Go: that of this machine, else Debian's in a container.
 * @param {string[]} args
 * @param {{title: string, out?: string, env?: Record<string, string>}} options out: the folder for results, `GOBIN`
 * @returns {Promise<{output: string, hostPath: (path: string) => string}>} hostPath translates paths in the output
 */
export async function runGo(args, { title, out = tmpdir(), env = {} }) {
  if (await hostCompiles()) {
    const options = { env: { ...env, GOBIN: out } };
    const output = await step(title, (report) => run('go', args, { ...options, onLine: report }));
    return { output, hostPath: (path) => path };
  }
  await buildBase();
  await dockerBuild('parlance-golang', ['golang.Dockerfile'], {}, 'Building an image with Go, which is not installed');
  const home = join(CACHE, 'go');
  const settings = Object.entries({ ...env, GOBIN: '/out' }).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const volumes = ['--volume', `${home}:/root`, '--volume', `${out}:/out`];
  const container = ['run', '--rm', '--network', 'host', ...volumes, ...settings, 'parlance-golang', 'go', ...args];
  const output = await step(`${title} in a container`, (report) => run('docker', container, { onLine: report }));
  return { output, hostPath: (path) => path.replace(/^\/root\//, `${home}/`) };
}

/** Builds a program from Go modules; gives the binary's path. */
export async function buildProgram({ name, package: path, version }) {
  const folder = join(CACHE, 'engines', `${name}-${version}-${arch()}`);
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'build-'));
  const env = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -ldflags=-s' };
  try {
    await runGo(['install', `${path}@${version}`], {
      title: `Building ${name} ${version} from Go modules`,
      out: work,
      env,
    });
    renameSync(join(work, name), binary);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return binary;
}

async function dockerBuild(image, recipe, files, title, label) {
  const context = mkdtempSync(join(tmpdir(), 'parlance-image-'));
  try {
    for (const file of recipe) copyFileSync(join(RECIPES, file), join(context, file));
    for (const [name, path] of Object.entries(files)) placeFile(path, join(context, name));
    const labels = label ? ['--label', `${RECIPE_LABEL}=${label}`] : [];
    const args = ['build', '--network', 'host', '--tag', image, ...labels, '--file', join(context, recipe[0]), context];
    await step(title, (report) => run('docker', args, { onLine: report }));
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

function placeFile(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

async function buildImage(row) {
  const files = row.program ? { [row.program.name]: await buildProgram(row.program) } : {};
  await dockerBuild(row.image, row.recipe, files, `Building the image ${row.image} from packages`, recipeOf(row));
}

/** Throws an Error if images cannot be built from packages, else announces the build. */
function requirePackages(names) {
  if (!canInstallPackages()) {
    throw new Error(
      `These images are missing and no registry has them: ${names.join(', ')}. Building them from packages needs Debian or ` +
        'Ubuntu and root. Load them with "docker load", or set the addresses of engines of your own in the environment.',
    );
  }
  say('The missing images are built from packages instead. This happens once and takes a few minutes.');
}

async function build(rows) {
  requirePackages(rows.map((row) => row.image));
  // Compiling is CPU-bound and downloading packages network-bound, so the two queues run in parallel.
  const hasGo = await hostCompiles();
  /** @type {Promise<unknown>} */
  let compiled = Promise.resolve();
  const programs = new Map();
  for (const { program } of rows)
    if (program && hasGo) programs.set(program, (compiled = compiled.then(() => buildProgram(program))));
  const packaged = (async () => {
    await buildBase();
    for (const row of [...rows].sort((one, other) => Number(Boolean(one.program)) - Number(Boolean(other.program)))) {
      await programs.get(row.program);
      await buildImage(row);
    }
  })();
  await Promise.all([compiled, packaged]);
}

/** Ensures that the images of the named engines (keys of `images`) exist. */
export async function ensureImages(names) {
  const missingRows = async () => {
    const missing = [];
    for (const name of names) if (!(await isPresent(images[name]))) missing.push(images[name]);
    return missing;
  };
  if ((await missingRows()).length === 0) return;
  await withLock(
    join(CACHE, 'images.lock'),
    (holder) => say(`Waiting for process ${holder?.pid ?? '?'}, which provides the images already.`),
    async () => {
      let missing = await missingRows();
      const outdated = [];
      for (const row of missing) if ((await labelOf(row.image)) !== undefined) outdated.push(row);
      const unpulled = await pull(missing.filter((row) => !outdated.includes(row)).map((row) => row.image));
      missing = missing.filter((row) => outdated.includes(row) || unpulled.includes(row.image));
      if (missing.length > 0) await build(missing);
    },
  );
}

/** Base image of the processes. */
export const NODE_IMAGE = process.env.NODE_IMAGE || 'node:24-slim';

/** Ensures that NODE_IMAGE exists. `files` provides npm.tgz if it is built from packages. */
export async function ensureNodeImage(files) {
  if ((await labelOf(NODE_IMAGE)) !== undefined || (await pull([NODE_IMAGE])).length === 0) return;
  requirePackages([NODE_IMAGE]);
  await buildBase();
  const title = `Building the image ${NODE_IMAGE} from packages`;
  await dockerBuild(NODE_IMAGE, ['node.Dockerfile'], await files(), title, 'node');
}
