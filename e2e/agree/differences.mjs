// The generated sections `answers` and `figures` of docs/differences.md, and `uploads` of docs/uploads.md; npm run docs writes them.
import { accepted } from './accepted.mjs';
import { recorded } from './recorded.mjs';
import { sumAreas } from './report.mjs';
import { uploadCases } from './steps/upload-formats.mjs';

const titles = {
  '*': 'Everywhere',
  structure: 'Structure and lists',
  objects: 'Objects from creation to deletion',
  schema: "The peer's published schema",
  'odd requests': 'Wrong requests',
  searches: 'Searches',
  edits: 'Edits',
  'after edits': 'Strings after edits',
  strings: 'Adding and removing strings',
  history: 'History',
  glossaries: 'Glossaries',
  numbers: 'Numbers',
  files: 'Downloads',
  'file errors': 'Wrong download requests',
  'file contents': 'Contents of downloads',
  uploads: 'Uploads',
  'strings after uploads': 'Strings after uploads',
};

const cell = (text) => String(text).replaceAll('|', '\\|');

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** One Markdown table for each area of a comparison. */
export function differences() {
  return Object.entries(titles)
    .map(([area, title]) => {
      const rows = accepted
        .filter((rule) => [rule.area].flat()[0] === area)
        .map(({ what, ours, peer, reason }) => [what, ours, peer, reason]);
      return [`### ${title}`, '', table(['what', 'Parlance', 'peer', 'reason'], rows)].join('\n');
    })
    .join('\n\n');
}

/** Number of comparisons in the last full run, by area. */
export function figures() {
  const rows = Object.entries(sumAreas(recorded().parts));
  const sum = (key) => rows.reduce((total, [, numbers]) => total + numbers[key], 0);
  return table(
    ['area', 'comparisons', 'equal', 'accepted with a reason', 'unexplained'],
    [
      ...rows.map(([area, { total, equal, accepted: argued, failed }]) => [area, total, equal, argued, failed]),
      ['**all**', sum('total'), sum('equal'), sum('accepted'), sum('failed')],
    ],
  );
}

/** Format by method: number of strings that each side accepted, and references to a second table of differences. */
export function uploads() {
  const { uploads: formats } = recorded();
  const notes = accepted.filter((rule) => rule.lossless);
  const number = (what) => notes.findIndex((rule) => rule.what === what) + 1;
  const shown = ({ ours, peer, notes: found }) => {
    const numbers = found
      .map(number)
      .filter(Boolean)
      .sort((a, b) => a - b);
    return `${ours === peer ? ours : `${ours} / ${peer}`}${numbers.length > 0 ? ` (${numbers.join(', ')})` : ''}`;
  };
  return [
    table(
      ['format', ...uploadCases],
      Object.entries(formats).map(([format, results]) => [
        format,
        ...uploadCases.map((name) => (results[name] ? shown(results[name]) : '')),
      ]),
    ),
    table(
      ['number', 'what', 'Parlance', 'peer', 'loses less', 'why'],
      notes.map(({ what, ours, peer, lossless, reason }, i) => [i + 1, what, ours, peer, lossless, reason]),
    ),
  ].join('\n\n');
}
