// Reads and edits a generated file of every format and prints the speed of both.
//   node libs/formats/bench/bench.mjs [--size MEGABYTES] [--json] [FORMAT...]
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { samples } from './samples.mjs';

const require = createRequire(import.meta.url);
const { formatOf, registry } = require('../dist/index.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: '1' }, json: { type: 'boolean', default: false } },
});
const MEGABYTE = 1_000_000;
/** Of packed files the size of what is in them counts, for all of it is read. */
const PACKED = new Set(['xlsx', 'odf', 'idml', 'appstore']);
/** Below this a format is named as slow; a workbook is packed and may take longer. */
const FLOOR = 8;

/** Least processor time of several runs in milliseconds: what the code costs, whatever else the machine does meanwhile. */
function best(action, budget = 300_000) {
  let fastest = Infinity;
  let spent = 0;
  for (let runs = 0; runs < 5 || (runs < 40 && spent < budget); runs++) {
    const before = process.cpuUsage();
    action();
    const { user, system } = process.cpuUsage(before);
    spent += user + system;
    fastest = Math.min(fastest, user + system);
  }
  return fastest / 1000;
}

function measure(id) {
  const bytes = samples[id](Number(values.size) * MEGABYTE);
  const format = formatOf(id);
  const options = { language: 'cs', sourceLanguage: 'en' };
  const file = format.parse(bytes, options);
  const unit = file.units[Math.floor(file.units.length / 2)];
  const change = { op: 'set', index: unit.index, target: unit.target.with(0, 'Changed text') };
  const parse = best(() => format.parse(bytes, options));
  const edit = best(() => file.apply([change]));
  const size = PACKED.has(id) ? Number(values.size) * MEGABYTE : bytes.length;
  const speed = (ms) => Math.round((size / MEGABYTE / ms) * 10_000) / 10;
  return { id, bytes: size, units: file.units.length, parse: speed(parse), edit: speed(edit) };
}

const rows = [];
for (const { id } of registry) if (positionals.length === 0 || positionals.includes(id)) rows.push(measure(id));
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else {
  process.stdout.write('| format | bytes | strings | parse MB/s | edit MB/s |\n| --- | ---: | ---: | ---: | ---: |\n');
  for (const { id, bytes, units, parse, edit } of rows)
    process.stdout.write(`| \`${id}\` | ${bytes} | ${units} | ${parse.toFixed(1)} | ${edit.toFixed(1)} |\n`);
}
const slow = rows.filter(({ id, parse, edit }) => id !== 'xlsx' && Math.min(parse, edit) < FLOOR);
if (slow.length > 0) process.stderr.write(`below ${FLOOR} MB/s: ${slow.map(({ id }) => id).join(' ')}\n`);
