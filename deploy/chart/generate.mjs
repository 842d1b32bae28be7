// Writes the chart's generated files and the table of values in its README: node deploy/chart/generate.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { generated, TABLE, valuesTable } from './generated.mjs';

const chart = fileURLToPath(new URL('../../charts/parlance/', import.meta.url));
for (const [path, text] of generated()) {
  mkdirSync(dirname(join(chart, path)), { recursive: true });
  writeFileSync(join(chart, path), text);
  process.stdout.write(`charts/parlance/${path}\n`);
}
const readme = join(chart, 'README.md');
const page = readFileSync(readme, 'utf8');
const [begin, end] = TABLE;
const table = valuesTable(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')));
const from = page.indexOf(begin);
const to = page.indexOf(end);
if (from < 0 || to < from) throw new Error(`README.md lacks ${begin} or ${end}`);
writeFileSync(readme, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`);
const formatted = [readme, join(chart, 'values.schema.json')];
execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', ...formatted], { stdio: 'inherit' });
