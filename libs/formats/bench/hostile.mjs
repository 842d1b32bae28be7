// Parses every hostile file of the corpus, and generated large ones, with every format, and prints the outcomes.
//   node libs/formats/bench/hostile.mjs
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { formatOf, registry } = require('../dist/index.js');
const corpus = join(import.meta.dirname, '../corpus');
const MEGABYTE = 1_000_000;

const files = readdirSync(corpus).map((name) => [name, readFileSync(join(corpus, name))]);
const large = {
  'a line of 8 MB': 'x'.repeat(8 * MEGABYTE),
  '8 MB of [': '['.repeat(8 * MEGABYTE),
  '8 MB of "': '"'.repeat(8 * MEGABYTE),
  '8 MB of <a>': '<a>'.repeat((8 * MEGABYTE) / 3),
  '8 MB of line ends': '\n'.repeat(8 * MEGABYTE),
  '8 MB of "a": b': 'a: b\n'.repeat((8 * MEGABYTE) / 5),
  'a text of 30 MB': JSON.stringify({ a: 'x'.repeat(30 * MEGABYTE) }),
  'an entry of 500 000 lines': `a = b\n${' y\n'.repeat(500_000)}`,
  'an entry of 200 000 attributes': `a = b\n${' .x = y\n'.repeat(200_000)}`,
  'an entry with 200 000 places': `#: ${'a:1 '.repeat(200_000)}\nmsgid "a"\nmsgstr "b"\n`,
  '2 MB of mistakes': `a = b\n${'junk }\n'.repeat((2 * MEGABYTE) / 7)}`,
  'block maps 1000 deep': `${Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')} x\n`,
  'a line of PHP with match': `<?php $a = match (1) { 1 => 2 }; return [${Array.from({ length: 50_000 }, (_, i) => `"k${i}"=>"v",`).join('')}];`,
};
for (const [name, text] of Object.entries(large)) files.push([name, Buffer.from(text)]);

process.stdout.write('| file | bytes | read by formats | refused: why | slowest | memory more |\n');
process.stdout.write('| --- | ---: | ---: | --- | --- | ---: |\n');
for (const [name, bytes] of files) {
  let read = 0;
  const refused = new Map();
  let slowest = { ms: -1, id: '' };
  const before = process.memoryUsage().rss;
  let most = before;
  for (const { id } of registry) {
    const start = process.cpuUsage();
    try {
      formatOf(id).parse(bytes);
      read += 1;
    } catch (error) {
      // Any error other than a FormatError is a defect and listed by its class.
      const why = error.name === 'FormatError' ? error.code : String(error);
      const placed = error.line > 0 ? why : `${why} without a place`;
      refused.set(placed, (refused.get(placed) ?? 0) + 1);
    }
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    if (ms > slowest.ms) slowest = { ms, id };
    most = Math.max(most, process.memoryUsage().rss);
  }
  const reasons = [...refused].map(([why, count]) => `${why} ${count}`).join(', ');
  process.stdout.write(
    `| ${name} | ${bytes.length} | ${read} | ${reasons} | ${slowest.ms.toFixed(0)} ms (${slowest.id}) | ${Math.round((most - before) / MEGABYTE)} MB |\n`,
  );
}
