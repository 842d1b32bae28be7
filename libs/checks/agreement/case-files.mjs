// Reads and writes the case files: one JSON object per line, with its keys in a fixed order.
import { readFileSync, writeFileSync } from 'node:fs';

/** Cases of one string each, and cases that need other strings, a history, a glossary or statistics. */
export const CASE_FILES = ['cases.jsonl', 'context-cases.jsonl'];

const KEYS = [
  'check',
  'ownCheck',
  'written',
  'lang',
  'source',
  'target',
  'flags',
  'state',
  'glossary',
  'others',
  'edits',
  'translations',
  'terms',
  'age',
  'peer',
  'peerExtra',
  'ours',
  'reason',
];

const path = (name) => new URL(name, import.meta.url);

export function readCases(name) {
  return readFileSync(path(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

export function writeCases(name, cases) {
  const line = (test) =>
    JSON.stringify(Object.fromEntries(KEYS.filter((key) => test[key] !== undefined).map((key) => [key, test[key]])));
  writeFileSync(path(name), cases.map((test) => `${line(test)}\n`).join(''));
}
