// Records the verdict of this package for every case and prints the cases whose verdict of the peer differs. Run after a build;
// npm run docs then writes the table of docs/differences.md.
//   node libs/checks/agreement/record-verdicts.mjs [check id]
import * as checks from '../dist/index.js';
import { CASE_FILES, readCases, writeCases } from './case-files.mjs';
import { differences, verdict } from './verdict.mjs';

const [only] = process.argv.slice(2);
const all = [];
for (const file of CASE_FILES) {
  const cases = readCases(file);
  for (const test of cases) {
    test.ours = verdict(checks, test);
    if (!test.peer) continue;
    const missing = test.peer.filter((id) => !test.ours.includes(id));
    const added = test.ours.filter((id) => !test.peer.includes(id));
    if (missing.length + added.length === 0) {
      delete test.reason;
      continue;
    }
    test.reason ??= 'No reason yet.';
    if (only && only !== test.check) continue;
    const { check, reason } = test;
    const input = { ...test, check: undefined, peer: undefined, ours: undefined, reason: undefined };
    const marks = [...missing.map((id) => `-${id}`), ...added.map((id) => `+${id}`)].join(' ');
    console.log(check, JSON.stringify(input), marks, reason);
  }
  writeCases(file, cases);
  all.push(...cases);
}

for (const file of ['flags.jsonl', 'autofix.jsonl']) {
  const cases = readCases(file);
  for (const test of cases) {
    if (file === 'flags.jsonl') test.ours = shownFlags(test.written);
    else test.ours = checks.autofix(test.source, test.target, checks.parseFlags(test.flags), test.lang).target;
    const asPeer =
      file === 'flags.jsonl'
        ? (test.peerExtra === null) === (test.ours === null) && (test.peer ?? test.ours) === test.ours
        : String(test.ours) === String(test.peer);
    if (asPeer) delete test.reason;
    else {
      test.reason ??= 'No reason yet.';
      if (!only) console.log(JSON.stringify(test));
    }
  }
  writeCases(file, cases);
}

/** The canonical form of flags; null if they are rejected. */
function shownFlags(text) {
  try {
    return checks.parseFlags(text).toString();
  } catch (error) {
    if (error instanceof checks.FlagError) return null;
    throw error;
  }
}

const rows = differences(all);
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`${sum('agreeing')} of ${sum('cases')} cases agree, ${sum('argued')} are argued. Now run: npm run docs`);
