// Checks that every package that is installed has a licence that an Apache-2.0 product may be shipped with.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const checker = createRequire(import.meta.url)('license-checker-rseidelsohn');

const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unicode-3.0',
  'Unicode-DFS-2016',
  'Unlicense',
  'WTFPL',
  'Zlib',
]);

/** Packages that are not linked into the product or are shipped as separate libraries, with the reason. */
const exceptions = {
  '@img/sharp-libvips': 'LGPL-3.0 shared library, replaceable by its user',
};

/** Whether a licence expression is allowed: every part of an AND, one part of an OR. */
function fits(expression) {
  const text = String(expression).replace(/[()*]/g, '').trim();
  if (text.includes(' OR ')) return text.split(' OR ').some(fits);
  if (text.includes(' AND ')) return text.split(' AND ').every(fits);
  return allowed.has(text);
}

const packages = await new Promise((resolve, reject) =>
  checker.init({ start: root, excludePrivatePackages: true }, (error, found) =>
    error ? reject(error) : resolve(found),
  ),
);
const refused = [];
for (const [name, { licenses }] of Object.entries(packages)) {
  if (Object.keys(exceptions).some((prefix) => name.startsWith(prefix))) continue;
  const list = Array.isArray(licenses) ? licenses : [licenses];
  if (!list.some(fits)) refused.push(`${name}: ${list.join(', ')}`);
}
if (refused.length > 0) {
  process.stderr.write(`Licences that are not allowed:\n${refused.map((r) => `  ${r}`).join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${Object.keys(packages).length} packages, all licences allowed\n`);
