// node collect.mjs ROOT OUT: writes to OUT/PROCESS/parlance the files that each process needs at run time, and a list of them (SBOM).
//
// ROOT is the built repository with all dependencies. Equal inputs give equal trees, times included: layers made of them have equal
// digests.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

/** Files that no process reads: types, source maps, sources, documentation, older and slanted fonts. Licences stay. */
const UNUSED = /(\.woff|-italic\.woff2|\.d\.[cm]?ts|\.[cm]?ts|\.map|\.tsbuildinfo|\.md|\.markdown|\.flow|\.coffee)$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
/** Folders of our own packages that exist for development. */
const DEVELOPMENT = new Set(['src', 'test', 'bench', 'corpus', 'agreement', 'bin', 'node_modules']);
/** Builds of OpenTelemetry for bundlers, beside the one that Node.js loads. */
const FOR_BUNDLERS = /@opentelemetry\/[^/]+\/build\/(esm|esnext)$/;
/** Modification time of every file, in seconds since 1970. */
const TIME = 0;

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folder of a dependency, found as Node.js finds it; undefined if it is not installed (optional, or of another platform). */
function resolve(root, from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (folder === root) return undefined;
  }
}

/**
 * Packages that a package needs at run time.
 *
 * @returns {{folders: Set<string>, links: Map<string, string>}} folders with files; links of workspaces by their path
 */
export function closureOf(root, workspace) {
  const folders = new Set();
  const links = new Map();
  const visit = (folder) => {
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = manifestOf(folder);
    for (const name of Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })) {
      const found = resolve(root, folder, name);
      if (!found) continue;
      const real = realpathSync(found);
      if (real !== found) links.set(found, real);
      visit(real);
    }
  };
  visit(join(root, workspace));
  return { folders, links };
}

function filesOf(folder, isOwn, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) {
        const skipped =
          entry.name === 'node_modules' ||
          FOR_BUNDLERS.test(join(folder, path)) ||
          (isOwn && below === '' && DEVELOPMENT.has(entry.name));
        return skipped ? [] : filesOf(folder, isOwn, path);
      }
      return !entry.isFile() || (UNUSED.test(entry.name) && !LICENCE.test(entry.name)) ? [] : [path];
    });
}

/** The list of packages in the format CycloneDX, without a time of its own. */
export function sbom(name, version, manifests) {
  const component = ({ name: title, version: number, license }) => ({
    type: 'library',
    name: title,
    version: number,
    ...(typeof license === 'string' && { licenses: [{ expression: license }] }),
    purl: `pkg:npm/${title.replace('@', '%40')}@${number}`,
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: `parlance-${name}`, version } },
    components: manifests
      .map(component)
      .sort((one, other) => (one.purl < other.purl ? -1 : Number(one.purl !== other.purl))),
  };
}

/** Gives everything below a folder the same times and modes. */
function normalize(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) normalize(path);
    else if (entry.isFile()) {
      chmodSync(path, /\.(node|so[.\d]*)$/.test(entry.name) ? 0o755 : 0o644);
      lutimesSync(path, TIME, TIME);
    } else lutimesSync(path, TIME, TIME);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, TIME, TIME);
}

/** Writes the files of one process to `out`. */
export function collect(root, workspace, out) {
  const { folders, links } = closureOf(root, workspace);
  const place = (path) => {
    const target = join(out, relative(root, path));
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  for (const folder of folders) {
    const isOwn = !relative(root, folder).includes('node_modules');
    for (const file of filesOf(folder, isOwn)) copyFileSync(join(folder, file), place(join(folder, file)));
  }
  for (const [path] of links) symlinkSync(readlinkSync(path), place(path));
  for (const file of filesOf(join(root, 'protos'), false))
    copyFileSync(join(root, 'protos', file), place(join(root, 'protos', file)));
  const manifests = [...folders].map(manifestOf);
  const { version } = manifestOf(root);
  const name = workspace.split('/').at(-1);
  writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(sbom(name, version, manifests), null, 1)}\n`);
  normalize(out);
}

function main(root, out) {
  for (const workspace of ['gateway', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)])
    collect(root, workspace, join(out, workspace.split('/').at(-1) ?? '', 'parlance'));
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) main(realpathSync(argv[2]), argv[3]);
