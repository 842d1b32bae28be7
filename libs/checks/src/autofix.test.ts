import { autofix } from './autofix';
import { parseFlags } from './flags/flags';

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
  ])(
    'autofix corrects the translation of %j from %j to %j',
    (source, target, expected, fixed, flags = '', language = 'cs') => {
      expect(autofix([source], [target], parseFlags(flags), language)).toEqual({ target: [expected], fixed });
    },
  );

  test('autofix corrects target forms beyond the source forms like the last source form', () => {
    expect(autofix(['one', 'many\n'], ['jeden', 'dva', 'mnoho'], parseFlags('')).target).toEqual([
      'jeden',
      'dva\n',
      'mnoho\n',
    ]);
  });
});
