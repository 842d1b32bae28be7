// Writes the chart's generated files and docs/deployment/chart-values.md: node deploy/chart/generate.mjs
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
const values = fileURLToPath(new URL('../../docs/deployment/chart-values.md', import.meta.url));
const page = readFileSync(values, 'utf8');
const [begin, end] = TABLE;
const table = valuesTable(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')));
const from = page.indexOf(begin);
const to = page.indexOf(end);
if (from < 0 || to < from) throw new Error(`${values} has no ${begin} or no ${end}`);
writeFileSync(values, `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`);
const formatted = [values, join(chart, 'values.schema.json')];
execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', ...formatted], { stdio: 'inherit' });
