// Takes every engine and every process away, one after the other, and compares the answers with docs/degraded-modes.md.
import { answerOf, makeRequests, takeAway } from '../../degraded/requests.mjs';
import { parts, requests } from '../../degraded/table.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { readinessOf, readinessReportOf } from '../../support/readiness.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, operationsOf, parlance, running, sumOfMetric, system } from '../../support/system.mjs';
import { metricsOf } from '../../support/telemetry/metrics.mjs';
import { form, pixel, unique } from '../../support/worlds.mjs';

type Sent = { status: number; headers: Headers; body: unknown };
type Send = (text: string, token: string) => Promise<Sent>;

const { api: checked, base, token } = system();
// Responses during an outage are compared with the table, not with the schema of their endpoint.
const api = makeApi(base, token);
let send: Record<string, Send>;
let path: string;
let unit: number;

beforeAll(async () => {
  const remote = makeRemote();
  const example = await importExample(checked, remote);
  path = example.path;
  unit = (await api.get(`${path}/units/?q=state:empty`)).results[0].id;
  const fields = { name: 'Window', project_slug: example.project, component_slug: 'example', language_code: 'cs' };
  const { body } = await api.send(
    'POST',
    '/api/screenshots/',
    form(fields, { field: 'image', bytes: pixel, filename: 'x.png' }),
  );
  const repository = remote.url
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2)
    .join('/');
  send = makeRequests(api, { ...example, unit, image: body.file_url, repository }) as Record<string, Send>;
});

const newToken = async (): Promise<string> =>
  (await api.post('/api/users/admin/tokens/', { name: unique('degraded') })).token;

/** The answers of all requests, sent at the same time. */
async function answers(
  text: string,
  freshToken: string,
  expected: Record<string, string> = {},
): Promise<Record<string, string>> {
  const entries = Object.keys(requests).map(async (request): Promise<[string, string]> => {
    return [request, await answerOf(() => send[request]!(text, freshToken), expected[request] ?? '')];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Consecutive requests of which every gateway gets one: the proxy in front of them takes turns. */
const eachGateway = (): number => 2 * operationsOf('gateway').length;

/** Requests that change nothing. */
const READS = ['project', 'unit', 'search', 'statistics', 'file', 'clone', 'image'];

/** Sends each read often enough that every gateway gets it. @returns the look-ups that a gateway's caches could not answer */
async function missesOfReads(): Promise<number> {
  const misses = () => sumOfMetric('gateway', 'parlance_cache_requests_total', 'result="miss"');
  const before = await misses();
  for (const request of READS) for (let time = 0; time < eachGateway(); time++) await send[request]!('', '');
  return (await misses()) - before;
}

/** Waits until no task runs, whose end changes the catalog, and every gateway knows the caller and the objects. */
async function settled(): Promise<void> {
  const states = ['prepared', 'waiting', 'running'].flatMap((state) => ['--state', state]);
  const tasks = () => JSON.parse(parlance('task', 'list', ...states, '--json')) as unknown[];
  await eventually(
    async () => tasks().length + (await missesOfReads()),
    (left: number) => left === 0,
  );
}

/**
 * Waits until every process is ready and answers every request. Every gateway knows the caller then, and an edit with the text is pending.
 * @returns a token that was not used yet
 */
async function recovered(text: string): Promise<string> {
  const readiness = () =>
    Promise.all(Object.values<string>(running().operations).map((address) => readinessOf(address)));
  await eventually(readiness, (all: number[]) => all.every((status) => status === 200));
  const made = () => newToken().catch(() => '');
  const [used, unused] = await eventually(
    async () => [await made(), await made()],
    (tokens: string[]) => !tokens.includes(''),
  );
  await eventually(
    () => answers(`Also ${text}`, used),
    (all: Record<string, string>) => Object.values(all).every((answer) => answer === 'works'),
  );
  await settled();
  for (let time = 1; time < eachGateway(); time++) await send['edit']!(`${text}, ${time}`, '');
  await api.patch(`/api/units/${unit}/`, { target: [text], state: 20 });
  return unused;
}

/** Processes that use Redis and are ready without it. */
const REDIS_USERS = ['gateway', 'identity', 'catalog', 'translation', 'vcs-worker', 'media'];

/** Waits until every process that uses Redis is ready and names Redis as missing on its operations port and in its metrics. */
async function redisIsNamed(): Promise<void> {
  for (const address of REDIS_USERS.flatMap((name): string[] => operationsOf(name))) {
    await eventually(
      () => readinessReportOf(address),
      ({ status, parts, problems }: Awaited<ReturnType<typeof readinessReportOf>>) =>
        status === 200 && parts['redis'] === 'down' && problems?.['redis'] !== undefined,
    );
    // Gauges are read at most every 10 s.
    await eventually(
      () => metricsOf(address),
      (text: string) => /^parlance_dependency_up\{[^}]*dependency="redis"[^}]*\} 0$/m.test(text),
    );
  }
}

describe('degraded modes', () => {
  it.each(Object.entries(parts))(
    'while %s is away, requests are answered as documented, and no acknowledged write is lost',
    async (part, { kind, answers: expected }) => {
      const fresh = await recovered(`Before ${part}`);
      const restore = takeAway(part, kind);
      let found: Record<string, string>;
      try {
        found = await answers(`Without ${part}`, fresh, expected);
        if (part === 'redis') await redisIsNamed();
      } finally {
        restore();
      }
      expect(found).toEqual(expected);
      const texts = expected['edit'] === 'works' ? [`Without ${part}`] : [`Before ${part}`, `Without ${part}`];
      const { body } = await eventually(
        () => api.send('GET', `/api/units/${unit}/`).catch(() => ({ status: 0 })),
        ({ status }: { status: number }) => status === 200,
      );
      expect(texts).toContain(body.target[0]);
      const history = await eventually(
        () => api.send('GET', `${path}/changes/?page_size=100`).catch(() => ({ status: 0 })),
        ({ status }: { status: number }) => status === 200,
      );
      const made = history.body.results.filter((change: { target: string }) => change.target === `Without ${part}`);
      expect(made.length).toBeLessThanOrEqual(1);
    },
    600_000,
  );
});
