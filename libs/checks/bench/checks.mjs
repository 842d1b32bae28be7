// Throughput of runChecks in units per second. Run after a build: node libs/checks/bench/checks.mjs
import { mergeFlags, parseFlags, runChecks } from '../dist/index.js';

const words =
  'could not open the file because it is used by another program please try again later or ask somebody for help'.split(
    ' ',
  );
const translated =
  'soubor se nepodařilo otevřít protože jej používá jiný program zkuste to prosím později nebo požádejte o pomoc'.split(
    ' ',
  );
const sentence = (list, seed, length) =>
  Array.from({ length }, (_, index) => list[(seed * 7 + index * 3) % list.length]).join(' ');
const none = parseFlags('');
const c = mergeFlags(parseFlags('c-format'));

const cases = {
  'simple strings, 40 characters': (index) => ({
    source: [`${sentence(words, index, 7)} ${index}.`],
    target: [`${sentence(translated, index, 6)} ${index}.`],
    flags: none,
  }),
  'short labels': (index) => ({ source: [`Open ${index}`], target: [`Otevřít ${index}`], flags: none }),
  'paragraphs, 400 characters': (index) => ({
    source: [`${sentence(words, index, 70)} ${index}.`],
    target: [`${sentence(translated, index, 60)} ${index}.`],
    flags: none,
  }),
  'c-format with a placeholder': (index) => ({
    source: [`${sentence(words, index, 6)} %d of %s ${index}`],
    target: [`${sentence(translated, index, 5)} %d z %s ${index}`],
    flags: c,
  }),
  'plurals with c-format': (index) => ({
    source: [`%d file ${index}`, `%d files ${index}`],
    target: [`%d soubor ${index}`, `%d soubory ${index}`, `%d souborů ${index}`],
    flags: c,
  }),
  'XML markup': (index) => ({
    source: [`Press <b>${words[index % 9]}</b> to <a href="x">go on</a> ${index}`],
    target: [`Stiskněte <b>${translated[index % 9]}</b> a <a href="x">jděte</a> ${index}`],
    flags: none,
  }),
};

const languages = ['cs', 'de', 'fr', 'ja', 'ru'];
for (const [name, make] of Object.entries(cases)) {
  // Like an import: the same 3 500 sources in each language.
  const units = languages.flatMap((targetLanguage) =>
    Array.from({ length: 3500 }, (_, index) => ({
      ...make(index),
      sourceLanguage: 'en',
      targetLanguage,
      state: 20,
      pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2',
    })),
  );
  let failing = 0;
  for (const unit of units) failing += runChecks(unit).length;
  const rounds = 10;
  const start = performance.now();
  for (let round = 0; round < rounds; round++) for (const unit of units) runChecks(unit);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${Math.round((rounds * units.length) / seconds)
      .toLocaleString('en')
      .padStart(10)} units/s  ${name} (${failing} failures in ${units.length})`,
  );
}
