import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { services as serviceNames } from '../../../../deploy/processes.mjs';
import { callsPerReplica } from '../../../bench/support/shares.mjs';
import { eventually } from '../../../support/api.mjs';
import { parlanceOn } from '../../../support/system.mjs';
import { metricsOf, sumOfSamples } from '../../../support/telemetry/metrics.mjs';
import { together } from '../../../support/together.mjs';
import { api, dataDir, ROUNDS, single, world } from './installation';

/** Responses with status 503 of each gateway. */
async function rejectedByGateways(): Promise<number[]> {
  const { operations } = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
  const gateways = Object.entries<string>(operations).filter(([name]) => name.startsWith('gateway'));
  return Promise.all(
    gateways.map(async ([, address]) => {
      const text = await metricsOf(address);
      return sumOfSamples(text, 'parlance_http_requests_total', ['status="503"']);
    }),
  );
}

describe('operation with two replicas', () => {
  it('edits of one string through both replicas are neither lost nor doubled', async () => {
    const { id } = await single();
    const texts = Array.from({ length: 12 }, (_, i) => `Concurrent ${i}`);
    await together(
      texts.map((text) => () => api.patch(`/api/units/${id}/`, { target: [text], state: 20 })),
      4,
    );
    const changes = await api.all(`${world.path}/changes/?page_size=100`);
    const made = changes
      .map((change: { target: string }) => change.target)
      .filter((text: string) => texts.includes(text));
    expect(made.sort()).toEqual([...texts].sort());
    expect(texts).toContain((await api.get(`/api/units/${id}/`)).target[0]);
  });

  it('maintenance mode rejects writes and notifications on every gateway, reads continue, and it ends', async () => {
    const unit = await single();
    const path = `/api/units/${unit.id}/`;
    const edit = () => api.send('PATCH', path, { target: ['Maintained'], state: 20 });
    const url = `${api.base}/git/${world.project}/example/`;
    const branches = () =>
      execFileSync('git', ['-c', `http.extraHeader=Authorization: Token ${api.token}`, 'ls-remote', url, 'main'], {
        encoding: 'utf8',
      });
    parlanceOn(dataDir, 'maintenance', 'on', '--message', 'Upgrade until noon.', '--retry-after', '120');
    try {
      await eventually(
        async () => (await edit(), rejectedByGateways()),
        (counts: number[]) => counts.length === 2 && counts.every((count) => count > 0),
      );
      for (let round = 0; round < ROUNDS; round++) {
        for (const { status, headers, body } of [
          await edit(),
          await api.send('DELETE', path),
          await api.send('POST', '/hooks/github/', { ref: 'refs/heads/main' }),
          await api.send('GET', `/hooks/update/${world.project}/`),
        ]) {
          expect({ status, retryAfter: headers.get('retry-after'), body }).toEqual({
            status: 503,
            retryAfter: '120',
            body: {
              detail: 'Upgrade until noon.',
              type: 'server_error',
              errors: [{ attr: null, code: 'maintenance', detail: 'Upgrade until noon.' }],
            },
          });
        }
        expect((await api.get(path)).id).toBe(unit.id);
        expect((await api.send('GET', '/readyz')).status).toBe(200);
      }
      expect(branches()).toContain('refs/heads/main');
      expect(JSON.parse(parlanceOn(dataDir, 'maintenance', 'status', '--json'))).toEqual({
        on: true,
        message: 'Upgrade until noon.',
        retry_after: 120,
        since: expect.any(String),
      });
    } finally {
      parlanceOn(dataDir, 'maintenance', 'off');
    }
    await eventually(edit, ({ status }: { status: number }) => status === 200);
    expect((await api.get(path)).target).toEqual(['Maintained']);
    expect(parlanceOn(dataDir, 'maintenance', 'status')).toBe('Maintenance mode is off.');
  });

  it('the status has every replica of every service and both gateways', () => {
    const { services } = JSON.parse(parlanceOn(dataDir, 'status', '--json')) as {
      services: { name: string; address: string; state: string; started: string }[];
    };
    expect(services.map(({ state }) => state)).toEqual(Array<string>(16).fill('up'));
    const names = [...serviceNames, 'gateway'];
    expect(services.map(({ name }) => name)).toEqual(names.flatMap((name) => [name, name]));
    expect(new Set(services.map(({ address }) => address)).size).toBe(16);
    const text = parlanceOn(dataDir, 'status');
    for (const { name, address } of services) expect(text).toContain(`${name} ${address} `);
  });

  it('every replica answers calls', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await api.get('/api/screenshots/');
      await api.send('POST', '/hooks/github/', {
        ref: 'refs/heads/main',
        repository: { full_name: 'example/unknown' },
      });
    }
    const calls = await callsPerReplica(dataDir);
    expect(Object.keys(calls)).toHaveLength(8);
    for (const counts of Object.values(calls)) {
      expect(counts).toHaveLength(2);
      expect(Math.min(...counts)).toBeGreaterThan(0);
    }
  });
});
