// Starts the longest test files first, so that no worker is left alone with one of them at the end of a run. Without timings of an
// earlier run, as in a fresh checkout, jest sorts by file size, and some of the longest files are among the smallest.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer');

/**
 * The longest files, which take a minute or more alone. Those that start a system of their own alternate with others: two more systems
 * at the same time are too much for a small machine.
 */
export const LONGEST = [
  'operations/keys',
  'resilience/chaos-run',
  'resilience/degraded-modes',
  'resilience/replicas',
  'accounts/permissions',
  'operations/credentials',
  'resilience/wrong-credentials',
  'operations/tls',
  'operations/backup',
].map((name) => fileURLToPath(new URL(`tests/${name}.e2e.ts`, import.meta.url)));

export default class LongestFirst extends Sequencer {
  /** @param {{path: string}[]} tests */
  sort(tests) {
    const longest = LONGEST.flatMap((path) => tests.filter((test) => test.path === path));
    return [...longest, ...super.sort(tests.filter(({ path }) => !LONGEST.includes(path)))];
  }
}
