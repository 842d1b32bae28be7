import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricDefinitions, metricsTable, processNames, type MetricDefinition, type ProcessName } from './index';
import { grpcMetrics } from './topics/grpc';

const root = join(__dirname, '../../../..');

const files = new Map<string, (readonly [name: string, text: string])[]>();

/** Source files of a package without its tests. */
function filesOf(folder: string): (readonly [name: string, text: string])[] {
  const known = files.get(folder);
  if (known) return known;
  const read = readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => [name, readFileSync(join(root, folder, 'src', name), 'utf8')] as const);
  files.set(folder, read);
  return read;
}

/** Sources of a package without its tests. */
const sourcesOf = (folder: string): string =>
  filesOf(folder)
    .map(([, text]) => text)
    .join('\n');

/** Metrics that a package creates. */
const createdIn = (folder: string): string[] =>
  [...sourcesOf(folder).matchAll(/\b(?:counter|gauge|histogram)\('(parlance_\w+)'\)/g)].map(([, name]) => name!);

/** Processes that the table names for a metric. */
const processesOf = (name: string): readonly ProcessName[] => {
  const { processes }: MetricDefinition = metricDefinitions[name as keyof typeof metricDefinitions];
  return processes === 'all' ? processNames : processes;
};

/** Adds the libs that a package imports, directly or through other libs. Commands are left out: they serve no metrics. */
function addLibsOf(folder: string, found: Set<string>): Set<string> {
  for (const [name, text] of filesOf(folder))
    for (const [, lib] of name.startsWith('cli/') ? [] : text.matchAll(/from '@parlance\/([\w-]+)/g))
      if (!found.has(`libs/${lib}`)) addLibsOf(`libs/${lib}`, found.add(`libs/${lib}`));
  return found;
}

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

  it('the table of metrics names the processes that use a lib for the metrics of the lib', () => {
    const measured = packages.filter(
      (folder) => folder.startsWith('libs/') && folder !== 'libs/telemetry' && createdIn(folder).length > 0,
    );
    const wrong = processNames.flatMap((process) => {
      const used = addLibsOf(process === 'gateway' ? process : `services/${process}`, new Set());
      return measured
        .filter((lib) => createdIn(lib).flatMap(processesOf).includes(process) !== used.has(lib))
        .map((lib) => `${process} ${used.has(lib) ? 'uses' : 'does not use'} ${lib}`);
    });
    expect(wrong).toEqual([]);
  });

  it('the table of metrics has a value of the label `method` for every RPC of the contracts', () => {
    const contracts = readdirSync(join(root, 'protos'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.proto'))
      .map((name) => readFileSync(join(root, 'protos', name), 'utf8'));
    const methods = new Set(contracts.flatMap((text) => [...text.matchAll(/^\s*rpc (\w+)/gm)].map(([, name]) => name)));
    const bounds = Object.values<MetricDefinition>(grpcMetrics)
      .map(({ labels }) => labels?.['method'])
      .filter((bound) => bound !== undefined);
    expect(methods.size).toBeGreaterThan(200);
    expect(bounds.length).toBeGreaterThan(0);
    for (const bound of bounds) expect('max' in bound && bound.max).toBeGreaterThanOrEqual(methods.size);
  });

  it('the table of metrics is the only place that names metrics to prom-client', () => {
    const others = packages.filter((folder) => folder !== 'libs/telemetry');
    expect(others.filter((folder) => sourcesOf(folder).includes('prom-client'))).toEqual([]);
  });
});
