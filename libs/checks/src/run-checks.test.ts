import fc from 'fast-check';
import { parseFlags } from './flags/flags';
import { RUNNABLE_CHECKS, runChecks } from './run-checks';
import { CHECKS } from './check-definitions';
import { failingChecks } from './testing/failing-checks';

const CZECH = '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2';
const RUSSIAN = 'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2';

test('runChecks implements exactly the checks that need no context', () => {
  for (const { id, context } of CHECKS) expect([id, RUNNABLE_CHECKS.has(id)]).toEqual([id, context === 'none']);
  expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
});

describe('checks of white space and end marks', () => {
  test.each<[string, string, string[], string?]>([
    ['Hello world', 'Ahoj světe', []],
    ['\nHello world', 'Ahoj světe', ['begin_newline', 'newline-count']],
    ['Hello world', 'Ahoj světe\n', ['end_newline', 'newline-count']],
    ['\nHello\n', '\nAhoj\n', []],
    ['  Hello world', ' Ahoj světe', ['begin_space']],
    ['Hello world ', 'Ahoj světe', ['end_space']],
    [' ', 'Ahoj', ['begin_space', 'end_space']],
    ['Hello world', 'Ahoj  světe', ['double_space']],
    ['Hello  world', 'Ahoj  světe', []],
    ['Hello world.', 'Ahoj světe', ['end_stop']],
    ['Hello world', 'Ahoj světe.', ['end_stop']],
    ['Hello world. ', 'Ahoj světe. ', []],
    ['Hello world.', 'こんにちは。', [], 'ja'],
    ['Hello world.', 'नमस्ते।', [], 'hi'],
    ['Hello world.', 'สวัสดี', [], 'th'],
    ['Hello world.', 'Բարեւ։', [], 'hy'],
    ['Hello world.', 'Բարեւ:', [], 'hy'],
    ['min.', 'minut', []],
    ['Loading...', 'Načítá se…', []],
    ['Loading…', 'Načítá se...', ['end_ellipsis']],
    ['Loading…', 'Načítá se', ['end_ellipsis']],
    ['Loading', 'Načítá se…', ['end_ellipsis']],
    ['Loading…', 'โหลด', [], 'th'],
    ['Name of file:', 'Jméno souboru', ['end_colon']],
    ['Name of file:', 'ファイル名：', [], 'ja'],
    ['Name of file:', 'Nom du fichier\u00a0:', [], 'fr'],
    ['Really go?', 'Opravdu', ['end_question']],
    ['Really go?', '本当に？', [], 'zh_Hans'],
    ['Really go?', 'حقا؟', [], 'ar'],
    ['Really go?', 'Σίγουρα;', [], 'el'],
    ['Really go?', 'Σίγουρα\u037e', [], 'el'],
    ['Really go?', 'Իսկապե՞ս', [], 'hy'],
    ['Really go?', 'တကယ်လား။', [], 'my'],
    ['Really go', 'Opravdu?', ['end_question']],
    ['Stop now!', 'Zastavit', ['end_exclamation']],
    ['Stop now!', '停止！', [], 'zh_Hans'],
    ['Stop now!', 'Կանգնիր', [], 'hy'],
    ['What now?!', 'Co teď?!', []],
    ['What now?!', 'Co teď!?', []],
    ['What now?!', 'Co teď?', ['end_interrobang']],
    ['What now', 'Co teď⁈', ['end_interrobang']],
    ['int x;', 'celé číslo', ['end_semicolon']],
    ['a &amp; b &lt;', 'a b menší', []],
    ['int x;', 'عدد؛', [], 'ar'],
  ])(
    'checks of white space and end marks judge the translation of %j as %j: %j',
    (source, target, expected, language = 'cs') => {
      expect(failingChecks(source, target, { targetLanguage: language })).toEqual(expected);
    },
  );
});

