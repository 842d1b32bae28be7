// Records our verdict for every case beside the peer's and prints the cases that differ. Run after a build.
//   node libs/checks/agreement/ours.mjs [check id]
import { parseFlags, runChecks } from '../dist/index.js';
import { readCases, writeCases } from './cases.mjs';
import { PLURALS } from './plurals.mjs';

const only = process.argv[2];
const cases = readCases('cases.jsonl');
const tally = new Map();
for (const test of cases) {
  const { source, target, lang, flags, state, glossary } = test;
  test.ours = runChecks({
    source,
    target,
    sourceLanguage: 'en',
    targetLanguage: lang,
    flags: parseFlags(flags),
    isSource: lang === 'en',
    isGlossary: glossary,
    state: state ?? (target.every((form) => form === '') ? 0 : 20),
    pluralFormula: PLURALS[lang]?.[1] ?? 'n != 1',
  });
  const [gone, added] = [test.peer.filter((id) => !test.ours.includes(id)), test.ours.filter((id) => !test.peer.includes(id))];
  const row = tally.get(test.check) ?? { cases: 0, agree: 0 };
  tally.set(test.check, row);
  row.cases++;
  if (gone.length + added.length === 0) {
    row.agree++;
    delete test.reason;
  } else if (!only || only === test.check)
    console.log(test.check, lang, flags && `[${flags}]`, JSON.stringify(source), JSON.stringify(target), gone.map((id) => `-${id}`).join(' '), added.map((id) => `+${id}`).join(' '), test.reason ? `(${test.reason})` : '');
}
writeCases('cases.jsonl', cases);
console.log([...tally].map(([id, { cases, agree }]) => `${id} ${agree}/${cases}`).join('  '));
console.log([...tally.values()].reduce((sum, { agree }) => sum + agree, 0), 'of', cases.length);
