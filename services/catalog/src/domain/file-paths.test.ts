import { codeInPath, maskProblem, pathProblem } from './file-paths';

describe('paths in repositories', () => {
  it.each(['po/cs.po', 'a.json', 'res/values-cs/strings.xml', '..a/b', 'a..b'])(
    'the repository path %s is accepted',
    (path) => expect(pathProblem(path)).toBeNull(),
  );
  it.each(['../a', 'a/../b', '/etc/passwd', 'a//b', './a', 'a/', 'C:/x', 'a\\b', '.git/config', 'x/.GIT/y'])(
    'the repository path %s is rejected',
    (path) => expect(pathProblem(path)).not.toBeNull(),
  );
  it('a file mask requires an asterisk', () => {
    expect(maskProblem('po/*.po')).toBeNull();
    expect(maskProblem('po/cs.po')).not.toBeNull();
    expect(maskProblem('../*.po')).not.toBeNull();
  });
  it('the language code is extracted from a path', () => {
    expect(codeInPath('po/*.po', 'po/cs.po')).toBe('cs');
    expect(codeInPath('po/*.po', 'po/cs.po.bak')).toBeNull();
    expect(codeInPath('*/LC_MESSAGES/*.po', 'pt_BR/LC_MESSAGES/app.po')).toBe('pt_BR');
    expect(codeInPath('a+(b)/*.po', 'a+(b)/de.po')).toBe('de');
    expect(codeInPath('po/*.po', 'po/a/b.po')).toBeNull();
  });
});
