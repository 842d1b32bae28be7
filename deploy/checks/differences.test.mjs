import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences, figures, uploads } from '../../e2e/agree/differences.mjs';
import { degradedTable } from '../../e2e/degraded/table.mjs';

/** Cells of a Markdown table without the padding that prettier adds. */
const cells = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

/** What a page has between the markers of a section. */
function section(page, name) {
  const text = readFileSync(join(__dirname, '../..', page), 'utf8');
  return text.slice(text.indexOf(`<!-- ${name}: begin -->`), text.indexOf(`<!-- ${name}: end -->`));
}

it('docs/differences.md lists every difference that the comparison accepts (npm run docs writes them)', () => {
  expect(cells(section('docs/differences.md', 'answers'))).toEqual(cells(differences()));
});

it('docs/differences.md has the figures of the recorded comparison (npm run docs writes them)', () => {
  expect(cells(section('docs/differences.md', 'figures'))).toEqual(cells(figures()));
});

it('docs/uploads.md lists the recorded results of every method and format (npm run docs writes them)', () => {
  expect(cells(section('docs/uploads.md', 'uploads'))).toEqual(cells(uploads()));
});

it('docs/degraded-modes.md has the answers that the end-to-end test compares (npm run docs writes them)', () => {
  expect(cells(section('docs/degraded-modes.md', 'degraded'))).toEqual(cells(degradedTable()));
});
