import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { generated, TABLE, valuesTable } from './generated.mjs';
import { properties } from './schema.mjs';

const chart = join(__dirname, '../../charts/parlance');
const text = (path) => readFileSync(join(chart, path), 'utf8');
const values = parse(text('values.yaml'));

const [prose, rest] = text('README.md').split(TABLE[0]);
const [table] = rest.split(TABLE[1]);

/** Paths of all described values that no other value contains. */
const leaves = (fields, path = '') =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.properties ? leaves(field.properties, `${path}${name}.`) : [[`${path}${name}`, field]],
  );
const valueAt = (path) => path.split('.').reduce((value, name) => value?.[name], values);

describe('the generated files of the chart', () => {
  it.each(generated())('%s is generated from its definition', (path, content) => {
    if (path.endsWith('.json')) expect(JSON.parse(text(path))).toEqual(JSON.parse(content));
    else expect(text(path)).toBe(content);
  });

  it('the folder files contains nothing but generated files', () => {
    const files = ['files', 'files/dashboards'].flatMap((folder) =>
      readdirSync(join(chart, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `${folder}/${name}`),
    );
    expect(files.sort()).toEqual(
      generated()
        .map(([path]) => path)
        .filter((path) => path.startsWith('files/'))
        .sort(),
    );
  });

  it('README.md has exactly the table of all values (npm run docs writes it)', () => {
    const compact = (table) => table.trim().replace(/ +/g, ' ').replace(/-{2,}/g, '---');
    expect(compact(table)).toBe(compact(valuesTable(values)));
  });
});

it('the README of a packaged chart has no links to files outside of it, and besides the table 80 lines at most', () => {
  expect(prose).not.toMatch(/\]\((?!https:)/);
  expect(prose.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});

describe('the values of the chart', () => {
  it('every value of the chart has a description', () => {
    expect(leaves(properties).filter(([, { description }]) => !description)).toEqual([]);
  });

  it('every value but those of processes has a default in values.yaml', () => {
    const missing = leaves(properties)
      .map(([path]) => path)
      .filter((path) => !path.startsWith('services.') && path !== 'global' && valueAt(path) === undefined);
    expect(missing).toEqual([]);
  });
});
