// Writes the chart's generated files, the table of its README.md and that of docs/deployment/chart-features.md: node deploy/chart/generate.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { FEATURES, featuresTable } from './features.mjs';
import { generated, TABLE, valuesTable } from './generated.mjs';

const chart = fileURLToPath(new URL('../../charts/parlance/', import.meta.url));
for (const [path, text] of generated()) {
  mkdirSync(dirname(join(chart, path)), { recursive: true });
  writeFileSync(join(chart, path), text);
  process.stdout.write(`charts/parlance/${path}\n`);
}

/** Writes a table between the markers of a page. Returns the page's path. */
function writeTable(path, [begin, end], table) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const page = readFileSync(file, 'utf8');
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no ${begin} or no ${end}`);
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`);
  return file;
}

const defaults = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
const formatted = [
  writeTable('charts/parlance/README.md', TABLE, valuesTable(defaults)),
  writeTable('docs/deployment/chart-features.md', FEATURES, featuresTable()),
  join(chart, 'values.schema.json'),
];
execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', ...formatted], { stdio: 'inherit' });
