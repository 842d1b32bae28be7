// Units per second that a compiled query decides. Run after a build: node libs/search/bench/evaluate.mjs
import { compileQuery, parseQuery } from '../dist/index.js';

const units = Array.from({ length: 10_000 }, (_, index) => ({
  id: index,
  source: [`Could not open file number ${index} in the project`],
  target: [`Soubor číslo ${index} v projektu se nepodařilo otevřít`],
  context: `key.${index}`,
  state: [0, 10, 20, 30][index % 4],
  checks: index % 10 === 0 ? ['same'] : [],
  pending: index % 2 === 0,
}));
const queries = [
  'state:<translated',
  'soubor',
  'has:check AND state:>=translated',
  'source:file NOT target:file priority:100',
  'target:r"[0-9]+ v [a-z]+"',
];
for (const query of queries) {
  const predicate = compileQuery(parseQuery(query));
  let found = 0;
  const start = performance.now();
  const rounds = 20;
  for (let round = 0; round < rounds; round++) for (const unit of units) if (predicate(unit)) found++;
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${Math.round((rounds * units.length) / seconds).toLocaleString('en')} units/s  ${query}  (${found / rounds} found)`,
  );
}
