import { autofix } from './autofix';
import {
  disregardedTerms,
  failsInSeveral,
  isInconsistent,
  isLongUntranslated,
  isReused,
  wasTranslated,
} from './context';
import { parseFlags } from './flags';
import { sanitizeHtml } from './html';
import { countChars, countWords } from './words';

describe('autofix', () => {
  test.each<[string, string, string, string[], string?, string?]>([
    ['Hello', 'Ahoj', 'Ahoj', []],
    ['Hello\n', 'Ahoj', 'Ahoj\n', ['end-whitespace']],
    [' Hello ', 'Ahoj', ' Ahoj ', ['end-whitespace']],
    ['Hello', ' Ahoj\n', 'Ahoj', ['end-whitespace']],
    ['Hello ', 'Ahoj', 'Ahoj', [], 'ignore-end-space'],
    ['Hello\n', 'Ahoj', 'Ahoj\n', ['end-whitespace'], 'ignore-end-space'],
    ['  ', 'Ahoj', 'Ahoj', []],
    ['Hello ', '', '', []],
    ['Wait…', 'Čekej...', 'Čekej…', ['ellipsis']],
    ['Wait...', 'Čekej...', 'Čekej...', []],
    ['Wait…', 'Čekej...', 'Čekej...', [], 'ignore-end-ellipsis'],
    ['Hello', 'A\u200bhoj', 'Ahoj', ['zero-width-space']],
    ['He\u200bllo', 'A\u200bhoj', 'A\u200bhoj', []],
    ['Hello', 'A\u0007ho\tj', 'Aho\tj', ['control-characters']],
    ['Hello!', 'Salut !', 'Salut\u202f!', ['punctuation-spacing'], '', 'fr'],
    ['Hello:', 'Salut :', 'Salut\u00a0:', ['punctuation-spacing'], '', 'fr_BE'],
    ['Hello!', 'Salut !', 'Salut !', [], '', 'fr_CA'],
    ['Hello', '<b onclick="x()">Ahoj</b>', '<b>Ahoj</b>', ['safe-html'], 'safe-html'],
    ['Hello', 'a & b < c', 'a & b < c', [], 'safe-html'],
    ['a\nb', 'a\nb', 'a\r\nb', ['line-ends'], 'dos-eol'],
  ])('%j: %j becomes %j', (source, target, expected, fixed, flags = '', language = 'cs') => {
    expect(autofix([source], [target], parseFlags(flags), language)).toEqual({ target: [expected], fixed });
  });

  test('further forms follow the last form of the source', () => {
    expect(autofix(['one', 'many\n'], ['jeden', 'dva', 'mnoho'], parseFlags('')).target).toEqual([
      'jeden',
      'dva\n',
      'mnoho\n',
    ]);
  });
});

describe('sanitizeHtml', () => {
  test.each([
    ['plain < text', 'plain < text'],
    ['<b>x</b><br>', '<b>x</b><br>'],
    ['<script>alert(1)</script>x', 'x'],
    ['<SCRIPT SRC=//x></SCRIPT>x', 'x'],
    ['<blink>x <b>y</b></blink>', 'x <b>y</b>'],
    ['<blink><script>1</script><i onload=x>y</i></blink>', '<i>y</i>'],
    ['<a href="JaVaScRiPt:x">y</a>', '<a>y</a>'],
    ['<a href="java\nscript:x">y</a>', '<a>y</a>'],
    ['<a href="data:text/html,x">y</a>', '<a>y</a>'],
    ['<a href="/local?a:b">y</a>', '<a href="/local?a:b">y</a>'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'],
    ['<!-- c -->x', 'x'],
    ['<svg><style><img src=x onerror=1></style></svg>x', '<img src="x">x'],
    ['<math><mtext><table><mglyph><style><img src=x onerror=1>', ''],
    ['<template><img src=x onerror=1></template>x', 'x'],
  ])('%j', (html, safe) => {
    expect(sanitizeHtml(html)).toBe(safe);
    expect(sanitizeHtml(safe)).toBe(safe);
  });

  test('links of Markdown stay', () => {
    expect(sanitizeHtml('<https://example.com> <x>y</x>', true)).toBe('<https://example.com> y');
  });
});

describe('counting', () => {
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
  ])('%j in %s has %d words', (text, language, words) => expect(countWords(text, language)).toBe(words));

  test.each<[string | string[], number]>([
    ['', 0],
    ['žluťoučký', 9],
    ['a😀b', 3],
    [['x'.repeat(25), 'y'.repeat(26)], 53],
    [['a', 'b', 'c'], 7],
  ])('%j has %d characters', (text, characters) => expect(countChars(text)).toBe(characters));
});

