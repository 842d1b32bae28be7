import { PayloadError } from './payload';
import { branchOf, hostOf, push, usualUrls, withAndWithoutGit } from './push';

describe('push', () => {
  it('branches and addresses are listed once, without empty ones', () => {
    expect(push(['main', '', 'main', 'dev'], 'acme/app', ['a', '', 'b', 'a'])).toEqual({
      branches: ['main', 'dev'],
      fullName: 'acme/app',
      candidateUrls: ['a', 'b'],
    });
  });

  it('a notification without a place for branches has none, but one whose branches are all empty is rejected', () => {
    expect(push([], 'acme/app', []).branches).toEqual([]);
    expect(() => push(['', ''], 'acme/app', [])).toThrow(PayloadError);
  });

  it('of a push of tags only, one tag is left, which matches no branch', () => {
    expect(push(['refs/tags/v1', 'refs/tags/v2'], '', []).branches).toEqual(['refs/tags/v1']);
    expect(push(['refs/tags/v1', 'main'], '', []).branches).toEqual(['main']);
  });

  it('the numbers of branches and addresses are bounded', () => {
    const many = Array.from({ length: 150 }, (_, i) => `x${i}`);
    const { branches, candidateUrls } = push(many, '', many);
    expect([branches.length, candidateUrls.length]).toEqual([20, 100]);
  });
});

describe('names and addresses', () => {
  it('a branch is named without its prefix; other references keep theirs', () => {
    expect(['refs/heads/a/b', 'refs/tags/v1', 'main'].map(branchOf)).toEqual(['a/b', 'refs/tags/v1', 'main']);
  });

  it('an address with the suffix .git is also tried without it', () => {
    expect(withAndWithoutGit(['https://e.com/a.git', 'https://e.com/b'])).toEqual([
      'https://e.com/a.git',
      'https://e.com/a',
      'https://e.com/b',
    ]);
  });

  it('the host of an address includes its port, and an invalid address has none', () => {
    expect([hostOf('https://git.example.com:8443/a'), hostOf('git@e.com:a')]).toEqual(['git.example.com:8443', '']);
    expect(usualUrls('e.com', 'acme/app')).toContain('git@e.com:acme/app.git');
  });
});
