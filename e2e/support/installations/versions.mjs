// Builds of earlier commits, for tests of upgrades.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE } from '../../../deploy/engines/images.mjs';
import { run, step } from '../../../deploy/engines/process.mjs';
import { build, install } from '../../../deploy/local/prepare.mjs';
import { processes } from '../../../deploy/local/processes.mjs';

const here = fileURLToPath(new URL('../../..', import.meta.url));

/** Packages of the workspace that have dependencies of their own. */
function* packageFolders() {
  yield '.';
  yield* ['gateway', 'e2e'];
  for (const parent of ['libs', 'services'])
    for (const name of readdirSync(join(here, parent))) yield join(parent, name);
}

/**
 * A directory with the build of a commit of this repository. It is made once and kept in the cache.
 * @param {string} commit
 * @returns {Promise<string>}
 */
export async function buildOf(commit) {
  const id = (await run('git', ['rev-parse', '--verify', `${commit}^{commit}`], { cwd: here })).trim();
  const folder = join(CACHE, 'versions', id);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    await step(`Building ${commit}`, async () => {
      await run('sh', ['-c', `git archive ${id} | tar -x -C "$0"`, work], { cwd: here });
      // Most packages are the same; `install` replaces them if any differs.
      for (const name of packageFolders()) {
        const modules = join(here, name, 'node_modules');
        if (existsSync(modules) && existsSync(join(work, name)))
          cpSync(modules, join(work, name, 'node_modules'), {
            recursive: true,
            verbatimSymlinks: true,
            filter: (path) => !path.endsWith('node_modules/.cache'),
          });
      }
      await install(work);
      await build(work, [...Object.values(processes).map(({ entry }) => entry), 'services/identity/dist/cli.js']);
    });
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

/**
 * A directory with a later version than the one in `root`: the same build, whose service has one more migration.
 * @param {object} options
 * @param {string} options.root checkout with a build
 * @param {string} options.folder directory that does not exist yet
 * @param {string} options.service
 * @param {string} options.migration JavaScript expression of a `Migration`
 */
export function withMigration({ root, folder, service, migration }) {
  const linkAll = (from, to, except) => {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from))
      if (name !== except && !name.startsWith('.')) symlinkSync(join(from, name), join(to, name));
  };
  const own = join('services', service);
  linkAll(root, folder, 'services');
  linkAll(join(root, 'services'), join(folder, 'services'), service);
  linkAll(join(root, own), join(folder, own), 'dist');
  cpSync(join(root, own, 'dist'), join(folder, own, 'dist'), { recursive: true });
  const file = join(folder, own, 'dist/compose.js');
  const former = readFileSync(file, 'utf8');
  const changed = former.replace('migrations: []', `migrations: [${migration}]`);
  if (changed === former) throw new Error(`${service} has migrations of its own: extend its list instead.`);
  writeFileSync(file, changed);
}
