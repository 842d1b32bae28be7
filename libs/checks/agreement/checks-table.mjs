// The table of checks in docs/differences.md.
import { differences } from './verdict.mjs';

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');

/** One row for each check and one for their sum, in Markdown. */
export function checksTable(cases) {
  const rows = differences(cases);
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  return [
    '| check | cases | agreeing | argued | why ours differs |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      (row) => `| ${row.check} | ${row.cases} | ${row.agreeing} | ${row.argued} | ${cell(row.reasons.join(' '))} |`,
    ),
    `| **all** | ${sum('cases')} | ${sum('agreeing')} | ${sum('argued')} | |`,
  ].join('\n');
}
