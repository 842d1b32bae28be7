import { execFileSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const MAX_FILES = 15;

/**
 * Source files of each folder by its path. A unit test beside the file that it tests does not count.
 * @param {readonly string[]} paths
 */
function sourcesByFolder(paths) {
  const present = new Set(paths);
  const folders = new Map();
  for (const path of paths.filter((candidate) => /\.(m?ts|[cm]?js)$/.test(candidate))) {
    if (present.has(path.replace(/\.test\.(m?ts|[cm]?js)$/, '.$1')) && /\.test\./.test(path)) continue;
    const folder = dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), basename(path)]);
  }
  return folders;
}

it('a unit test counts as a file of its folder only if the file that it tests is elsewhere', () => {
  const folders = sourcesByFolder(['a/b.ts', 'a/b.test.ts', 'a/c.test.ts', 'a/d.mjs', 'a/README.md', 'e.js']);
  expect([...folders]).toEqual([
    ['a', ['b.ts', 'c.test.ts', 'd.mjs']],
    ['.', ['e.js']],
  ]);
});

it(`no folder has more than ${MAX_FILES} source files side by side`, () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  const folders = sourcesByFolder(listed.toString().split('\0').filter(Boolean));
  expect(folders.size).toBeGreaterThan(100);
  expect([...folders].filter(([, files]) => files.length > MAX_FILES)).toEqual([]);
});
