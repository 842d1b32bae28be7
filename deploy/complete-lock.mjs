// npm run lock: adds the optional packages of other platforms to package-lock.json if the registry lacked them when it was
// created. "npm ci" rejects a lock file without them, and those platforms need them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];
const otherNames = { aarch64: 'arm64', armv6: 'arm', armv7: 'arm', i686: 'ia32', x86_64: 'x64', win: 'win32' };

/** {os, cpu} of a platform package, derived from its name: @scope/tool-linux-x64-gnu. */
export function platformOf(name) {
  const words = name.split(/[/-]/).map((word) => otherNames[word] ?? word);
  const last = (known) => words.filter((word) => known.includes(word)).slice(-1);
  return { cpu: last(processors), os: last(systems) };
}

/** Paths at which a package resolves a dependency: beside it or in a parent directory. */
function find(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[path]) return path;
    if (!folder) return undefined;
    if (!folder.includes('node_modules/')) folder = '';
  }
}

/** The lock file's content with the missing packages added, and their names. */
export function complete(lock) {
  const packages = { ...lock.packages };
  const added = [];
  for (const [from, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name);
      const isOfPlatform = platform.cpu.length > 0 || platform.os.length > 0;
      if (!isOfPlatform || !/^\d+\.\d+\.\d+/.test(range) || find(packages, from, name)) continue;
      packages[`node_modules/${name}`] = {
        version: range,
        ...(platform.cpu.length > 0 && { cpu: platform.cpu }),
        ...(packages[from].dev && { dev: true }),
        optional: true,
        ...(platform.os.length > 0 && { os: platform.os }),
      };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const { lock, added } = complete(JSON.parse(readFileSync(path, 'utf8')));
  if (added.length > 0) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${added.length} packages added${added.map((name) => `\n  ${name}`).join('')}\n`);
}
