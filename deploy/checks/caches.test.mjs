import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const text = (path) => readFileSync(join(root, path), 'utf8');
const page = text('docs/architecture/caches.md');

/** Modules of the tests with two replicas, which the page calls `replicas`. */
const REPLICAS = 'e2e/tests/resilience/replicas/';
const patterns = ['*.test.ts', '*.itest.ts', '*.e2e.ts', `${REPLICAS}*.ts`];
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns], {
  cwd: root,
});
const testFiles = listed.toString().split('\0').filter(Boolean);

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
  const missing = caches
    .flatMap(({ tests }) => tests)
    .filter(({ file, title }) => {
      const found = testFiles.filter((path) =>
        file === 'replicas' ? path.startsWith(REPLICAS) : path.endsWith(`/${file}`),
      );
      const hasTest = (path) => ["'", '"'].some((quote) => text(path).includes(`it(${quote}${title}${quote}`));
      return (file !== 'replicas' && found.length !== 1) || !found.some(hasTest);
    });
  expect(missing).toEqual([]);
});
