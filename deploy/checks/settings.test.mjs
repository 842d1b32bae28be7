import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const text = (path) => readFileSync(join(root, path), 'utf8');

it('docs/settings.md lists every setting of every process', () => {
  const table = text('docs/settings.md');
  const packages = ['gateway', ...readdirSync(join(root, 'services')).map((name) => `services/${name}`)];
  const sources = ['libs/config/src/index.ts', ...packages.map((path) => `${path}/src/config.ts`)];
  const names = sources.flatMap((path) =>
    [...text(path).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name),
  );
  expect(names).toContain('PARLANCE_WORK_DIR');
  expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
