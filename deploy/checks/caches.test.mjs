import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingTests } from './named-tests.mjs';

const root = join(__dirname, '../..');
const text = (path) => readFileSync(join(root, path), 'utf8');
const page = text('docs/architecture/caches.md');

/**
 * Tests in a cell of the page, `file`: title; title; `file`: title.
 * @param {string} cell
 */
const testsIn = (cell) =>
  [...cell.matchAll(/`([^`]+)`: (.+?)(?=; `|$)/g)].flatMap(([, file, titles]) =>
    titles.split('; ').map((title) => ({ file, title })),
  );

/** Caches with the tests that the page names, from its only table. */
const caches = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .map(([, , cache, , tests]) => ({ cache, tests: testsIn(tests) }));

it('every cache has a test in which another replica writes, and every named test exists', () => {
  expect(caches.length).toBeGreaterThan(30);
  expect(caches.filter(({ tests }) => tests.length === 0)).toEqual([]);
  const named = caches.flatMap(({ tests }) => tests);
  expect(missingTests(root, named)).toEqual([]);
});
