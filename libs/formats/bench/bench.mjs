// Measures parsing and editing of a generated file of every format, in the usual style of the format and in unusual ones,
// and of a PO file with 50 000 entries.
//   node libs/formats/bench/bench.mjs [--size MEGABYTES] [--json] [--against DIST] [FORMAT...]
// `--against` names the `dist` of another build. Both are measured alternately, and the table shows the speed ratio
// of this build to the other.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { samples } from './samples.mjs';
import { unusual } from './unusual.mjs';

const require = createRequire(import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});
const { formatOf, registry } = require('../dist/index.js');
const other = values.against === undefined ? undefined : require(resolve(values.against, 'index.js'));
const MEGABYTE = 1_000_000;
/** The unpacked size of compressed formats, because all of it is parsed. */
const PACKED = new Set(['xlsx', 'odf', 'idml', 'appstore']);
/** Speed below which a format is reported as slow, in MB/s. Workbooks are compressed and exempt. */
const FLOOR = 8;
const ENTRIES = 50_000;
const PARSE_MS = 400;
const EDIT_MS = 150;

/** Processor time of an action in microseconds, independent of other load on the machine. */
function cost(action) {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Minimum processor time of each action in milliseconds. The actions alternate. */
function best(actions, budget = 300_000) {
  const least = actions.map(() => Infinity);
  let spent = 0;
  for (let runs = 0; runs < 5 || (runs < 40 && spent < budget * actions.length); runs++)
    actions.forEach((action, i) => {
      const took = cost(action);
      spent += took;
      least[i] = Math.min(least[i], took);
    });
  return least.map((took) => took / 1000);
}

/** Processor times of parsing and editing a file in milliseconds, with this build and the other one. */
function times(id, bytes) {
  const options = { language: 'cs', sourceLanguage: 'en' };
  const builds = [formatOf, ...(other ? [other.formatOf] : [])].map((of) => {
    const format = of(id);
    const file = format.parse(bytes, options);
    const unit = file.units[Math.floor(file.units.length / 2)];
    const change = { op: 'set', index: unit.index, target: unit.target.with(0, 'Changed text') };
    return { units: file.units.length, parse: () => format.parse(bytes, options), edit: () => file.apply([change]) };
  });
  return { units: builds[0].units, parse: best(builds.map((b) => b.parse)), edit: best(builds.map((b) => b.edit)) };
}

const round = (value) => Math.round(value * 10) / 10;

function measure(id, style, make) {
  const bytes = make(Number(values.size) * MEGABYTE);
  const { units, parse, edit } = times(id, bytes);
  const size = PACKED.has(id) ? Number(values.size) * MEGABYTE : bytes.length;
  const row = { id, style, bytes: size, units };
  for (const [name, [ours, theirs]] of Object.entries({ parse, edit })) {
    row[name] = round(size / MEGABYTE / (ours / 1000));
    if (theirs !== undefined) row[`${name}Ratio`] = round(theirs / ours);
  }
  return row;
}

/** A PO file with ENTRIES typical entries. */
function manyEntries() {
  const entry = (i) =>
    `#: src/file${i % 50}.c:${i}\nmsgid "Message number ${i} of many"\nmsgstr "Zpráva číslo ${i} z mnoha"\n\n`;
  const head = 'msgid ""\nmsgstr ""\n"Language: cs\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';
  return Buffer.from(head + Array.from({ length: ENTRIES }, (_, i) => entry(i)).join(''));
}

/** Prints a row immediately, unless the output is JSON. */
function print(text) {
  if (!values.json) process.stdout.write(text);
}

function printRow(row) {
  const speeds = ['parse', 'edit'].map((name) => row[name].toFixed(1) + (other ? ` (${row[`${name}Ratio`]} x)` : ''));
  print(`| \`${row.id}\`${row.style && `, ${row.style}`} | ${row.bytes} | ${row.units} | ${speeds.join(' | ')} |\n`);
}

const rows = [];
print('| format | bytes | strings | parse MB/s | edit MB/s |\n| --- | ---: | ---: | ---: | ---: |\n');
const wanted = registry.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
for (const { id } of wanted)
  for (const [style, make] of [['', samples[id]], ...Object.entries(unusual[id] ?? {})]) {
    const row = measure(id, style, make);
    rows.push(row);
    printRow(row);
  }
const large = wanted.some(({ id }) => id === 'po') ? times('po', manyEntries()) : undefined;
if (large)
  print(
    `\nPO of ${ENTRIES} entries: parse ${large.parse[0].toFixed(0)} ms (at most ${PARSE_MS}), ` +
      `write an edit ${large.edit[0].toFixed(0)} ms (at most ${EDIT_MS})\n`,
  );
if (values.json) process.stdout.write(`${JSON.stringify({ rows, large }, null, 2)}\n`);
const slow = rows.filter(({ id, parse, edit }) => id !== 'xlsx' && Math.min(parse, edit) < FLOOR);
const named = slow.map(({ id, style }) => (style ? `${id} (${style})` : id));
process.stderr.write(
  named.length > 0 ? `below ${FLOOR} MB/s: ${named.join(', ')}\n` : `no format but xlsx is below ${FLOOR} MB/s\n`,
);
