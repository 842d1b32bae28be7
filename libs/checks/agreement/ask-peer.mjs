// Records the verdict of the reference peer for every case of cases.jsonl and context-cases.jsonl.
//   PEER_URL=http://127.0.0.1:8099 PEER_TOKEN=... node libs/checks/agreement/ask-peer.mjs
// Run after a build. The peer needs nothing but its API: cases are imported from a ZIP file of gettext files.
import { CHECKS } from '../dist/index.js';
import { readCases, writeCases } from './cases.mjs';
import { createComponent, freshProject, gettextFile, list } from './peer.mjs';

const PROJECT = 'chk-agree';

/** Checks that depend on other strings: the pair cases say nothing about them. */
const IN_CONTEXT = new Set(CHECKS.filter(({ context }) => context !== 'none').map(({ id }) => id));

/** Gettext files by language. A case of a source check stands in the Czech file, without a translation. */
function filesOf(units) {
  const byLanguage = new Map();
  for (const unit of units) {
    const language = unit.lang === 'en' ? 'cs' : unit.lang;
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), unit]);
  }
  return Object.fromEntries([...byLanguage].map(([language, units]) => [`${language}.po`, gettextFile(language, units)]));
}

const cases = readCases('cases.jsonl');
const units = cases.map((test, index) => ({ ...test, context: `case ${index}` }));
await freshProject(PROJECT);
await createComponent(PROJECT, 'strings', filesOf(units.filter(({ glossary }) => !glossary)));
await createComponent(PROJECT, 'terms', filesOf(units.filter(({ glossary }) => glossary)), { is_glossary: true });
for (const test of cases) test.peer = [];
for (const { id } of CHECKS) {
  if (IN_CONTEXT.has(id)) continue;
  const query = encodeURIComponent(`project:${PROJECT} AND check:${id}`);
  for (const { context, language_code } of await list(`units/?q=${query}&page_size=1000`)) {
    const index = Number(/^case (\d+)$/.exec(context)?.[1]);
    const test = cases[index];
    if (test && (test.lang === 'en') === (language_code === 'en')) test.peer.push(id);
  }
}
writeCases('cases.jsonl', cases);