describe('checks of wording and characters', () => {
  test.each<[string, string, string[], string?, string?]>([
    ['The file', 'The file', ['same']],
    ['The file', 'The file', [], 'en_GB'],
    ['X', 'X', []],
    ['ABC DEF', 'ABC DEF', []],
    ['HTML', 'HTML', []],
    ['Email', 'Email', []],
    ['%s: %d', '%s: %d', []],
    ['https://example.com/path', 'https://example.com/path', []],
    ['<b>42</b>', '<b>42</b>', []],
    ['%(count)s', '%(count)s', []],
    ['Email', 'Email', ['same'], 'cs', 'strict-same'],
    ['Hello {name}', 'Hello {name}', ['same']],
    ['العربية', 'العـربية', ['kashida'], 'ar'],
    ['Hello there', 'Bonjour !', ['end_exclamation', 'punctuation_spacing'], 'fr'],
    ['Hello there!', 'Bonjour\u202f!', [], 'fr'],
    ['Hello there!', 'Bonjour&nbsp;!', [], 'fr'],
    ['Hello there!', 'Bonjour !', [], 'fr_CA'],
    ['At 10:30', 'À 10:30', [], 'fr'],
    ['Stop here', 'Γ stop', ['kabyle-characters'], 'kab'],
    ['a\\nb', 'a b', ['escaped_newline']],
    ['a\nb', 'a\nb\nc', ['newline-count']],
    ['a\r\nb', 'a\nb', []],
    ['Some words', 'Nějaká\u200bslova', ['zero-width-space']],
    ['Some words', 'ពាក្យ\u200bខ្លះ', [], 'km'],
    ['The big house', 'Velký velký dům', []],
    ['The big house', 'Ten ten velký velký dům', ['duplicate']],
    ['Bora Bora', 'Ostrov Bora Bora', []],
    ['You go there', 'Vous vous y rendez', [], 'fr'],
    ['You go there', 'Vous vous y y rendez rendez', ['duplicate'], 'fr'],
    ['ABC then', 'pona pona', [], 'tok'],
    ['a, b', 'slovo, slovo', []],
    ['%s and %s', '%s a %s', []],
  ])(
    'checks of wording and characters judge the translation of %j as %j: %j',
    (source, target, expected, language = 'cs', flagText = '') => {
      expect(failingChecks(source, target, { targetLanguage: language, flagText })).toEqual(expected);
    },
  );

  test('checks of wording and characters skip blank, untranslated, read-only and ignored units', () => {
    expect(failingChecks('Hello.', 'Ahoj', { state: 0 })).toEqual([]);
    expect(failingChecks('Hello.', 'Ahoj', { state: 100 })).toEqual([]);
    expect(failingChecks('Hello.', 'Ahoj', { state: 10 })).toEqual(['end_stop']);
    expect(failingChecks('Hello.', ' ', { state: 20 })).toEqual([]);
    expect(failingChecks('Hello.', [])).toEqual([]);
    expect(failingChecks([], 'Ahoj')).toEqual([]);
    expect(failingChecks('Hello.', 'Ahoj', { flagText: 'ignore-end-stop' })).toEqual([]);
    expect(failingChecks('Hello. ', 'Ahoj', { flagText: 'ignore-all-checks' })).toEqual([]);
  });

  test('checks of wording and characters reject glossary terms that start like a spreadsheet formula', () => {
    expect(failingChecks('Sum of all', '=SUM', { isGlossary: true })).toEqual(['prohibited_initial_character']);
    for (const sign of '＝＋－＠')
      expect(failingChecks('Sum of all', `${sign}SUM`, { isGlossary: true })).toEqual(['prohibited_initial_character']);
    expect(failingChecks('Sum of all', '=SUM')).toEqual([]);
  });
});

