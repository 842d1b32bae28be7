import { redact } from '../errors';
import { isBranchName, isRepositoryPath } from '../names';
import { formatRemoteUrl, parseRemoteUrl, pinnedAddresses, redactRemoteUrl } from './remote-url';

const strict = { allowPrivate: false };

describe('addresses of remotes', () => {
  it.each([
    ['https://git.example.org/a/b.git', 'https://git.example.org/a/b.git'],
    ['https://user:p%40ss@git.example.org:8443/a', 'https://user:p%40ss@git.example.org:8443/a'],
    ['HTTPS://Git.Example.org/a', 'https://git.example.org/a'],
    ['https://git.example.org:443/a', 'https://git.example.org:443/a'],
    ['ssh://git@example.org:2222/a/b', 'ssh://git@example.org:2222/a/b'],
    ['git@example.org:a/b.git', 'ssh://git@example.org/~/a/b.git'],
    ['example.org:/srv/b.git', 'ssh://example.org/srv/b.git'],
    ['git://example.org/b', 'git://example.org/b'],
    ['ssh://git@[2001:470::1]/b', 'ssh://git@[2001:470::1]/b'],
  ])('addresses of remotes include %s', (text, formatted) => {
    expect(formatRemoteUrl(parseRemoteUrl(text, strict))).toBe(formatted);
  });

  it.each([
    '',
    'ext::sh -c touch% /tmp/x',
    'ext::id',
    'fd::17',
    'https::https://example.org/a',
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=id',
    '/etc',
    './x',
    'a/b:c',
    'file:///etc',
    'http://example.org/a',
    'ftp://example.org/a',
    'svn+ssh://example.org/a',
    'ssh://-oProxyCommand=id/a',
    'ssh://user@-oProxyCommand=id/a',
    'ssh://-l@example.org/a',
    '-x@example.org:a',
    'git@example.org:-oProxyCommand=id',
    'ssh://git:secret@example.org/a',
    'git://user@example.org/a',
    'https://exa mple.org/a',
    'https://example.org/a\nb',
    'https://example.org/a?x=1',
    'https://example.org/a#x',
    'https:///a',
    'https://example.org:99999/a',
    'ssh://example.org/--upload-pack=id',
    'https://example.org\\@evil/a',
    `https://example.org/${'a'.repeat(3000)}`,
  ])('addresses of remotes do not include %j', (text) => {
    expect(() => parseRemoteUrl(text, strict)).toThrow(expect.objectContaining({ problem: 'refused' }));
  });

  it('addresses of remotes include http and file addresses only where the operator allows them', () => {
    expect(formatRemoteUrl(parseRemoteUrl('http://localhost:3000/a', { allowPrivate: true }))).toBe(
      'http://localhost:3000/a',
    );
    expect(formatRemoteUrl(parseRemoteUrl('file:///srv/a.git', { allowPrivate: true }))).toBe('file:///srv/a.git');
    expect(() => parseRemoteUrl('file://host/a', { allowPrivate: true })).toThrow();
    expect(() => parseRemoteUrl('ext::id', { allowPrivate: true })).toThrow();
    expect(() => parseRemoteUrl('/srv/a.git', { allowPrivate: true })).toThrow();
  });

  it('addresses of remotes are shown without credentials', () => {
    expect(redactRemoteUrl('https://user:p@ss@example.org/a')).toBe('https://example.org/a');
    expect(redactRemoteUrl('git@example.org:a')).toBe('git@example.org:a');
    expect(redact("fatal: unable to access 'https://u:hunter2@example.org/': hunter2", ['hunter2'])).toBe(
      "fatal: unable to access 'https://example.org/': ***",
    );
  });
});

describe('hosts of remotes', () => {
  it('hosts of remotes are refused if any of their addresses is private, and are pinned otherwise', async () => {
    const answers = (...addresses: string[]) => ({ allowPrivate: false, resolve: async () => addresses });
    await expect(pinnedAddresses('rebind.example', answers('8.8.8.8', '127.0.0.1'))).rejects.toMatchObject({
      problem: 'refused',
    });
    await expect(pinnedAddresses('rebind.example', answers('::ffff:10.0.0.1'))).rejects.toMatchObject({
      problem: 'refused',
    });
    await expect(pinnedAddresses('rebind.example', answers())).rejects.toMatchObject({ problem: 'unreachable' });
    await expect(pinnedAddresses('127.0.0.1', strict)).rejects.toMatchObject({ problem: 'refused' });
    await expect(pinnedAddresses('localhost', strict)).rejects.toMatchObject({ problem: 'refused' });
    expect(await pinnedAddresses('good.example', answers('8.8.8.8'))).toEqual(['8.8.8.8']);
    expect(await pinnedAddresses('localhost', { allowPrivate: true })).toBeNull();
  });

  it.each(['https://2130706433/a', 'https://0x7f.1/a', 'https://127.1/a', 'https://[::ffff:7f00:1]/a', 'https://0/a'])(
    'hosts of remotes are refused for an encoded loopback or private address: %s',
    async (text) => {
      const { host } = parseRemoteUrl(text, strict);
      await expect(pinnedAddresses(host, strict)).rejects.toMatchObject({ problem: 'refused' });
    },
  );
});

describe('names in a repository', () => {
  it.each(['main', 'feature/x', 'v1.0', 'překlad', 'a@b'])('names in a repository include the branch %j', (name) =>
    expect(isBranchName(name)).toBe(true),
  );
  it.each([
    '',
    '-x',
    '--upload-pack=id',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    'a.lock',
    'x.lock/y',
    '.a',
    'a/.b',
    'a.',
    '@',
    'a@{1}',
    'a\n',
  ])('names in a repository do not include the branch %j', (name) => expect(isBranchName(name)).toBe(false));
  it.each(['po/cs.po', 'a b/ž.txt', '.github/x', '-x', 'git/config'])(
    'names in a repository include the path %j',
    (path) => expect(isRepositoryPath(path)).toBe(true),
  );
  it.each([
    '',
    '/a',
    '../a',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '.git/config',
    'x/.GIT/hooks/y',
    'git~1/x',
    '.git /x',
    '.g\u200cit/x',
    'a\\b',
    'a\0',
  ])('names in a repository do not include the path %j', (path) => expect(isRepositoryPath(path)).toBe(false));
});
