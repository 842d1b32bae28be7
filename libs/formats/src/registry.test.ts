import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from './formats';
import { formatTables } from './format-tables';
import { detectFormat, formatInfo, registry } from './registry';

it('every row of the registry has exactly one format', () => {
  expect([...formats.keys()].sort()).toEqual(registry.map((info) => info.id).sort());
});

it('the registry has distinct ids', () => {
  expect(new Set(registry.map((info) => info.id)).size).toBe(registry.length);
  expect(formatInfo('po')).toMatchObject({ kind: 'bi', languageCodeStyle: 'posix', can: { plurals: true } });
  expect(formatInfo('nothing')).toBeUndefined();
});

it.each([
  ['po/cs.po', 'po'],
  ['res/values-cs/strings.xml', 'aresource'],
  ['_locales/cs/messages.json', 'webextension'],
  ['locale/cs.JSON', 'json'],
  ['config/locales/cs.yml', 'ruby-yaml'],
  ['App.properties', 'properties'],
  ['cs/main.lang', 'lang'],
  ['pom.xml', undefined],
  ['README', undefined],
])('detectFormat detects the format of %s', (name, id) => expect(detectFormat(name)).toBe(id));

it('docs/formats.md shows the tables of the registry (npm run docs writes them)', () => {
  const page = readFileSync(join(__dirname, '../../../docs/formats.md'), 'utf8');
  const shown = /<!-- formats -->\n\n([^]*?)\n\n<!-- \/formats -->/.exec(page)?.[1] ?? '';
  const cells = (table: string): string[] =>
    table.split('\n').map((line) => line.replace(/\s*\|\s*/g, '|').replace(/-+/g, '-'));
  expect(cells(shown)).toEqual(cells(formatTables()));
});