describe('checks of plural forms', () => {
  const pluralFormula = CZECH;
  const source = ['%d file', '%d files'];
  const c = { pluralFormula, flagText: 'c-format' };

  test.each<[string[], string[]]>([
    [['%d soubor', '%d soubory', '%d souborů'], []],
    [['Jeden soubor', '%d soubory', '%d souborů'], []],
    [['%d soubor', 'soubory', '%d souborů'], ['c_format']],
    [['%d soubor', '%d soubory', ''], ['plurals']],
    [['', '', ''], []],
    [['%d soubor', '%d soubor', '%d soubor'], ['same-plurals']],
    [['%d %d soubor', '%d soubory', '%d souborů'], ['c_format']],
  ])('checks of plural forms judge the forms %j: %j', (target, expected) =>
    expect(failingChecks(source, target, c)).toEqual(expected),
  );

  test('checks of plural forms require the count in every form with strict-format', () => {
    const target = ['Jeden soubor', '%d soubory', '%d souborů'];
    expect(failingChecks(source, target, { pluralFormula, flagText: 'c-format, strict-format' })).toEqual(['c_format']);
    expect(
      failingChecks(['One file', '%d files'], target, { pluralFormula, flagText: 'c-format, strict-format' }),
    ).toEqual(['c_format']);
    expect(failingChecks(['One file', '%d files'], target, c)).toEqual([]);
  });

  test('checks of plural forms require the count in a form that applies to several numbers', () => {
    const target = ['файл', '%d файла', '%d файлов'];
    expect(
      failingChecks(source, target, { targetLanguage: 'ru', pluralFormula: RUSSIAN, flagText: 'c-format' }),
    ).toEqual(['c_format']);
  });

  test('checks of plural forms compare the single form of a language with the plural of the source', () => {
    expect(
      failingChecks(['One file.', '%d files'], ['%d ファイル'], {
        targetLanguage: 'ja',
        pluralFormula: '0',
        flagText: 'c-format',
      }),
    ).toEqual([]);
  });

  test('checks of plural forms accept a singular without the count in its first position', () => {
    const target = ['Soubor v %s', '%d soubory v %s', '%d souborů v %s'];
    expect(failingChecks(['%d file in %s', '%d files in %s'], target, c)).toEqual([]);
  });

  test('checks of plural forms run with an invalid plural formula', () => {
    expect(failingChecks(source, ['%d soubor', 'x', 'y'], { pluralFormula: 'alert(1)', flagText: 'c-format' })).toEqual(
      ['c_format'],
    );
  });
});

describe('checks of source units', () => {
  test.each<[string | string[], string[], string]>([
    ['Loading...', ['ellipsis'], ''],
    ['1...5', [], ''],
    ['File(s) gone', ['optional_plural'], ''],
    [['File(s) gone', 'Files gone'], [], ''],
    ['%s and %s', ['unnamed_format'], 'c-format'],
    ['%s and %(b)s', [], 'python-format'],
    ['{} and {}', ['unnamed_format'], 'python-brace-format'],
    ['%s and %s', [], ''],
    ['{n', ['icu_message_format_syntax'], 'icu-message-format'],
    ['{n', [], 'icu-message-format, ignore-icu-message-format'],
    ['{ $n', ['fluent-source-syntax'], 'fluent-source-syntax'],
    ['<b>x', ['fluent-source-inner-html'], 'fluent-source-inner-html'],
    ['The file. ', [], ''],
  ])('checks of source units judge %j: %j, with the flags %j', (source, expected, flagText) => {
    const forms = typeof source === 'string' ? [source] : source;
    expect(failingChecks(forms, forms, { isSource: true, flagText, state: 100 })).toEqual(expected);
  });
});

test('runChecks returns known ids and never throws for arbitrary texts and flags', () => {
  const switches = CHECKS.flatMap(({ flag }) =>
    flag && !['max-length', 'max-size', 'placeholders', 'regex'].includes(flag) ? [flag] : [],
  );
  const flags = parseFlags(
    [...new Set(switches), 'max-length:5', 'max-size:50:2', 'placeholders:x:r"a+"', 'regex:a'].join(','),
  );
  const ids = new Set(CHECKS.map(({ id }) => id));
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '{',
          '}',
          '<',
          '>',
          '%',
          '(',
          ')',
          '`',
          '*',
          '[',
          ']',
          '$',
          ':',
          '\n',
          ' ',
          '"',
          "'",
          '&',
          'a',
          '.',
          '…',
          '\\',
          '|',
          '~',
          '_',
        ),
        fc.string({ maxLength: 3 }),
      ),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      text,
      text,
      fc.boolean(),
      fc.constantFrom('cs', 'fr', 'ja', 'el', 'hy', 'kab'),
      (source, target, isSource, targetLanguage) => {
        const failing = runChecks({
          source: [source],
          target: [target],
          sourceLanguage: 'en',
          targetLanguage,
          flags,
          isSource,
        });
        expect(failing.every((id) => ids.has(id))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
