import { filemaskProblem, filterCodes, matchFiles, pathForCode } from './filemask';

describe('file masks', () => {
  const paths = ['po/cs.po', 'po/pt_BR.po', 'po/app.pot', 'po/sub/de.po', 'xpo/de.po', 'po/de-po', 'po/.po'];

  it('a file mask finds files and their language codes', () => {
    expect(matchFiles(paths, 'po/*.po', [])).toEqual([
      { path: 'po/cs.po', code: 'cs' },
      { path: 'po/pt_BR.po', code: 'pt_BR' },
    ]);
  });
  it('a file mask skips files with another role', () => {
    expect(matchFiles(['l/en.json', 'l/cs.json'], 'l/*.json', ['l/en.json'])).toEqual([
      { path: 'l/cs.json', code: 'cs' },
    ]);
  });
  it('a file mask with two asterisks requires the same code in both places', () => {
    expect(matchFiles(['cs/x.cs.po', 'cs/x.de.po'], '*/x.*.po', [])).toEqual([{ path: 'cs/x.cs.po', code: 'cs' }]);
    expect(pathForCode('*/x.*.po', 'de')).toBe('de/x.de.po');
  });
  it('a file mask matches all other characters literally', () => {
    expect(matchFiles(['a+(b)[c].d/cs', 'aab/cs'], 'a+(b)[c].d/*', [])).toEqual([
      { path: 'a+(b)[c].d/cs', code: 'cs' },
    ]);
  });
  it.each(['po/cs.po', '/po/*.po', '../*.po', 'po/../*.po', './*.po', 'po//*.po', 'po\\*.po', '.git/*', 'po/*/'])(
    'the file mask %s is rejected',
    (mask) => expect(filemaskProblem(mask)).not.toBeNull(),
  );
  it.each(['*', 'po/*.po', 'a/*/b.po', '..x/*.po'])('the file mask %s is accepted', (mask) =>
    expect(filemaskProblem(mask)).toBeNull(),
  );

  it('language codes are filtered in linear time, and an unsupported pattern is rejected with its field', async () => {
    const files = [
      { path: 'a', code: 'cs' },
      { path: 'b', code: 'x.y' },
    ];
    expect((await filterCodes(files, '^[^.]+$')).map((file) => file.code)).toEqual(['cs']);
    expect(await filterCodes([{ path: 'a', code: `${'a'.repeat(60)}!` }], '^(a+)+$')).toEqual([]);
    await expect(filterCodes(files, '^(?!x)')).rejects.toThrow('"language_regex" is not a valid regular expression');
  });
});
