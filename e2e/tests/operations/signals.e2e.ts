import { metricDefinitions, type MetricDefinition } from '@parlance/telemetry';
import { processes, services } from '../../../deploy/processes.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, operationsOf, sumOfMetric, system } from '../../support/system.mjs';

const { api, base } = system();
const definitions = Object.entries<MetricDefinition>(metricDefinitions);

async function scrape(process: string): Promise<string> {
  const [address] = operationsOf(process);
  const response = await fetch(`http://${address}/metrics`);
  expect(response.headers.get('content-type')).toContain('application/openmetrics-text; version=1.0.0');
  return response.text();
}

/** Failed queries of gauges. The system may have had outages in earlier tests. */
const refreshFailures = () =>
  Promise.all(processes.map((process) => sumOfMetric(process, 'parlance_metrics_refresh_failures_total')));

let path: string;
let failuresBefore: number[];

beforeAll(async () => {
  failuresBefore = await refreshFailures();
  const remote = makeRemote();
  const example = await importExample(api, remote, { push: remote.url });
  ({ path } = example);
  const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
  await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
  expect(await api.post(`${example.componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
  const repository = { name: 'remote', owner: { login: 'example' }, clone_url: remote.url, html_url: remote.url };
  const hook = { ref: 'refs/heads/main', repository: { ...repository, url: remote.url } };
  const answer = await makeApi(base).send('POST', '/hooks/github/', hook, { 'x-github-event': 'push' });
  expect(answer.status).toBe(200);
});

it.each(processes)('%s exports the metrics that the table promises', async (process) => {
  const text = await scrape(process);
  const exported = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`));
  const promised = definitions
    .filter(([, { processes: own }]) => own === 'all' || (own as readonly string[]).includes(process))
    .map(([name, { type }]) => `${type === 'counter' ? name.replace(/_total$/, '') : name} ${type}`);
  expect(promised.filter((metric) => !exported.has(metric))).toEqual([]);
  expect(text.endsWith('# EOF\n')).toBe(true);
});

it('One edit on its way to git is visible in every signal', async () => {
  expect(
    await sumOfMetric('gateway', 'parlance_http_requests_total', 'route="/api/units/:unit/"', 'status="200"'),
  ).toBeGreaterThan(0);
  expect(
    await sumOfMetric('gateway', 'parlance_grpc_client_calls_total', 'service="translation"', 'status="OK"'),
  ).toBeGreaterThan(0);
  expect(
    await sumOfMetric('translation', 'parlance_grpc_server_calls_total', 'method="UpdateUnit"', 'status="OK"'),
  ).toBeGreaterThan(0);
  for (const operation of ['clone', 'fetch', 'commit', 'push'])
    expect(
      await sumOfMetric('vcs-worker', 'parlance_git_operations_total', `operation="${operation}"`, 'reason="ok"'),
    ).toBeGreaterThan(0);
  expect(await sumOfMetric('vcs-worker', 'parlance_edit_commit_delay_seconds_count')).toBeGreaterThan(0);
  expect(await sumOfMetric('vcs-worker', 'parlance_repository_lease_wait_seconds_count')).toBeGreaterThan(0);
  expect(await sumOfMetric('hooks', 'parlance_hook_deliveries_total', 'outcome="matched"')).toBeGreaterThan(0);
  const some = (count: number) => count > 0;
  await eventually(() => sumOfMetric('vcs-worker', 'parlance_task_latency_seconds_count', 'kind="pull"'), some);
  await eventually(() => sumOfMetric('statistics', 'parlance_event_delay_seconds_count', 'statistics-live'), some);
  for (const process of services)
    expect(await sumOfMetric(process, 'parlance_store_command_duration_seconds_count')).toBeGreaterThan(0);
});

it('gauges of unfinished work return to 0', async () => {
  for (const process of processes) expect((await scrape(process)).match(/parlance_dependency_up\{.*\} 0$/m)).toBeNull();
  expect(await refreshFailures()).toEqual(failuresBefore);
  expect(await sumOfMetric('vcs-worker', 'parlance_work_directory_free_bytes')).toBeGreaterThan(0);
  await eventually(
    () => sumOfMetric('gateway', 'parlance_http_requests_in_flight'),
    (requests: number) => requests === 0,
  );
  // Gauges are read at most every 10 s.
  await eventually(
    () => sumOfMetric('vcs-worker', 'parlance_consumer_lag_events'),
    (lag: number) => lag === 0,
  );
});

it('A histogram links to the trace of a sampled request', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await api.send('GET', `${path}/units/`, undefined, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  for (const process of ['gateway', 'translation'])
    expect(await scrape(process)).toContain(`# {trace_id="${traceId}"}`);
});

it('A client cannot add label values with unknown paths', async () => {
  await makeApi(base).send('GET', `/api/${'x'.repeat(20)}/`);
  expect(await scrape('gateway')).not.toContain('xxxxxxxxxx');
});
