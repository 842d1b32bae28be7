import { PatternError } from './pattern';
import { compileWithReferences, refersTo } from './references';

const language = (pattern: string, path: string) => compileWithReferences(pattern).whole(path)?.group('language');

it('A reference matches only the text of its group, in both notations', () => {
  for (const reference of ['(?P=language)', '\\k<language>']) {
    const pattern = `l/(?P<language>[^/]*)/(?P<component>[^.]*)[.]${reference}[.]po`;
    expect(language(pattern, 'l/cs/app.cs.po')).toBe('cs');
    expect(language(pattern, 'l/cs/app.de.po')).toBeUndefined();
  }
});

it('A copy of the group that matches another text first does not hide the match', () => {
  const pattern = '(?P<language>[^/]*)/(?P<component>[^/]*)-(?P=language)[.]po';
  expect(language(pattern, 'zh-Hans/app-zh-Hans.po')).toBe('zh-Hans');
  expect(language(pattern, 'zh-Hans/app-Hans.po')).toBeUndefined();
});

it('Escaped references and those in classes are literal, and unknown groups are rejected', () => {
  expect(refersTo('[(?P=a)]\\(?P<a>x)', 'a')).toBe(false);
  expect(refersTo('(?P<a>x)(?P=a)', 'a')).toBe(true);
  expect(() => compileWithReferences('(?P=a)')).toThrow(PatternError);
  expect(() => compileWithReferences('(?P<a>(?P=a))')).toThrow(PatternError);
});

it('A hostile pattern with references takes linear time', () => {
  const pattern = compileWithReferences('(?P<language>(a+)+)/(?P<component>(a+)+)/(?P=language)b');
  expect(pattern.whole(`${'a'.repeat(1_000)}/${'a'.repeat(1_000)}/${'a'.repeat(1_000)}`)).toBeNull();
});
