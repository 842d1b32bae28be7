import { countChars, countWords } from './word-count';

describe('the word and character count', () => {
  test.each<[string | string[], string, number]>([
    ['', 'en', 0],
    ['Hello world', 'en', 2],
    ['  Hello,\n\tworld!  ', 'en', 2],
    ['a\u00a0b', 'en', 2],
    ['well-known e.g. 3', 'en', 3],
    [['%d file', '%d files here'], 'en', 5],
    [['<unused singular (hash=1)>', 'two words'], 'en', 2],
    ['你好 world', 'zh_Hans', 3],
    ['你好', 'en', 1],
    ['ファイルabc', 'ja', 5],
  ])('the word count of %j in the language %s is %d', (text, language, words) =>
    expect(countWords(text, language)).toBe(words),
  );

  test.each<[string | string[], number]>([
    ['', 0],
    ['žluťoučký', 9],
    ['a😀b', 3],
    [['x'.repeat(25), 'y'.repeat(26)], 53],
    [['a', 'b', 'c'], 7],
  ])('the character count of %j is %d', (text, characters) => expect(countChars(text)).toBe(characters));
});
