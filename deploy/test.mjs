// npm test: all checks and tests in one command. Stops at the first failing stage.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OLDEST_VERSION } from './oldest-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = mkdtempSync(join(tmpdir(), 'parlance-test-'));
const bin = (name) => join(root, 'node_modules/.bin', name);

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

/** Runs a command with visible output. Returns whether it succeeded. */
function succeeds(command, ...args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}

/** Runs a stage that counts as one test. */
const whole =
  (...command) =>
  () =>
    succeeds(...command) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** Runs a project of jest.config.js and counts its tests. Files that cannot run and projects without tests fail. */
const jest =
  (project, ...options) =>
  () => {
    const file = join(results, `${project}.json`);
    const succeeded = succeeds(bin('jest'), '--selectProjects', project, ...options, '--json', `--outputFile=${file}`);
    let report;
    try {
      report = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return { passed: 0, failed: 1 };
    }
    const passed = report.numPassedTests;
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    return { passed, failed: failed || Number(!succeeded || passed === 0) };
  };

/** Whether a commit is in the history. Shallow clones lack old ones, which is no error there. */
const isKnown = (commit) => git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`) !== '';
const isShallow = () => git('rev-parse', '--is-shallow-repository') === 'true';

/**
 * Contracts must stay backward compatible: compares them with the last release, or before the first one with the oldest version from which
 * an upgrade is supported.
 */
function breaking() {
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  if (!release && !isKnown(OLDEST_VERSION) && isShallow()) {
    process.stdout.write('Not compared: this clone has neither a release nor the oldest supported version.\n');
    return { passed: 1, failed: 0 };
  }
  return whole(bin('buf'), 'breaking', '--against', `.git#ref=${release || OLDEST_VERSION}`)();
}

/** First commit before the rule for subjects. */
const SUBJECTS_SINCE = 'b504cb8a6cd14b79de63f9f015489e24beb2024c';
const MAX_SUBJECT = 72;

/** Subjects of commits are `area: change`, at most 72 characters (CONTRIBUTING.md). Shallow clones are skipped. */
function subjects() {
  const known = isKnown(SUBJECTS_SINCE);
  if (!known && !isShallow()) {
    process.stdout.write(`The commit ${SUBJECTS_SINCE}, after which subjects are checked, is missing.\n`);
    return { passed: 0, failed: 1 };
  }
  const listed = known ? git('log', '--no-merges', '--format=%h %s', `${SUBJECTS_SINCE}..HEAD`) : '';
  const wrong = listed.split('\n').filter((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    return line && (subject.length > MAX_SUBJECT || !/^[\w./, -]+: \S/.test(subject));
  });
  if (wrong.length > 0)
    process.stdout.write(
      `Commit subjects must be "area: change", at most ${MAX_SUBJECT} characters:\n${wrong.join('\n')}\n`,
    );
  return { passed: Number(wrong.length === 0), failed: wrong.length };
}

const stages = {
  subjects,
  engines: whole(process.execPath, join(root, 'deploy/engines/cli.mjs'), 'images'),
  chromium: whole(process.execPath, join(root, 'e2e/browser/install.mjs')),
  types: whole('npm', 'run', '--silent', 'build'),
  lint: whole('npm', 'run', '--silent', 'lint'),
  contracts: breaking,
  licences: whole('npm', 'run', '--silent', 'licences'),
  audit: whole(process.execPath, join(root, 'deploy/release/audit-cli.mjs')),
  chart: whole(process.execPath, join(root, 'deploy/check-chart.mjs')),
  rules: whole(process.execPath, join(root, 'deploy/observability/check-rules.mjs')),
  unit: jest('unit', '--maxWorkers=2'),
  integration: jest('integration', '--maxWorkers=2'),
  ratios: whole(process.execPath, join(root, 'e2e/bench/endpoints/check.mjs')),
  // Two systems with two replicas of every process are too much for a small machine: requests would take longer than they may.
  e2e: jest('e2e', `--maxWorkers=${process.env.PARLANCE_E2E_REPLICAS ? 1 : 2}`),
  // One system, because these tests stop processes and engines or start a second system: with more, requests would take longer than they may.
  resilience: jest('resilience', '--maxWorkers=1'),
  // One system, because the browser takes the place of the other one.
  browser: jest('browser', '--runInBand'),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(stages, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no stage ${unknown.join(', ')}. Stages: ${Object.keys(stages).join(', ')}.\n`);
  process.exit(2);
}

const summary = [];
const total = { passed: 0, failed: 0 };
for (const [name, work] of Object.entries(stages)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stdout.write(`\n== ${name}\n`);
  const began = Date.now();
  const { passed, failed } = work();
  total.passed += passed;
  total.failed += failed;
  summary.push(
    `${name.padEnd(12)} ${String(passed).padStart(6)} passed ${String(failed).padStart(6)} failed ${((Date.now() - began) / 1000).toFixed(1).padStart(8)} s`,
  );
  if (failed > 0) break;
}
rmSync(results, { recursive: true, force: true });
const missed = (chosen.length || Object.keys(stages).length) - summary.length;
process.stdout.write(`\n${summary.join('\n')}\n`);
if (missed > 0) process.stdout.write(`${missed} further stages did not run.\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
