import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '../e2e/agree/differences.mjs';

/** Cells of a Markdown table without the padding that prettier adds. */
const cells = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

it('docs/differences.md lists every difference that the comparison accepts', () => {
  const text = readFileSync(join(__dirname, '..', 'docs/differences.md'), 'utf8');
  const shown = text.slice(text.indexOf('<!-- answers: begin -->'), text.indexOf('<!-- answers: end -->'));
  expect(cells(shown)).toEqual(cells(differences()));
});
