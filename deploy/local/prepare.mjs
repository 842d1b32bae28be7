// Ensures that dependencies and build output are current.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, step } from '../engines/process.mjs';

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Whether node_modules matches package-lock.json. File times are meaningless after a checkout. */
export function isInstalled(root) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages;
  const present = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.includes('node_modules/') ||
      entry.optional ||
      entry.devOptional ||
      entry.peer ||
      (present[path] && present[path].version === entry.version),
  );
}

/** Installs the packages of package-lock.json if node_modules does not match. */
export async function install(root) {
  if (isInstalled(root)) return;
  await step('Installing packages (npm ci)', (report) =>
    run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, onLine: report }),
  );
}

const SKIPPED = new Set(['node_modules', 'dist', 'generated', 'test', 'testdata', 'corpus']);

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) yield* filesOf(path);
    } else if (/\.(ts|json|proto|mjs)$/.test(entry.name)) yield path;
  }
}

/** Name, size and time of all inputs of the build. */
export function fingerprint(root) {
  const hash = createHash('sha256').update(process.version);
  const roots = ['protos', 'libs', 'services', 'gateway'].map((name) => join(root, name));
  const single = ['package-lock.json', 'tsconfig.json', 'tsconfig.base.json'].map((name) => join(root, name));
  for (const path of [...single, ...roots.flatMap((folder) => [...filesOf(folder)])]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

/** Builds changes since the last build. Throws if an item of `outputs` is missing afterwards. */
export async function build(root, outputs) {
  const stamp = join(root, 'node_modules/.cache/parlance-build');
  const current = fingerprint(root);
  const isBuilt = () => outputs.every((path) => existsSync(join(root, path)));
  if (isBuilt() && existsSync(stamp) && readFileSync(stamp, 'utf8') === current) return;
  await step('Building (npm run build)', (report) =>
    run('npm', ['run', '--silent', 'build'], { cwd: root, onLine: report }),
  );
  const missing = outputs.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) throw new Error(`The build did not make ${missing.join(', ')}.`);
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  writeFileSync(stamp, fingerprint(root));
}
