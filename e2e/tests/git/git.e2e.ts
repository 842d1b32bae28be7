// Repositories of components, read with the git command.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';
import { form, unique } from '../../support/worlds.mjs';

const { api, base, token, user } = system();

const folder = mkdtempSync(join(tmpdir(), 'parlance-git-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  status: number | null;
  out: string;
  err: string;
}

/** Runs git without user settings and without a terminal for prompts. */
function tryGit(args: string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Client',
      GIT_AUTHOR_EMAIL: 'client@example.com',
      GIT_COMMITTER_NAME: 'Client',
      GIT_COMMITTER_EMAIL: 'client@example.com',
      ...env,
    },
  });
  return { status, out: stdout.trim(), err: stderr };
}
function git(...args: string[]): string {
  const { status, out, err } = tryGit(args);
  if (status !== 0) throw new Error(`git ${args.join(' ')} ended with ${status}: ${err}`);
  return out;
}
/** Clones into its own folder. Returns a function that runs git there. */
function clone(address: string, ...options: string[]): ((...args: string[]) => string) & { folder: string } {
  const target = join(folder, unique('clone'));
  git('clone', '--quiet', ...options, '--', address, target);
  return Object.assign((...args: string[]) => git('-C', target, ...args), { folder: target });
}
/** An address with a user name and password. */
const withPassword = (address: string, password: string | undefined, name = 'any-name') =>
  address.replace('://', `://${name}:${password}@`);

async function privateExample() {
  const remote = makeRemote();
  const made = await importExample(api, remote);
  await api.patch(`/api/projects/${made.project}/`, { access_control: 100 });
  return { ...made, remote, address: made.component.git_export as string };
}

describe('the repository of a component', () => {
  it('the repository of a component is cloned with the commits of Parlance and fetched again later', async () => {
    const remote = makeRemote();
    const { project, component, componentPath, path } = await importExample(api, remote);
    const address: string = component.git_export;
    expect(address).toBe(`${base}/git/${project}/example/`);
    const [upstream] = remote.log();
    const mine = clone(address);
    expect(mine('rev-parse', 'HEAD')).toBe(upstream!.hash);
    expect(readFileSync(join(mine.folder, 'po/cs.po'))).toEqual(remote.remoteFile('po/cs.po'));

    const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
    await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'commit' })).toMatchObject({ result: true });
    mine('pull', '--quiet', '--ff-only');
    expect(mine('rev-list', 'HEAD').split('\n').slice(1)).toEqual(remote.log().map((commit) => commit.hash));
    expect(mine('diff', '--stat', 'HEAD^', 'HEAD')).toContain('po/cs.po');
    expect(readFileSync(join(mine.folder, 'po/cs.po'))).toEqual(await api.bytes(`${path}/file/`));
    expect(remote.log()).toHaveLength(1);

    remote.write({ README: 'Another text.\n' });
    remote.commit('Explain');
    remote.push();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    mine('fetch', '--quiet');
    expect(mine('rev-parse', 'origin/main')).toBe(remote.log()[0]!.hash);
    expect(mine('for-each-ref', '--format=%(refname)', 'refs/remotes', 'refs/tags')).toBe(
      'refs/remotes/origin/HEAD\nrefs/remotes/origin/main',
    );
  });

  it.each(['0', '1', '2'])('a repository is readable by clients of protocol version %s', async (version) => {
    const remote = makeRemote();
    for (let at = 0; at < 60; at++) {
      remote.write({ README: `Text ${at}\n` });
      remote.commit(`Explain ${at}`);
    }
    remote.push();
    const { component, componentPath } = await importExample(api, remote);
    const speak = ['-c', `protocol.version=${version}`];
    const [newest] = remote.log();
    expect(git(...speak, 'ls-remote', component.git_export)).toBe(
      `${newest!.hash}\tHEAD\n${newest!.hash}\trefs/heads/main`,
    );
    const mine = clone(component.git_export, ...speak);
    expect(mine('rev-list', '--count', 'HEAD')).toBe('61');
    const shallow = clone(component.git_export, '--depth', '1', ...speak);
    expect(shallow('rev-list', '--count', 'HEAD')).toBe('1');
    // Git compresses a request that lists many local commits.
    for (let at = 0; at < 80; at++) mine('commit', '--quiet', '--allow-empty', '-m', `Mine ${at}`);
    remote.write({ README: 'The last text\n' });
    remote.commit('Explain');
    remote.push();
    await api.post(`${componentPath}/repository/`, { operation: 'pull' });
    const { status, err } = tryGit([...speak, '-C', mine.folder, 'fetch'], { GIT_TRACE_CURL: '1' });
    expect({ status, compressed: /content-encoding: gzip/i.test(err) }).toEqual({ status: 0, compressed: true });
    expect(mine('rev-parse', 'origin/main')).toBe(remote.log()[0]!.hash);
    shallow(...speak, 'fetch', '--quiet', '--unshallow');
    expect(shallow('rev-list', '--count', 'origin/main')).toBe('62');
    shallow('fsck', '--strict');
  });

  it('a repository in categories is found with encoded and unencoded slashes', async () => {
    const { project, componentPath } = await importExample(api, makeRemote());
    const category = await api.post('/api/categories/', {
      name: 'Outer',
      slug: 'outer',
      project: `${base}/api/projects/${project}/`,
    });
    const { git_export: address } = await api.patch(`${componentPath}/`, { category: category.url });
    expect(address).toBe(`${base}/git/${project}/outer/example/`);
    const refs = git('ls-remote', address);
    expect(refs).toContain('refs/heads/main');
    for (const other of [
      address.slice(0, -1),
      address.replace('outer/', 'outer%2F'),
      address.replace('outer/', 'outer%252F'),
    ])
      expect({ other, refs: git('ls-remote', other) }).toEqual({ other, refs });
  });

  it('components without a remote have a repository', async () => {
    const project = unique('local');
    await api.post('/api/projects/', { name: project, slug: project, web: 'https://example.com/' });
    const fields = { name: 'Texts', slug: 'texts', file_format: 'json', source_language: 'en', new_lang: 'add' };
    const { body, status } = await api.send(
      'POST',
      `/api/projects/${project}/components/`,
      form(fields, { field: 'docfile', bytes: Buffer.from('{"title": "Title"}\n'), filename: 'texts.json' }),
    );
    expect({ status, vcs: body.vcs }).toEqual({ status: 201, vcs: 'local' });
    await api.finished(body.task_url);
    const mine = clone(body.git_export);
    expect(mine('show', `HEAD:${body.template}`)).toContain('"Title"');
  });

  it('a large repository is sent completely, also after an aborted clone', async () => {
    const bytes = randomBytes(24 * 1024 * 1024);
    const remote = makeRemote({ ...exampleFiles(), 'image.bin': bytes });
    const { component } = await importExample(api, remote);
    const service = `${component.git_export}git-upload-pack`;
    const request = (want: string) => `0032want ${want}\n00000009done\n`;
    const client = new AbortController();
    const headers = { 'content-type': 'application/x-git-upload-pack-request' };
    const answer = await fetch(service, {
      method: 'POST',
      headers,
      body: request(remote.log()[0]!.hash),
      signal: client.signal,
    });
    expect(answer.headers.get('content-type')).toBe('application/x-git-upload-pack-result');
    await answer.body!.getReader().read();
    client.abort();
    expect(readFileSync(join(clone(component.git_export).folder, 'image.bin')).equals(bytes)).toBe(true);
  });
});

