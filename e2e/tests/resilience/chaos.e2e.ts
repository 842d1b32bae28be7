import { makeRemote } from '../../support/remotes.mjs';
import { eventually } from '../../support/api.mjs';
import { readinessOf } from '../../support/readiness.mjs';
import { importExample, parlance, running, system } from '../../support/system.mjs';
import { execFileSync } from 'node:child_process';
import { services } from '../../../deploy/processes.mjs';

const { api } = system();
const remote = makeRemote();

/** Pauses the relay in front of NATS, so that writes are stored and their events are not published; or restarts it. */
function nats(action: 'pause' | 'unpause' | 'restart'): void {
  execFileSync('docker', [action, running().containers.nats], { stdio: 'pipe' });
}

/** Readiness reports of the processes that use NATS. */
const readiness = () => Promise.all(services.map((name) => readinessOf(running().operations[name])));
const allReady = () => eventually(readiness, (states: number[]) => states.every((status) => status === 200));

/** The status of an installation that is not healthy, for which the command fails. */
function unhealthyStatus(): object {
  try {
    parlance('status', '--json');
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout);
  }
  throw new Error('The installation is healthy.');
}

describe('what a crash leaves behind', () => {
  it('an edit whose process is killed between the write and the event is counted and published', async () => {
    const { path } = await importExample(api, remote);
    const [, , farewell] = await api.all(`${path}/units/`);
    const before = await api.get(`${path}/statistics/`);
    nats('pause');
    // The write is stored; the response waits for the event, which cannot be published.
    const request = api
      .send('PATCH', `/api/units/${farewell.id}/`, { target: ['Přežilo'], state: 20 })
      .catch((error: unknown) => error);
    const killed = running().processes.translation;
    try {
      await eventually(
        () => api.send('GET', `/api/units/${farewell.id}/`),
        (answer: { body: { target: string[] } }) => answer.body.target[0] === 'Přežilo',
      );
      process.kill(killed, 'SIGKILL');
    } finally {
      nats('unpause');
    }
    await request;
    await eventually(
      () => running().processes.translation,
      (pid: number) => pid !== killed,
    );
    const statistics = await eventually(
      () => api.send('GET', `${path}/statistics/`),
      (answer: { status: number; body: { translated: number } }) =>
        answer.status === 200 && answer.body.translated === before.translated + 1,
    );
    expect(statistics.body.total).toBe(3);
    const changes = await api.all(`${path}/changes/`);
    expect(changes.filter((c: { target: string }) => c.target === 'Přežilo')).toHaveLength(1);
  });

  it('edits are saved while NATS is down, readiness reports the outage, and statistics catch up afterwards', async () => {
    const { path } = await importExample(api, remote);
    const [, , farewell] = await api.all(`${path}/units/`);
    const before = await api.get(`${path}/statistics/`);
    // Another replica answers while the one that was killed starts again.
    await allReady();
    nats('pause');
    try {
      expect(await readiness()).toEqual(Array<number>(7).fill(503));
      expect(unhealthyStatus()).toMatchObject({
        services: expect.arrayContaining([expect.objectContaining({ name: 'hooks', state: 'degraded' })]),
        repositories: { failed: expect.any(Number) },
        dead_letters: { unknown: expect.stringContaining('event server') },
      });
      const edit = { target: ['Bez front'], state: 20 };
      expect((await api.send('PATCH', `/api/units/${farewell.id}/`, edit)).status).toBe(200);
      expect((await api.get(`${path}/`)).translated).toBe(before.translated + 1);
    } finally {
      nats('unpause');
    }
    await eventually(
      () => api.get(`${path}/statistics/`),
      (statistics: { translated: number }) => statistics.translated === before.translated + 1,
    );
    await allReady();
  });

  it('statistics include every edit as soon as processes are ready after a restart of NATS', async () => {
    const { path } = await importExample(api, remote);
    const [, , farewell] = await api.all(`${path}/units/`);
    const { translated } = await api.get(`${path}/statistics/`);
    nats('restart');
    await allReady();
    for (const [target, more] of [
      ['Po startu', 1],
      ['', 0],
      ['A znovu', 1],
    ] as const) {
      await api.patch(`/api/units/${farewell.id}/`, { target: [target], state: target ? 20 : 0 });
      expect((await api.get(`${path}/statistics/`)).translated).toBe(translated + more);
    }
  });

  it('a process that receives SIGTERM finishes its requests', async () => {
    const { path } = await importExample(api, remote);
    const [hello] = await api.all(`${path}/units/`);
    const pid = running().processes.translation;
    const edits = Array.from({ length: 20 }, (_, i) =>
      api.send('PATCH', `/api/units/${hello.id}/`, { target: [`Edit ${i}`], state: 20 }),
    );
    process.kill(pid, 'SIGTERM');
    const statuses = (await Promise.all(edits)).map((a: { status: number }) => a.status);
    await eventually(
      () => running().processes.translation,
      (now: number) => now !== pid,
    );
    await eventually(
      () => api.send('GET', `${path}/units/`),
      (answer: { status: number }) => answer.status === 200,
    );
    // Each edit was saved, rejected as unavailable or timed out during the restart; edits answered with 200 are in the history.
    expect(statuses.filter((s: number) => ![200, 503, 504].includes(s))).toEqual([]);
    const changes = await api.all(`${path}/changes/?action=2`);
    expect(changes.length).toBeGreaterThanOrEqual(statuses.filter((s: number) => s === 200).length);
  });
});
