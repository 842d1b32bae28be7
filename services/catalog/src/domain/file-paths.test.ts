import { codeInPath, maskProblem, pathProblem } from './file-paths';

describe('paths in repositories', () => {
  it.each(['po/cs.po', 'a.json', 'res/values-cs/strings.xml', '..a/b', 'a..b'])('are accepted: %s', (path) =>
    expect(pathProblem(path)).toBeNull(),
  );
  it.each(['../a', 'a/../b', '/etc/passwd', 'a//b', './a', 'a/', 'C:/x', 'a\\b', '.git/config', 'x/.GIT/y'])(
    'are refused: %s',
    (path) => expect(pathProblem(path)).not.toBeNull(),
  );
  it('need a star to be masks', () => {
    expect(maskProblem('po/*.po')).toBeNull();
    expect(maskProblem('po/cs.po')).not.toBeNull();
    expect(maskProblem('../*.po')).not.toBeNull();
  });
  it('tell the language code', () => {
    expect(codeInPath('po/*.po', 'po/cs.po')).toBe('cs');
    expect(codeInPath('po/*.po', 'po/cs.po.bak')).toBeNull();
    expect(codeInPath('*/LC_MESSAGES/*.po', 'pt_BR/LC_MESSAGES/app.po')).toBe('pt_BR');
    expect(codeInPath('a+(b)/*.po', 'a+(b)/de.po')).toBe('de');
    expect(codeInPath('po/*.po', 'po/a/b.po')).toBeNull();
  });
});
