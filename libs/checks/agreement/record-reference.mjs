// Records the verdict of the peer for every case of cases.jsonl, context-cases.jsonl, flags.jsonl and
// autofix.jsonl.
//   PEER_URL=http://127.0.0.1:8099 PEER_TOKEN=... node libs/checks/agreement/record-reference.mjs [cases|context|edits]
// Run after a build. Uses only the HTTP API of the peer: cases are imported from a ZIP file of gettext files.
import { setTimeout as pause } from 'node:timers/promises';
import { CHECKS } from '../dist/index.js';
import { readCases, writeCases } from './case-files.mjs';
import { casesForPeer, forgetVerdicts } from './peer-cases.mjs';
import { ask, createComponent, freshProject, gettextFile, list } from './reference-api.mjs';

const PROJECT = 'chk-agree';
const CONTEXT_PROJECT = 'chk-agree-context';
const EDIT_PROJECT = 'chk-agree-edits';

/** Checks that depend on other strings. Pair cases do not cover them. */
const IN_CONTEXT = new Set(CHECKS.filter(({ context }) => context !== 'none').map(({ id }) => id));

/** Gettext files by language. A case of a source check is an untranslated string of the Czech file. */
function filesOf(units) {
  const byLanguage = new Map();
  for (const unit of units) {
    const language = unit.lang === 'en' ? 'cs' : unit.lang;
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), unit]);
  }
  return Object.fromEntries(
    [...byLanguage].map(([language, units]) => [`${language}.po`, gettextFile(language, units)]),
  );
}

async function recordCases() {
  const cases = readCases('cases.jsonl');
  const units = casesForPeer(cases);
  await freshProject(PROJECT);
  await createComponent(PROJECT, 'strings', filesOf(units.filter(({ glossary }) => !glossary)));
  await createComponent(PROJECT, 'terms', filesOf(units.filter(({ glossary }) => glossary)), { is_glossary: true });
  forgetVerdicts(cases);
  for (const { id } of CHECKS) if (!IN_CONTEXT.has(id)) await recordFailures(PROJECT, id, cases);
  writeCases('cases.jsonl', cases);
}

/** Adds the check to the verdict of every case whose string fails it. */
async function recordFailures(project, id, cases) {
  const query = encodeURIComponent(`project:${project} AND check:${id}`);
  for (const { context, language_code, translation } of await list(`units/?q=${query}&page_size=1000`)) {
    const test = cases[Number(/^case (\d+)$/.exec(context)?.[1])];
    if (test?.peer && test.lang === language_code && !/\/other\d\//.test(translation)) test.peer.push(id);
  }
}

async function recordContextCases() {
  const cases = readCases('context-cases.jsonl');
  const asked = casesForPeer(cases);
  await freshProject(CONTEXT_PROJECT);
  const terms = asked.flatMap(({ terms = [], lang, context }) =>
    terms.map(({ source, target, flags }, index) => ({
      lang,
      flags,
      context: `${context} ${index}`,
      source: [source],
      target: [target],
    })),
  );
  await createComponent(CONTEXT_PROJECT, 'terms', filesOf(terms), { is_glossary: true });
  const strings = asked.flatMap((test) =>
    test.translations
      ? Object.entries(test.translations).map(([lang, target]) => ({ ...test, lang, target: [target] }))
      : [test],
  );
  for (const number of [0, 1]) {
    const others = asked.flatMap(({ others = [], context, lang }) =>
      others.slice(number, number + 1).map((other) => ({ lang, context, ...other })),
    );
    await createComponent(CONTEXT_PROJECT, `other${number}`, filesOf(others));
  }
  await createComponent(CONTEXT_PROJECT, 'strings', filesOf(strings));
  const units = new Map(
    (await list(`units/?q=${encodeURIComponent(`path:${CONTEXT_PROJECT}/strings`)}&page_size=1000`)).map((unit) => [
      `${unit.language_code} ${unit.context}`,
      unit.id,
    ]),
  );
  for (const { lang, context, edits = [] } of asked)
    for (const edit of edits) await ask('PATCH', `units/${units.get(`${lang} ${context}`)}/`, edit);
  // Checks across strings are updated in the background.
  await pause(10_000);
  forgetVerdicts(cases);
  for (const id of IN_CONTEXT) {
    const concerned = cases.map((test) => (test.check === id ? test : undefined));
    await recordFailures(CONTEXT_PROJECT, id, concerned);
  }
  writeCases('context-cases.jsonl', cases);
}

/**
 * Records the canonical form of flags: `peer` after an import from a file, `peerExtra` after a PATCH (null if they are rejected).
 */
async function recordFlags(unit) {
  const cases = readCases('flags.jsonl');
  for (const test of cases) {
    await ask('PATCH', `units/${unit}/`, { extra_flags: '' });
    const { errors } = await ask('PATCH', `units/${unit}/`, { extra_flags: test.written }, [200, 400]);
    test.peerExtra = errors ? null : (await ask('GET', `units/${unit}/`)).extra_flags;
  }
  // A file with flags that are rejected is not imported.
  const flagged = cases.flatMap(({ written, peerExtra }, index) =>
    peerExtra === null || written === '#'
      ? []
      : [{ lang: 'cs', context: `case ${index}`, flags: written, source: [`Flags ${index}`], target: [''] }],
  );
  await createComponent(EDIT_PROJECT, 'flags', filesOf(flagged));
  const query = encodeURIComponent(`path:${EDIT_PROJECT}/flags AND language:cs`);
  for (const { context, flags } of await list(`units/?q=${query}&page_size=1000`))
    cases[Number(context.slice(5))].peer = flags;
  writeCases('flags.jsonl', cases);
}

/** Records the corrections of translations on save. */
async function recordAutofix(units) {
  const cases = readCases('autofix.jsonl');
  for (const [index, test] of cases.entries()) {
    const { target } = await ask('PATCH', `units/${units.get(`case ${index}`)}/`, { target: test.target, state: 20 });
    test.peer = target;
  }
  writeCases('autofix.jsonl', cases);
}

async function recordEdits() {
  await freshProject(EDIT_PROJECT);
  const strings = readCases('autofix.jsonl').map((test, index) => ({
    ...test,
    target: [''],
    context: `case ${index}`,
  }));
  await createComponent(EDIT_PROJECT, 'strings', filesOf(strings));
  const units = await list(`units/?q=${encodeURIComponent(`path:${EDIT_PROJECT}/strings`)}&page_size=1000`);
  const translated = units.filter(({ language_code }) => language_code !== 'en');
  await recordAutofix(new Map(translated.map(({ context, id }) => [context, id])));
  await recordFlags(units.find(({ language_code }) => language_code === 'en').id);
}

const RECORDERS = { cases: recordCases, context: recordContextCases, edits: recordEdits };
const wanted = process.argv.slice(2);
for (const [name, record] of Object.entries(RECORDERS))
  if (wanted.length === 0 || wanted.includes(name)) await record();
