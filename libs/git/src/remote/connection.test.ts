import { connect, redirectTarget } from './connection';
import type { RemoteUrl } from './remote-url';

const policy = { allowPrivate: false, resolve: async () => ['8.8.8.8', '2606:4700::1111'] };
const ssh = { knownHostsFile: "/data/it's/known_hosts", keyFile: '/keys/id' };

describe('a connection to a remote', () => {
  it('a connection to a remote is pinned to the addresses that were checked', async () => {
    const https = await connect('https://user:pw@git.example/a', policy, ssh);
    expect(https.environment).toMatchObject({
      protocol: 'https',
      settings: [
        ['http.curloptResolve', 'git.example:443:8.8.8.8,[2606:4700::1111]'],
        ['remote.origin.url', 'https://user:pw@git.example/a'],
      ],
    });
    expect(https.secrets).toContain('pw');
    expect((await connect('git://git.example:9999/a', policy, ssh)).environment).toMatchObject({
      virtualHost: 'git.example:9999',
      settings: [['remote.origin.url', 'git://8.8.8.8:9999/a']],
    });
    const { sshCommand } = (await connect('git@git.example:a', policy, ssh)).environment;
    expect(sshCommand).toContain("-o 'HostName=8.8.8.8' -o 'HostKeyAlias=git.example'");
    expect(sshCommand).toContain(String.raw`'UserKnownHostsFile=/data/it'\''s/known_hosts'`);
    expect(sshCommand).toContain("'StrictHostKeyChecking=accept-new'");
  });

  it('a connection to a remote is not pinned where private addresses are allowed', async () => {
    expect((await connect('http://localhost:3000/a', { allowPrivate: true }, ssh)).environment).toEqual({
      protocol: 'http',
      settings: [['remote.origin.url', 'http://localhost:3000/a']],
    });
  });
});

describe('redirects of a remote', () => {
  const follow = (answers: Record<string, string>, text = 'https://user:pw@old.example/a', resolve = policy.resolve) =>
    redirectTarget(
      text,
      { allowPrivate: false, resolve },
      undefined,
      async (url: RemoteUrl) => answers[`${url.host}${url.path}`] ?? null,
    );
  const query = '/info/refs?service=git-upload-pack';

  it('redirects of a remote are followed to the last target, with credentials for the same host only', async () => {
    expect(await follow({})).toBeNull();
    expect(await follow({ 'old.example/a': `https://old.example/b${query}` })).toBe('https://user:pw@old.example/b');
    expect(await follow({ 'old.example/a': `/b${query}`, 'old.example/b': `https://new.example/c.git${query}` })).toBe(
      'https://new.example/c.git',
    );
  });
  it('redirects of a remote are ignored unless they point to a repository', async () =>
    expect(await follow({ 'old.example/a': 'https://old.example/login' })).toBeNull());
  it.each([
    `http://old.example/a${query}`,
    `file:///etc${query}`,
    `git://old.example/a${query}`,
    `ssh://old.example/a${query}`,
  ])('redirects of a remote are refused if they leave https: %s', async (location) => {
    await expect(follow({ 'old.example/a': location })).rejects.toMatchObject({ problem: 'refused' });
  });
  it('redirects of a remote are refused if they form a loop', async () => {
    await expect(
      follow({ 'old.example/a': `https://old.example/b${query}`, 'old.example/b': `https://old.example/a${query}` }),
    ).rejects.toMatchObject({ problem: 'unreachable' });
  });
});
