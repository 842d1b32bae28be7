import type { vcsWorker } from '@parlance/contracts';
import { connectEvents } from '../connect-events';
import type { Operator } from '../connect';
import { run } from '../program';

const repository: vcsWorker.RepositorySummary__Output = {
  componentId: 7,
  vcs: 'git',
  url: 'https://git.example.com/texts.git',
  branch: 'main',
  head: 'a'.repeat(40),
  upstream: 'b'.repeat(40),
  ahead: 2,
  behind: 1,
  unpushedSinceMs: Date.parse('2026-01-02T03:04:05Z'),
  unmergedSinceMs: 0,
  failure: 'fatal: refused\nhint: retry',
  leaseHolder: 'worker-1',
  queueLength: 3,
};

/** Repositories of a component that exists and of one that was deleted. */
const repositories = [
  repository,
  { ...repository, componentId: 8, unpushedSinceMs: 0, failure: '', leaseHolder: '', queueLength: 0 },
];

/** Runs `repository list` with these repositories. */
async function list(...options: string[]) {
  const requests: object[] = [];
  const system = {
    vcsWorker: {
      listRepositories: async (request: object) => {
        requests.push(request);
        return { repositories };
      },
    },
    catalog: {
      batchGetComponents: async () => ({
        components: [{ id: 7, projectId: 1, path: 'texts' }],
        projects: [{ id: 1, slug: 'website' }],
      }),
    },
    close: () => undefined,
  } as unknown as Operator;
  let out = '';
  await run(['repository', 'list', ...options], {
    variables: {},
    connect: () => system,
    connectEvents: () => connectEvents({}),
    out: (text) => void (out += text),
    err: () => undefined,
    input: () => Promise.resolve(''),
  });
  return { requests, lines: out.trimEnd().split('\n') };
}

it('the table of repositories names the worker that holds each repository', async () => {
  const { requests, lines } = await list('--leased');
  expect(requests).toEqual([{ leased: true, page: { page: 1, pageSize: 1000 } }]);
  expect(lines).toEqual([
    'component      branch  ahead  behind  unpushed since    held by   queue  failure',
    'website/texts  main    2      1       2026-01-02 03:04  worker-1  3      fatal: refused',
    'deleted (8)    main    2      1       -                 -         0      -',
  ]);
});

it('the JSON of repositories names the worker that holds each repository', async () => {
  const { lines } = await list('--leased', '--json');
  const found = JSON.parse(lines.join('\n')) as object[];
  expect(found).toMatchObject([
    { component: 'website/texts', lease_holder: 'worker-1', queue_length: 3 },
    { component: null, lease_holder: null, queue_length: 0 },
  ]);
});
