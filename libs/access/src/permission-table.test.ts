import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionTable } from './permission-table';

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim().replace(/^-+$/, '---'));

it('docs/identity.md lists every permission; otherwise run "npm run docs"', () => {
  const page = readFileSync(join(__dirname, '../../../docs/identity.md'), 'utf8');
  const [, written = ''] = /<!-- permissions: begin -->\n([^]*?)<!-- permissions: end -->/.exec(page) ?? [];
  expect(written.trim().split('\n').map(cellsOf)).toEqual(permissionTable().split('\n').map(cellsOf));
});
