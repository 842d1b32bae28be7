import fc from 'fast-check';
import {
  addressKey,
  addressProblem,
  branchProblem,
  joinCredentials,
  lookupKeys,
  matchKeys,
  parseLink,
  splitCredentials,
} from './repository-address';

describe('repository addresses', () => {
  it.each([
    'https://example.com/a/b.git',
    'http://10.0.0.1:8080/x',
    'ssh://git@example.com:2222/a/b',
    'git://example.com/a',
    'git@example.com:a/b.git',
    'example.com:a',
    'file:///srv/git/a.git',
    'https://[::1]/a',
    'https://user:p%40ss@example.com/a',
  ])('the repository address %s is accepted', (address) => expect(addressProblem(address)).toBeNull());
  it.each([
    '-oProxyCommand=x',
    'ext::sh -c x',
    'ext::x',
    '--upload-pack=x',
    'https://',
    'https://example.com',
    'https://example.com/',
    'nonsense',
    'https://exa mple.com/a',
    'https://-x.example/a',
    '/srv/git',
    'a\u0000b:c',
    '',
  ])('the repository address %j is rejected', (address) => expect(addressProblem(address)).not.toBeNull());

  it('credentials of a repository address are split and joined', () => {
    expect(splitCredentials('https://me:pw@example.com/a.git')).toEqual({
      shown: 'https://example.com/a.git',
      credentials: 'me:pw',
    });
    expect(splitCredentials('https://token@example.com/a.git')).toEqual({
      shown: 'https://example.com/a.git',
      credentials: 'token',
    });
    expect(splitCredentials('ssh://git@example.com/a')).toEqual({ shown: 'ssh://git@example.com/a', credentials: '' });
    expect(splitCredentials('ssh://git:pw@example.com/a')).toEqual({
      shown: 'ssh://git@example.com/a',
      credentials: 'git:pw',
    });
    expect(splitCredentials('git@example.com:a')).toEqual({ shown: 'git@example.com:a', credentials: '' });
    const part = fc.stringMatching(/^[A-Za-z0-9%._~-]{1,20}$/);
    fc.assert(
      fc.property(
        fc.constantFrom('https', 'http', 'ssh', 'git'),
        part,
        part,
        fc.stringMatching(/^[a-z][a-z0-9.]{0,20}[a-z]$/),
        fc.stringMatching(/^[a-z/]{1,20}$/),
        (scheme, user, password, host, path) => {
          const address = `${scheme}://${user}:${password}@${host}/${path}`;
          const split = splitCredentials(address);
          expect(split.shown).not.toContain(`:${password}@`);
          expect(joinCredentials(split)).toBe(address);
        },
      ),
    );
  });

  it('all forms of a repository address have the same key', () => {
    const forms = [
      'https://example.com/Team/App.git',
      'http://u:p@example.com/team/app',
      'ssh://git@example.com:2222/team/app.git',
      'git://EXAMPLE.com/team/app/',
      'git@example.com:team/app.git',
      'ssh://git@example.com/~/team/app',
    ];
    expect(new Set(forms.map(addressKey))).toEqual(new Set(['example.com/team/app']));
    expect(addressKey('local:')).toBe('');
    expect(matchKeys('https://example.com/g/team/app.git')).toEqual([
      'u:example.com/g/team/app',
      'n:g/team/app',
      'n:team/app',
      'n:app',
    ]);
    expect(lookupKeys(['git@example.com:team/app.git', 'nonsense'], 'Team/App')).toEqual([
      'u:example.com/team/app',
      'n:team/app',
    ]);
  });

  it('a repository address can name another component', () => {
    expect(parseLink('parlance://project/cat/component/')).toEqual({ project: 'project', path: 'cat/component' });
    expect(parseLink('parlance://project')).toEqual({ project: 'project', path: '' });
    expect(parseLink('https://project/component')).toBeNull();
  });

  it('branch names follow the rules of git', () => {
    for (const good of ['main', 'feature/x', 'v1.0', 'ünïcode']) expect(branchProblem(good)).toBeNull();
    for (const bad of [
      '-x',
      'a..b',
      'a b',
      'a~1',
      'a^',
      'a:b',
      'x.lock',
      'a/',
      '/a',
      'a//b',
      '@',
      'a@{1}',
      '.a',
      'a/.b',
      'a\\b',
      'a*',
    ])
      expect(branchProblem(bad)).not.toBeNull();
  });
});
