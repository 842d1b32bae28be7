import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bad, good } from './cases.mjs';
import { features, FEATURES, featuresTable } from './features.mjs';

const root = join(__dirname, '../..');
const text = (path) => readFileSync(join(root, path), 'utf8');
const CASES = 'deploy/chart/cases.mjs';
const tests = features.flatMap(([, named]) => named);
/** Files that no command of a test runs by its name. */
const trialScripts = tests
  .map(({ path }) => path)
  .filter((path) => path.startsWith('deploy/trial/') && !path.includes('.test.'));

describe('the features of the chart', () => {
  it('every feature of the chart has a test, and every named test exists', () => {
    expect(features.filter(([, named]) => named.length === 0)).toEqual([]);
    const missing = tests.filter(({ path, title }) => {
      if (path === CASES) return !(title in good || title in bad);
      return !existsSync(join(root, path)) || !text(path).includes(title);
    });
    expect(missing).toEqual([]);
  });

  it('the trial on a cluster runs every script that a feature names', () => {
    const trial = text('deploy/try-on-kubernetes.sh');
    expect(trialScripts.length).toBeGreaterThan(0);
    expect(trialScripts.filter((path) => !trial.includes(`node ${path} `))).toEqual([]);
  });

  it('every case of the templates has a feature', () => {
    const named = new Set(tests.filter(({ path }) => path === CASES).map(({ title }) => title));
    expect([...Object.keys(good), ...Object.keys(bad)].filter((title) => !named.has(title))).toEqual([]);
  });

  it('docs/deployment/chart-features.md has the table of the features (npm run docs writes it)', () => {
    const compact = (page) => page.replace(/ +/g, ' ').replace(/-{2,}/g, '---');
    const page = text('docs/deployment/chart-features.md');
    for (const marker of FEATURES) expect(page).toContain(marker);
    expect(compact(page)).toContain(compact(featuresTable()));
  });
});
