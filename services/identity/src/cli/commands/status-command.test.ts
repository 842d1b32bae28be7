import { connect } from '../connect';
import { connectEvents } from '../connect-events';
import { exitCodes, run } from '../program';
import { toText, type Status } from './status-command';

const status: Status = {
  healthy: true,
  version: '1.2.3',
  services: [
    {
      name: 'vcs-worker',
      address: '10.0.0.1:50051',
      state: 'degraded',
      reason: 'store: unreachable',
      version: '1.2.2',
      started: '2026-01-02T03:04:05.000Z',
      disks: [{ name: 'clones', free_bytes: 250, size_bytes: 1000 }],
      schema: { version: 0, wanted: 1, running: 'state-times', documents: 500 },
    },
    {
      name: 'vcs-worker',
      address: '10.0.0.2:50051',
      state: 'up',
      reason: null,
      version: '1.2.3',
      started: '2026-01-02T03:05:05.000Z',
      disks: [],
      schema: { version: 1, wanted: 1, running: null, documents: 0 },
    },
    {
      name: 'media',
      address: null,
      state: 'unknown',
      reason: 'MEDIA_ADDRESS is not set',
      version: null,
      started: null,
      disks: [],
      schema: null,
    },
  ],
  maintenance: { on: true, message: 'Upgrade', retry_after: 60, since: '2026-01-01T00:00:00.000Z' },
  tasks: { waiting: 2, running: 1, failed: 10_000 },
  repositories: { failed: 1, unpushed: 3, unmerged: 0, locked: 1 },
  lags: { 'statistics-counters': 12 },
  dead_letters: 0,
};

describe('the status of the installation', () => {
  it('the text has a line for each part', () => {
    expect(toText(status).split('\n')).toEqual([
      'part                       state',
      'status                     healthy',
      'version                    1.2.3',
      'vcs-worker 10.0.0.1:50051  degraded (store: unreachable), version 1.2.2, since 2026-01-02 03:04, disk of clones 25 % free, schema 0 of 1 (state-times: 500 documents converted)',
      'vcs-worker 10.0.0.2:50051  up, version 1.2.3, since 2026-01-02 03:05, schema 1 of 1',
      'media                      unknown (MEDIA_ADDRESS is not set)',
      'maintenance                on',
      'tasks                      2 waiting, 1 running, 10000 or more failed',
      'repositories               1 failed, 3 unpushed, 0 unmerged, 1 locked; `repository list --failed` names the failures',
      'event lag                  statistics-counters 12',
      'dead letters               0',
    ]);
  });

  it('the text names the reason of every unknown part', () => {
    const unknown = { unknown: 'no address' };
    const text = toText({
      ...status,
      maintenance: unknown,
      tasks: unknown,
      repositories: unknown,
      lags: unknown,
      dead_letters: unknown,
    });
    expect(text.match(/unknown \(no address\)/g)).toHaveLength(5);
  });

  it('a service that is away makes the status unhealthy, and parts without an address are unknown', async () => {
    let out = '';
    const code = await run(['status', '--json'], {
      variables: { GATEWAY_OPERATIONS_ADDRESS: '127.0.0.1:3' },
      connect: () => connect({ IDENTITY_ADDRESS: '127.0.0.1:1,127.0.0.1:2', PARLANCE_SERVICE_SECRET: 'x'.repeat(32) }),
      connectEvents: async () => connectEvents({}),
      out: (text) => void (out += text),
      err: () => undefined,
      input: () => Promise.resolve(''),
    });
    expect(code).toBe(exitCodes.failure);
    const none = { address: null, version: null, started: null, disks: [], schema: null };
    const silent = { name: 'identity', state: 'down', reason: 'The service does not answer.' };
    const unknown = (setting: string) => ({ unknown: expect.stringMatching(new RegExp(`^${setting} is not set`)) });
    expect(JSON.parse(out)).toMatchObject({
      healthy: false,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      services: expect.arrayContaining([
        { ...none, ...silent, address: '127.0.0.1:1' },
        { ...none, ...silent, address: '127.0.0.1:2' },
        {
          ...none,
          name: 'gateway',
          address: '127.0.0.1:3',
          state: 'down',
          reason: 'The gateway does not answer.',
        },
        { ...none, name: 'hooks', state: 'unknown', reason: expect.stringMatching(/^HOOKS_ADDRESS is not set/) },
      ]),
      maintenance: unknown('CATALOG_ADDRESS'),
      tasks: unknown('VCS_WORKER_ADDRESS'),
      repositories: unknown('VCS_WORKER_ADDRESS'),
      lags: unknown('NATS_URL'),
      dead_letters: unknown('NATS_URL'),
    });
  });
});