describe('read access to a repository', () => {
  it('cloning a repository that is not public requires a token', async () => {
    const { address, remote, project } = await privateExample();
    const head = remote.log()[0]!.hash;
    const anonymous = tryGit(['clone', address]);
    expect(anonymous.status).not.toBe(0);
    expect(anonymous.err).toMatch(/could not read Username/);
    // Anonymous callers cannot tell existing and missing repositories apart.
    const refsOf = (where: string) => `${where}info/refs?service=git-upload-pack`;
    const unknown = `${base}/git/${project}/unknown/`;
    const seen = await Promise.all(
      [address, unknown, `${base}/git/${unique('no')}/unknown/`].map(async (where) => {
        const { status, headers, body } = await makeApi(base).send('GET', refsOf(where));
        return { status, wants: headers.get('www-authenticate'), type: headers.get('content-type'), body };
      }),
    );
    expect(seen[0]).toMatchObject({ status: 401, wants: expect.stringMatching(/^Basic realm=/) });
    expect(seen[0]!.type).toMatch(/^text\/plain/);
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);

    expect(git('ls-remote', withPassword(address, token))).toContain(head);
    expect(git('ls-remote', withPassword(address, token, 'admin'))).toContain(head);
    for (const scheme of ['Token', 'Bearer'])
      expect(git('-c', `http.extraHeader=Authorization: ${scheme} ${token}`, 'ls-remote', address)).toContain(head);
    const script = join(folder, 'askpass');
    writeFileSync(script, '#!/bin/sh\ncase "$1" in User*) echo ann;; *) echo "$SECRET";; esac\n');
    chmodSync(script, 0o700);
    const asked = { GIT_ASKPASS: script, SECRET: token };
    expect(tryGit(['clone', '--quiet', address, 'asked'], asked)).toMatchObject({ status: 0 });
    expect(git('-C', 'asked', 'rev-parse', 'HEAD')).toBe(head);
    const wrong = tryGit(['ls-remote', address], { ...asked, SECRET: 'wrong' });
    expect(wrong.err).toMatch(/Authentication failed/);
    expect(wrong.status).not.toBe(0);
  });

  it('cloning requires access to the project and vcs.access', async () => {
    const { address, project, projectUrl } = await privateExample().then((made) => ({
      ...made,
      projectUrl: `/api/projects/${made.project}/`,
    }));
    const head = git('ls-remote', withPassword(address, token));
    const stranger = await user(unique('stranger'));
    const far = unique('far');
    await api.post('/api/projects/', { name: far, slug: far, web: 'https://example.com/' });
    const bot = (where: string) => api.post(`/api/projects/${where}/tokens/`, { name: unique('bot') });
    for (const [who, secret] of [
      ['stranger', stranger.token],
      ['foreign bot', (await bot(far)).token],
    ] as const) {
      const refused = tryGit(['ls-remote', withPassword(address, secret)]);
      expect({ who, status: refused.status, err: refused.err }).toEqual({
        who,
        status: 128,
        err: expect.stringContaining('not found'),
      });
    }
    // Members with other permissions get an error that names the missing one.
    const role = await api.post('/api/roles/', { name: unique('role'), permissions: ['unit.edit'] });
    const team = await api.post('/api/groups/', { name: unique('team'), defining_project: `${base}${projectUrl}` });
    await api.post(`/api/groups/${team.id}/roles/`, { role_id: role.id });
    await api.post(`/api/groups/${team.id}/projects/`, { project_id: (await api.get(projectUrl)).id });
    const member = await user(unique('member'));
    const { username } = (await member.get('/api/users/')).results[0];
    await api.post(`/api/users/${username}/groups/`, { group_id: team.id });
    const refused = tryGit(['ls-remote', withPassword(address, member.token)]);
    expect(refused.err).toMatch(/error: 403/);
    await api.patch(`/api/roles/${role.id}/`, { permissions: ['unit.edit', 'vcs.access'] });
    expect(git('ls-remote', withPassword(address, member.token))).toBe(head);
    expect(git('ls-remote', withPassword(address, (await bot(project)).token))).toBe(head);
  });
});

