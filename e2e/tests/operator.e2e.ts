import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRemote } from '../support/remotes.mjs';
import { importExample, parlance, system } from '../support/system.mjs';

const { api } = system();

/** Output of the operator's command as JSON. */
const json = (...args: string[]) => JSON.parse(parlance(...args, '--json'));

describe("the operator's command", () => {
  it('finds a component whose pushes fail with the reason, and pushes it after the repair', async () => {
    const remote = makeRemote();
    const { project, componentPath, path } = await importExample(api, remote);
    const name = `${project}/example`;
    const hook = join(remote.bare, 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "This branch is frozen." >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    await api.post(`${componentPath}/repository/`, { operation: 'commit' });
    const refused = await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(refused).toMatchObject({ result: false });

    const own = (list: { component: string }[]) => list.filter(({ component }) => component === name);
    expect(own(json('repository', 'list', '--failed'))).toEqual([
      {
        component: name,
        vcs: 'git',
        url: remote.url,
        branch: 'main',
        head: expect.stringMatching(/^[0-9a-f]{40}$/),
        upstream: expect.stringMatching(/^[0-9a-f]{40}$/),
        ahead: 1,
        behind: 0,
        unpushed_since: expect.any(String),
        unmerged_since: null,
        failure: expect.stringContaining('This branch is frozen.'),
        lease_holder: null,
        queue_length: 0,
      },
    ]);
    expect(own(json('repository', 'list', '--unpushed'))).toHaveLength(1);
    expect(own(json('repository', 'list', '--unmerged'))).toEqual([]);
    expect(parlance('repository', 'list', '--failed')).toContain(name);

    rmSync(hook);
    expect(json('repository', 'run', name, 'push')).toEqual({ result: true, detail: null });
    expect(own(json('repository', 'list', '--failed', '--unpushed'))).toEqual([]);
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Na shledanou');
  });

  it('lists the tasks of a component and shows the log of one', async () => {
    const { project } = await importExample(api, makeRemote());
    const tasks = json('task', 'list', '--component', `${project}/example`);
    expect(tasks).toContainEqual({
      id: expect.any(String),
      kind: 'import',
      state: 'done',
      component: `${project}/example`,
      progress: 100,
      attempts: 1,
      lost_workers: 0,
      worker: expect.any(String),
      created: expect.any(String),
      finished: expect.any(String),
      error: null,
    });
    const { id } = tasks.find(({ kind }: { kind: string }) => kind === 'import');
    expect(json('task', 'show', id)).toMatchObject({ id, completed: true, progress: 100, log: expect.any(Array) });
    expect(parlance('task', 'list', '--component', `${project}/example`)).toContain(id);
    expect(json('task', 'list', '--state', 'done', '--limit', '1')).toHaveLength(1);
  });

  it('shows the status of every part on one screen', async () => {
    const { project } = await importExample(api, makeRemote());
    const [unit] = (await api.get(`/api/translations/${project}/example/cs/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    await api.post(`/api/components/${project}/example/repository/`, { operation: 'commit' });
    const status = json('status');
    expect(status).toMatchObject({
      healthy: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      maintenance: { on: false },
      tasks: { waiting: expect.any(Number), running: expect.any(Number), failed: expect.any(Number) },
      dead_letters: 0,
    });
    expect(status.services).toEqual(
      ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'].map((name) => ({
        name,
        state: 'up',
        reason: null,
      })),
    );
    expect(status.repositories.unpushed).toBeGreaterThan(0);
    expect(parlance('status')).toMatch(/^dead letters +0$/m);
  });

  it.each([
    [['task', 'retry', 'unknown'], 'Not found.'],
    [['task', 'list', '--component', 'unknown'], 'is not of the form project/component'],
    [['repository', 'run', 'unknown/unknown', 'push'], 'Not found.'],
  ])('%j fails with a message', (args, message) => {
    expect(() => parlance(...args)).toThrow(message);
  });
});