describe('checks with context', () => {
  const unit = (target: string, state = 20): { target: string[]; state: number } => ({ target: [target], state });

  test('inconsistent', () => {
    expect(isInconsistent(unit('a'), [unit('a'), unit('a')])).toBe(false);
    expect(isInconsistent(unit('a'), [unit('b')])).toBe(true);
    expect(isInconsistent(unit('a'), [unit('', 0)])).toBe(true);
    expect(isInconsistent(unit('', 0), [unit('', 0)])).toBe(false);
    expect(isInconsistent(unit('', 0), [unit('a')])).toBe(true);
  });

  test('reused', () => {
    const own = { source: ['Open'], target: ['Otevřít'] };
    expect(isReused(own, [{ source: ['Unlock'], target: ['Otevřít'] }], 3)).toBe(true);
    expect(isReused(own, [{ source: ['open '], target: ['Otevřít'] }], 3)).toBe(false);
    expect(isReused(own, [{ source: ['Unlock'], target: ['Otevřít'] }], 1)).toBe(false);
    expect(isReused({ source: ['a'], target: [''] }, [{ source: ['b'], target: [''] }], 2)).toBe(false);
  });

  test.each<[string, number, string, boolean]>([
    ['', 0, '2 a', true],
    ['', 0, '30 , 2 a', false],
    ['', 0, '', false],
    ['', 0, '2 , 2 a', true],
    ['', 0, '2 , 37 a, 2 a', false],
    ['b', 20, '2 b, 2 a', false],
    ['b', 100, '2 a', false],
    ['b', 10, '37 b, 2 a', true],
    ['b', 10, '37 b, 2 b, 2 a', true],
    ['b', 10, '66 b, 37 b, 2 a', true],
    ['b', 10, '37 b, 2 b', false],
    ['b', 10, '37 b, 2 b, 37 b, 2 a', false],
    ['b', 10, '37 b, 37 a, 2 a', false],
    ['b', 10, '30 x, 2 b, 2 a', false],
  ])('translated: "%s" in state %d after %s: %s', (text, state, entries, fails) => {
    const history = entries.split(', ').flatMap((entry) => {
      const [, action, target] = /^(\d+) (.*)$/.exec(entry) ?? [];
      return target === undefined ? [] : [{ action: Number(action), target }];
    });
    expect(wasTranslated({ state, text }, history)).toBe(fails);
  });

  test('multiple_failures and long_untranslated', () => {
    expect(failsInSeveral(2)).toBe(true);
    expect(failsInSeveral(1)).toBe(false);
    const day = 24 * 3600 * 1000;
    expect(isLongUntranslated({ added: 0, translatedShare: 0.2 }, 0.5, 91 * day)).toBe(true);
    expect(isLongUntranslated({ added: 0, translatedShare: 0.2 }, 0.5, 89 * day)).toBe(false);
    expect(isLongUntranslated({ added: 0, translatedShare: 0.3 }, 0.5, 91 * day)).toBe(false);
  });

  test('check_glossary', () => {
    const terms = [
      { source: 'file', targets: ['soubor'] },
      { source: 'file', targets: ['spis'] },
      { source: 'folder', targets: ['adresář'], forbidden: true },
      { source: 'Parlance', targets: [''], readOnly: true },
    ];
    const disregarded = (source: string, target: string): string[] =>
      disregardedTerms({ source: [source], target: [target] }, terms);
    expect(disregarded('Open the File', 'Otevřít souborem')).toEqual([]);
    expect(disregarded('Open the file', 'Otevřít spis')).toEqual([]);
    expect(disregarded('Open the file', 'Otevřít dokument')).toEqual(['file']);
    expect(disregarded('Open the profile', 'Otevřít dokument')).toEqual([]);
    expect(disregarded('New folder', 'Nový adresář')).toEqual(['folder']);
    expect(disregarded('About Parlance', 'O aplikaci')).toEqual(['parlance']);
  });
});
