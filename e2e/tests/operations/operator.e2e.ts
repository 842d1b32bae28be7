import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { databaseUri } from '../../../deploy/engines/engines.mjs';
import { eventually, makeApi } from '../../support/api.mjs';
import { engines, withMongo } from '../../support/installations/engines.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, operationsOf, parlance, system } from '../../support/system.mjs';

const { api, base, dataDir } = system();

/** Output of the operator's command as JSON. */
const json = (...args: string[]) => JSON.parse(parlance(...args, '--json'));

describe("the operator's command", () => {
  it("the operator's command finds a component whose pushes fail with the reason, and pushes it after the repair", async () => {
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

  it("the operator's command names the worker that holds a repository, and cancels and retries a task", async () => {
    const remote = makeRemote();
    const { project, componentPath, path } = await importExample(api, remote);
    const name = `${project}/example`;
    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    // The remote holds the push, and with it the lease of the repository, until the second file exists.
    const [held, release] = [join(remote.folder, 'held'), join(remote.folder, 'release')];
    const hook = join(remote.bare, 'hooks', 'pre-receive');
    writeFileSync(hook, `#!/bin/sh\ntouch '${held}'\nwhile [ ! -e '${release}' ]; do sleep 0.1; done\n`);
    chmodSync(hook, 0o755);
    const pushed = api.post(`${componentPath}/repository/`, { operation: 'push' });
    const pulls = () =>
      json('task', 'list', '--component', name).filter(({ kind }: { kind: string }) => kind === 'pull');
    let id: string;
    try {
      await eventually(
        async () => existsSync(held),
        (exists: boolean) => exists,
      );
      const [own] = json('repository', 'list', '--leased').filter(
        ({ component }: { component: string }) => component === name,
      );
      expect(own).toMatchObject({ lease_holder: expect.any(String) });
      const line = parlance('repository', 'list', '--leased')
        .split('\n')
        .find((each) => each.startsWith(name));
      expect(line).toContain(own.lease_holder);

      const answer = await makeApi(base).send('GET', `/hooks/update/${name}/`);
      expect(answer.status).toBeLessThan(300);
      const [pull] = await eventually(
        async () => pulls(),
        (list: unknown[]) => list.length > 0,
      );
      id = pull.id;
      expect(json('task', 'cancel', id)).toEqual({ id });
      expect(pulls()).toMatchObject([{ id, state: 'cancelled', error: 'The task was cancelled.' }]);
    } finally {
      writeFileSync(release, '');
    }
    expect(await pushed).toMatchObject({ result: true });
    expect(json('task', 'retry', id)).toEqual({ id });
    await api.finished(`/api/tasks/${id}/`);
    expect(pulls()).toMatchObject([{ id, state: 'done', error: null }]);
  });

  it("the operator's command resets a component to its remote branch", async () => {
    const { project, componentPath, path } = await importExample(api, makeRemote());
    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    await api.post(`${componentPath}/repository/`, { operation: 'commit' });
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_push: true });
    expect(json('component', 'reset', `${project}/example`)).toEqual({ result: true, detail: null });
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({ needs_commit: false, needs_push: false });
    expect((await api.get(`/api/units/${unit.id}/`)).target).toEqual(unit.target);
  });

  it("the operator's command lists the tasks of a component and shows the log of one", async () => {
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

  it("the operator's command shows the status of every part on one screen", async () => {
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
      lags: expect.any(Object),
      dead_letters: 0,
    });
    const disk = { name: 'clones', free_bytes: expect.any(Number), size_bytes: expect.any(Number) };
    const replica = { state: 'up', reason: null, version: status.version, started: expect.any(String) };
    const names = ['identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks', 'gateway'];
    const expected = names.flatMap((name) =>
      operationsOf(name).map(() => ({
        ...replica,
        name,
        address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        disks: name === 'vcs-worker' ? [disk] : [],
        schema: name === 'gateway' ? null : expect.objectContaining({ version: expect.any(Number) }),
      })),
    );
    expect(status.services).toEqual(expected);
    expect(status.repositories).toMatchObject({ unpushed: expect.any(Number), locked: expect.any(Number) });
    expect(status.repositories.unpushed).toBeGreaterThan(0);
    expect(parlance('status')).toMatch(/^dead letters +0$/m);
  });

  it('clones, imports and counts a component again without losing an edit', async () => {
    const { project, path, component } = await importExample(api, makeRemote());
    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    const statistics = await api.get(`${path}/statistics/`);
    const name = `${project}/example`;
    expect(json('component', 'reclone', name)).toEqual({ result: true, detail: null });
    expect(json('component', 'reimport', name)).toMatchObject({ result: true });
    const { MONGODB_URI } = engines('up', dataDir) as Record<string, string>;
    const { modifiedCount } = await withMongo(databaseUri(MONGODB_URI!, 'parlance_translation'), (client) =>
      client
        .db()
        .collection<{ component: number }>('translations')
        .updateOne({ component: component.id, languageCode: 'cs' }, { $inc: { 'counters.translated.s': 5 } }),
    );
    expect(modifiedCount).toBe(1);
    expect(json('component', 'recount', name)).toContainEqual({
      language: 'cs',
      strings: statistics.total,
      corrected: true,
    });
    expect(json('component', 'recount', name).map(({ corrected }: { corrected: boolean }) => corrected)).not.toContain(
      true,
    );
    expect(await api.get(`${path}/statistics/`)).toMatchObject({ translated: statistics.translated });
    expect((await api.get(`/api/units/${unit.id}/`)).target).toEqual(['Na shledanou']);
    expect(json('reindex')).toEqual({ requested: true });
    expect((await api.get(`${path}/units/?q=shledanou`)).count).toBe(1);
  });

  it("the operator's command lists teams and changes their members", async () => {
    const { project } = await importExample(api, makeRemote());
    const user = `u-${project}`;
    parlance('user', 'create', user);
    const team = json('team', 'list').find(
      (each: { project: string; name: string }) => each.project === project && each.name === 'Administration',
    );
    const mine = () => json('team', 'list', '--user', user).map(({ id }: { id: number }) => id);
    expect(mine()).not.toContain(team.id);
    parlance('team', 'add', user, String(team.id));
    expect(mine()).toContain(team.id);
    parlance('team', 'remove', user, String(team.id));
    expect(mine()).not.toContain(team.id);
    expect(() => parlance('team', 'add', user, 'Administration')).toThrow('Several teams are called');
  });

  it("the operator's command repeats a notification of a git host", async () => {
    const remote = makeRemote();
    const { project } = await importExample(api, remote);
    const answer = await makeApi(base).send('GET', `/hooks/update/${project}/example/`);
    expect(answer.status).toBeLessThan(300);
    const ofProject = () =>
      json('hook', 'list').filter(({ components }: { components: string[] }) =>
        components.includes(`${project}/example`),
      );
    const [first] = ofProject();
    expect(first).toMatchObject({ provider: 'update', verified: false });
    const repeated = json('hook', 'redeliver', first.id);
    expect(repeated).toMatchObject({ provider: 'update', components: [`${project}/example`] });
    expect(ofProject()).toHaveLength(2);
    await api.finished(`/api/tasks/${repeated.tasks[0]}/`);
  });

  it("the operator's command sends a failed webhook again", async () => {
    const { componentPath, path } = await importExample(api, makeRemote());
    let status = 410;
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.writeHead(status).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const addon = await api.post(`${componentPath}/addons/`, {
        name: 'weblate.webhook.webhook',
        configuration: {
          webhook_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          events: [5],
          secret: '',
        },
      });
      const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
      await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
      await eventually(
        async () => bodies.length,
        (count: number) => count > 0,
      );
      const list = (...args: string[]) => json('webhook', 'list', ...args);
      const [delivery] = list();
      expect(delivery).toMatchObject({ addon: addon.id, component: componentPath.split('/').slice(3, 5).join('/') });
      status = 200;
      json('webhook', 'redeliver', delivery.id);
      await eventually(
        async () => list('--state', 'delivered').map(({ id }: { id: string }) => id),
        (ids: string[]) => ids.includes(delivery.id),
      );
    } finally {
      server.close();
    }
  });

  it.each([
    [['task', 'retry', 'unknown'], 'Not found.'],
    [['webhook', 'redeliver', 'unknown'], 'Not found.'],
    [['hook', 'redeliver', 'unknown'], 'Not found.'],
    [['team', 'add', 'admin', 'unknown'], 'There is no team'],
    [['task', 'list', '--component', 'unknown'], 'is not of the form project/component'],
    [['repository', 'run', 'unknown/unknown', 'push'], 'Not found.'],
  ])('%j fails with a message', (args, message) => {
    expect(() => parlance(...args)).toThrow(message);
  });
});
