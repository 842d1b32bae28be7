// Parses and edits every file below the given folders with the formats that its name suggests, and prints the outcomes.
//   node libs/formats/bench/real-files.mjs FOLDER...
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { formatOf, registry } = require('../dist/index.js');
const { filesBelow, formatsFor, readReal, tryFile } = require('../dist/trial/real-file.js');

const tallies = new Map(registry.map(({ id }) => [id, { refused: 0, blank: 0, kept: 0, rewritten: 0, widened: 0 }]));
for (const root of process.argv.slice(2))
  for (const path of filesBelow(root, 20)) {
    const bytes = readReal(path, 1_000_000);
    if (!bytes) continue;
    for (const id of formatsFor(path)) {
      const { outcome, reason } = tryFile(formatOf(id), bytes);
      tallies.get(id)[outcome] += 1;
      if (outcome === 'rewritten' || outcome === 'widened') process.stderr.write(`${id} ${path}: ${reason}\n`);
    }
  }
process.stdout.write(
  '| format | files | identical without a change | only the edited string changed | nothing to edit | refused |\n',
);
process.stdout.write('| --- | ---: | ---: | ---: | ---: | ---: |\n');
for (const [id, { refused, blank, kept, rewritten, widened }] of tallies) {
  const files = blank + kept + rewritten + widened;
  if (files > 0)
    process.stdout.write(`| \`${id}\` | ${files} | ${files - rewritten} | ${kept} | ${blank} | ${refused} |\n`);
}