describe('rejected git requests', () => {
  let remote: ReturnType<typeof makeRemote>;
  let address: string;
  let project: string;
  beforeAll(async () => {
    remote = makeRemote();
    const made = await importExample(api, remote);
    ({ project } = made);
    address = made.component.git_export;
  });

  it('pushing is rejected with an explanation', () => {
    for (const where of [address, withPassword(address, token)]) {
      const mine = clone(where);
      mine('commit', '--quiet', '--allow-empty', '-m', 'Mine');
      const pushed = tryGit(['-C', mine.folder, 'push']);
      expect(pushed.status).not.toBe(0);
      expect(pushed.err).toMatch(/remote: This repository is read-only/);
    }
    expect(remote.log()).toHaveLength(1);
  });

  it('missing repositories are not found, also in place of existing ones', async () => {
    const linked = await addExample(api, project, 'linked', remote, {
      repo: `parlance://${project}/example`,
      branch: '',
    });
    expect(linked.component.git_export).toBe('');
    for (const where of [`${base}/git/${project}/linked/`, withPassword(`${base}/git/${project}/linked/`, token)]) {
      const shown = tryGit(['ls-remote', where]);
      expect(shown.err).toMatch(/remote: This component works in the repository of another one/);
      expect(shown.err).toMatch(/repository '.*' not found/);
    }
    for (const path of ['unknown', 'example/cs', 'example%2Funknown']) {
      const shown = tryGit(['ls-remote', withPassword(`${base}/git/${project}/${path}/`, token)]);
      expect({ path, err: shown.err }).toEqual({ path, err: expect.stringMatching(/repository '.*' not found/) });
    }
  });

  it('requests of obsolete git protocols are rejected', async () => {
    const text = expect.stringMatching(/^text\/plain/);
    const anonymous = makeApi(base);
    const dumb = await anonymous.send('GET', `${address}info/refs`);
    expect({ status: dumb.status, type: dumb.headers.get('content-type') }).toEqual({ status: 403, type: text });
    expect(dumb.body).toMatch(/smart protocol/);
    for (const path of ['HEAD', 'objects/info/packs', 'git-receive-pack', '']) {
      const { status, headers } = await anonymous.send('GET', `${address}${path}`);
      expect({ path, status, type: headers.get('content-type') }).toEqual({ path, status: 404, type: text });
    }
    const type = { 'content-type': 'application/x-git-upload-pack-request' };
    const zipped = { ...type, 'content-encoding': 'gzip' };
    const post = async (body: Buffer, headers: Record<string, string>) =>
      (await anonymous.send('POST', `${address}git-upload-pack`, body, headers)).status;
    const want = Buffer.from(`0032want ${remote.log()[0]!.hash}\n00000009done\n`);
    expect(await post(want, type)).toBe(200);
    expect(await post(gzipSync(want), zipped)).toBe(200);
    expect(await post(want, zipped)).toBe(400);
    expect(await post(want, { ...type, 'content-encoding': 'br' })).toBe(415);
    expect(await post(want, { 'content-type': 'application/json' })).toBe(415);
    expect(await post(gzipSync(Buffer.alloc(11 * 1024 * 1024)), zipped)).toBe(413);
    expect(await post(Buffer.alloc(11 * 1024 * 1024), type)).toBe(413);
    const refused = Buffer.from(`0032want ${'1'.repeat(40)}\n00000009done\n`);
    const answer = await anonymous.send('POST', `${address}git-upload-pack`, refused, type);
    expect(answer.body).toContain('ERR upload-pack: not our ref');
  });
});
