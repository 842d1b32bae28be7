// Prints the sections of docs/differences.md that are made of accepted.mjs.
import { pathToFileURL } from 'node:url';
import { accepted } from './accepted.mjs';

const titles = {
  '*': 'Everywhere',
  structure: 'Structure and lists',
  schema: "The peer's published schema",
  'odd requests': 'Wrong requests',
  searches: 'Searches',
  edits: 'Edits',
  'after edits': 'Strings after edits',
  strings: 'Adding and removing strings',
  history: 'History',
  files: 'Downloads',
  'file errors': 'Wrong download requests',
  'file contents': 'Contents of downloads',
  uploads: 'Uploads',
  'strings after uploads': 'Strings after uploads',
};

const cell = (text) => text.replaceAll('|', '\\|');

/** One table for each area of a differential run, in Markdown. */
export function differences() {
  return Object.entries(titles)
    .map(([area, title]) => {
      const rows = accepted
        .filter((rule) => rule.area === area)
        .map(({ what, ours, peer, reason }) => `| ${[what, ours, peer, reason].map(cell).join(' | ')} |`);
      return [`### ${title}`, '', '| what | Parlance | peer | reason |', '| --- | --- | --- | --- |', ...rows].join(
        '\n',
      );
    })
    .join('\n\n');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(differences());
