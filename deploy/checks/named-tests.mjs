// Tests that pages of the documentation name by the end of their file and their title.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Modules of the tests with two replicas, which pages call `replicas`. */
const REPLICAS = 'e2e/tests/resilience/replicas/';
const patterns = ['*.test.ts', '*.itest.ts', '*.e2e.ts', `${REPLICAS}*.ts`];

/**
 * Those of some tests that do not exist, or whose file is not the only one with that name.
 * @param {string} root folder of the repository
 * @param {{ file: string, title: string }[]} named
 */
export function missingTests(root, named) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns], {
    cwd: root,
  });
  const paths = listed.toString().split('\0').filter(Boolean);
  return named.filter(({ file, title }) => {
    const found = paths.filter((path) => (file === 'replicas' ? path.startsWith(REPLICAS) : path.endsWith(`/${file}`)));
    const hasTest = (path) => {
      const source = readFileSync(join(root, path), 'utf8');
      const before = ["'", '"']
        .map((quote) => source.split(`${quote}${title}${quote}`))
        .find(({ length }) => length > 1);
      // The titles of a test with several cases follow their list.
      return before !== undefined && /(\bit|\))\(\s*$/.test(before[0]);
    };
    return (file !== 'replicas' && found.length !== 1) || !found.some(hasTest);
  });
}
