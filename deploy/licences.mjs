// npm run licences: checks that the licences of all installed packages are compatible with distributing Parlance (Apache-2.0).
import { fileURLToPath } from 'node:url';
import { init } from 'license-checker-rseidelsohn';
import { isAllowed } from './spdx.mjs';

/** Exceptions: packages with another licence, and the reason why they may be used. */
const exceptions = [
  { name: /^@fontsource\//, licence: 'OFL-1.1', why: 'fonts, which are distributed unchanged beside the code' },
  {
    name: /^@img\/sharp-libvips-/,
    licence: 'LGPL-3.0-or-later',
    why: 'a library of its own that is loaded at run time and can be exchanged',
  },
  {
    name: /^axe-core@/,
    licence: 'MPL-2.0',
    why: 'a tool of the tests, unmodified, and part of no image or package',
  },
];

const start = fileURLToPath(new URL('..', import.meta.url));
const packages = await new Promise((resolve, reject) => {
  init({ start, excludePrivatePackages: true }, (error, found) => (error ? reject(error) : resolve(found)));
});
const bad = Object.entries(packages).filter(([id, { licenses }]) => {
  const expression = [licenses].flat().join(' AND ');
  return !isAllowed(expression) && !exceptions.some(({ name, licence }) => name.test(id) && licence === expression);
});
for (const [id, { licenses, repository }] of bad) {
  process.stderr.write(`${id}: ${[licenses].flat().join(', ')} (${repository ?? 'no repository'})\n`);
}
process.stdout.write(`${Object.keys(packages).length} packages, ${bad.length} with a licence that is not allowed\n`);
process.exitCode = bad.length > 0 ? 1 : 0;
