import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions, metricsTable, type MetricDefinition, type ProcessName } from './index';

const root = join(__dirname, '../../../..');

/** Sources of a package without its tests. */
function sourcesOf(folder: string): string {
  return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, folder, 'src', name), 'utf8'))
    .join('\n');
}

/** Metrics that a package creates. */
const createdIn = (folder: string): string[] =>
  [...sourcesOf(folder).matchAll(/\b(?:counter|gauge|histogram)\('(parlance_\w+)'\)/g)].map(([, name]) => name!);

const packages = [
  ...readdirSync(join(root, 'libs')).map((name) => `libs/${name}`),
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  'gateway',
];

describe('docs/metrics.md', () => {
  it('docs/metrics.md has the table of metrics as it is in the code (npm run docs writes it)', () => {
    const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
    expect(page.slice(page.indexOf('## ')).trimEnd().split('\n')).toEqual(metricsTable().split('\n'));
  });
});

describe('the table of metrics', () => {
  it('the table of metrics has a row for every metric of the code, and code for every row', () => {
    const created = new Set(packages.flatMap(createdIn));
    expect([...created].sort()).toEqual(Object.keys(metricDefinitions).sort());
  });

  it('the table of metrics names the processes that create a metric', () => {
    const wrong = packages
      .filter((folder) => !folder.startsWith('libs/'))
      .flatMap((folder) => {
        const process = folder.replace('services/', '') as ProcessName;
        return createdIn(folder).filter((name) => {
          const { processes }: MetricDefinition = metricDefinitions[name as keyof typeof metricDefinitions];
          return processes === 'all' || !processes.includes(process);
        });
      });
    expect(wrong).toEqual([]);
  });

  it('the table of metrics is the only place that names metrics to prom-client', () => {
    const others = packages.filter((folder) => folder !== 'libs/telemetry');
    expect(others.filter((folder) => sourcesOf(folder).includes('prom-client'))).toEqual([]);
  });
});
