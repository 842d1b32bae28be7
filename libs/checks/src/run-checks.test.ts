import fc from 'fast-check';
import { parseFlags } from './flags/flags';
import { RUNNABLE_CHECKS, runChecks } from './run-checks';
import { CHECKS } from './check-definitions';
import type { CheckInput } from './check-input';

/** Ids of the failing checks. */
function check(
  source: string | string[],
  target: string | string[],
  options: Partial<CheckInput> & { flagText?: string } = {},
): string[] {
  const { flagText = '', ...rest } = options;
  return runChecks({
    source: typeof source === 'string' ? [source] : source,
    target: typeof target === 'string' ? [target] : target,
    sourceLanguage: 'en',
    targetLanguage: 'cs',
    flags: parseFlags(flagText),
    ...rest,
  });
}

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
    ['  Hello world', ' Ahoj světe', ['begin_space', 'double_space'].slice(0, 1)],
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
  ])('judge the translation of %j as %j: %j', (source, target, expected, language = 'cs') => {
    expect(check(source, target, { targetLanguage: language })).toEqual(expected);
  });
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
  ])('judge the translation of %j as %j: %j', (source, target, expected, language = 'cs', flagText = '') => {
    expect(check(source, target, { targetLanguage: language, flagText })).toEqual(expected);
  });

  test('skip blank, untranslated, read-only and ignored units', () => {
    expect(check('Hello.', 'Ahoj', { state: 0 })).toEqual([]);
    expect(check('Hello.', 'Ahoj', { state: 100 })).toEqual([]);
    expect(check('Hello.', 'Ahoj', { state: 10 })).toEqual(['end_stop']);
    expect(check('Hello.', ' ', { state: 20 })).toEqual([]);
    expect(check('Hello.', [])).toEqual([]);
    expect(check([], 'Ahoj')).toEqual([]);
    expect(check('Hello.', 'Ahoj', { flagText: 'ignore-end-stop' })).toEqual([]);
    expect(check('Hello. ', 'Ahoj', { flagText: 'ignore-all-checks' })).toEqual([]);
  });

  test('reject glossary terms that start like a spreadsheet formula', () => {
    expect(check('Sum of all', '=SUM', { isGlossary: true })).toEqual(['prohibited_initial_character']);
    for (const sign of '＝＋－＠')
      expect(check('Sum of all', `${sign}SUM`, { isGlossary: true })).toEqual(['prohibited_initial_character']);
    expect(check('Sum of all', '=SUM')).toEqual([]);
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
  ])('judge the forms %j: %j', (target, expected) => expect(check(source, target, c)).toEqual(expected));

  test('require the count in every form with strict-format', () => {
    const target = ['Jeden soubor', '%d soubory', '%d souborů'];
    expect(check(source, target, { pluralFormula, flagText: 'c-format, strict-format' })).toEqual(['c_format']);
    expect(check(['One file', '%d files'], target, { pluralFormula, flagText: 'c-format, strict-format' })).toEqual([
      'c_format',
    ]);
    expect(check(['One file', '%d files'], target, c)).toEqual([]);
  });

  test('require the count in a form that applies to several numbers', () => {
    const target = ['файл', '%d файла', '%d файлов'];
    expect(check(source, target, { targetLanguage: 'ru', pluralFormula: RUSSIAN, flagText: 'c-format' })).toEqual([
      'c_format',
    ]);
  });

  test('compare the single form of a language with the plural of the source', () => {
    expect(
      check(['One file.', '%d files'], ['%d ファイル'], {
        targetLanguage: 'ja',
        pluralFormula: '0',
        flagText: 'c-format',
      }),
    ).toEqual([]);
  });

  test('accept a singular without the count in its first position', () => {
    const target = ['Soubor v %s', '%d soubory v %s', '%d souborů v %s'];
    expect(check(['%d file in %s', '%d files in %s'], target, c)).toEqual([]);
  });

  test('run with an invalid plural formula', () => {
    expect(check(source, ['%d soubor', 'x', 'y'], { pluralFormula: 'alert(1)', flagText: 'c-format' })).toEqual([
      'c_format',
    ]);
  });
});

describe('checks of placeholders', () => {
  test.each<[string, string, string, boolean]>([
    ['python-format', '%s of %(name)s', '%(name)s z %s', true],
    ['python-format', '%(a)s %(b)d', '%(b)d %(a)s', true],
    ['python-format', '%s %d', '%d %s', false],
    ['python-format', '%(name)s', '%(jmeno)s', false],
    ['python-format', '100%%', 'sto procent', true],
    ['python-format', '%(name)s', '%(name)', false],
    ['python-brace-format', '{} {}', '{} {}', true],
    ['python-brace-format', '{name!r:>{width}}', '{name}', false],
    ['python-brace-format', '{name}', '{{name}}', false],
    ['python-brace-format', '{a} {b}', '{b}', false],
    ['php-format', '%1$s %2$s', '%2$s %1$s', true],
    ['php-format', "%'.10d", '%d', false],
    ['php-format', '%s', '', true],
    ['php-format', '%s x', 'x', false],
    ['c-format', '%d %s', '%1$d %2$s', true],
    ['c-format', '%d %s', '%2$s %1$d', true],
    ['c-format', '%d %s', '%s %d', false],
    ['c-format', '%i', '%d', true],
    ['c-format', '%lu', '%lu', true],
    ['c-format', '%<PRIu64>', '%<PRIu64>', true],
    ['c-format', '%5.2f%%', '%f %%', false],
    ['c-format', '%5.2f%%', '%5.2f %%', true],
    ['c-format', '%d', '%s', false],
    ['perl-format', '%1$s %v d', '%1$s', true],
    ['perl-format', '%s', 'x', false],
    ['perl-brace-format', '{count} files', '{count} souborů', true],
    ['perl-brace-format', '{count} files', '{pocet} souborů', false],
    ['javascript-format', '%(name)s %1$s', '%1$s %(name)s', true],
    ['javascript-format', '%s', '%d', false],
    ['lua-format', '%5.2f %q', '%f %q', false],
    ['lua-format', '%s', '%d', false],
    ['object-pascal-format', '%s %0:d', '%0:d %s', false],
    ['object-pascal-format', '%s %d', '%1:d %0:s', true],
    ['object-pascal-format', '%d', '%s', false],
    ['scheme-format', '~a ~d~%', '~a ~d', false],
    ['scheme-format', '~a ~d', '~d ~a', false],
    ['c-sharp-format', '{0:C} {1,5}', '{1} {0}', true],
    ['c-sharp-format', '{0}', '{{0}}', false],
    ['java-printf-format', '%1$s %tY %n', '%1$s %tY', false],
    ['java-printf-format', '%s', '%d', false],
    ['java-format', "{0} isn''t {1,number,#.##}", '{1,number} není {0}', true],
    ['java-format', "'{0}' {1}", '{1}', true],
    ['java-format', '{0}', '{1}', false],
    ['percent-placeholders', '%name% x', 'x %name%', true],
    ['percent-placeholders', '%name%', '%jmeno%', false],
    ['vue-format', '{ name } @:common.ok', '@:common.ok {name}', true],
    ['vue-format', '{name}', '{jmeno}', false],
    ['vue-format', '@:common.ok x', 'x', false],
    ['i18next-interpolation', '{{ name }} $t(key)', '$t(key) {{name}}', true],
    ['i18next-interpolation', '{{ name }} $t(key)', '$t(key) {{name, uppercase}}', false],
    ['i18next-interpolation', '{{name}}', '{name}', false],
    ['es-format', '${ a.b } x', 'x ${a.b}', true],
    ['es-format', '${a}', '$a', false],
    ['automattic-components-format', '{{b}}x{{/b}} {{br/}}', '{{br/}} {{b}}y{{/b}}', true],
    ['automattic-components-format', '{{b}}x{{/b}}', '{{b}}x', false],
    ['angularjs-format', '{{ user.name }}', '{{user.name}}', true],
    ['angularjs-format', '{{a}}', '{{b}}', false],
    ['qt-format', '%1 of %L2', '%L2 z %1', true],
    ['qt-format', '%1', '%2', false],
    ['qt-plural-format', '%n files', '%Ln souborů', true],
    ['qt-plural-format', '%n files', 'soubory', false],
    ['ruby-format', '%{name} %<n>d %s', '%s %<n>d %{name}', true],
    ['ruby-format', '%{name}', '%{jmeno}', false],
  ])('with %s judge the translation of %j as %j: %j', (flag, source, target, fine) => {
    const id = flag.replaceAll('-', '_');
    expect(check(source, target || ' x', { flagText: flag }).includes(id)).toBe(target === '' ? true : !fine);
    expect(check(source, target || ' x')).not.toContain(id);
  });
});

describe('checks of markup', () => {
  test.each<[string, string, string[], string]>([
    ['<b>x y</b>', '<b>a b</b>', [], ''],
    ['<b>x y</b>', '<b>a b', ['xml-invalid'], ''],
    ['<b>x y</b>', '<i>a b</i>', ['xml-tags'], ''],
    ['<a href="u">x y</a>', '<a>a b</a>', ['xml-tags'], ''],
    ['<a href="u">x y</a>', '<a href="v">a b</a>', [], ''],
    ['<b>x &amp; y</b>', '<b>a & b</b>', ['xml-invalid'], ''],
    ['<b>x &nbsp; y</b>', '<b>a &nbsp; b</b>', [], ''],
    ['a < b', 'a b', [], ''],
    ['x & y', 'a & b', [], 'xml-text'],
    ['x y', '<b>a', ['xml-invalid'], 'xml-text'],
    ['<br/>x y', 'a b', ['xml-tags'], ''],
    ['[b]x y[/b]', '[b]a b[/b]', [], 'bbcode-text'],
    ['[b]x y[/b]', '[i]a b[/i]', ['bbcode'], 'bbcode-text'],
    ['[url=a]x y[/url]', '[url=b]a b', ['bbcode'], 'bbcode-text'],
    ['see [here](http://a)', 'viz [tady](http://b)', [], 'md-text'],
    ['see [here](http://a)', 'viz tady', ['md-link'], 'md-text'],
    ['see [here][id]', 'viz [tady][id]', [], 'md-text'],
    ['see [here][id]', 'viz [tady][jd]', ['md-reflink'], 'md-text'],
    ['a **bold** word', 'a **tučné** slovo', [], 'md-text'],
    ['a **bold** word', 'a *tučné* slovo', ['md-syntax'], 'md-text'],
    ['use `code_x` now', 'použij `code_x` hned', [], 'md-text'],
    ['use `code` now', 'použij code hned', ['md-syntax'], 'md-text'],
    ['snake_case_name x', 'jméno snake_case_name', [], 'md-text'],
    ['see :ref:`x <t>` now', 'viz :ref:`y <t>` hned', [], 'rst-text'],
    ['see :ref:`x <t>` now', 'viz :ref:`y <u>` hned', ['rst-references'], 'rst-text'],
    ['see :guilabel:`File`', 'viz :guilabel:`Soubor`', [], 'rst-text'],
    ['see `x <u>`_ now', 'viz `y <u>`_ hned', [], 'rst-text'],
    ['see |sub| now', 'viz podle', ['rst-references'], 'rst-text'],
    ['``code`` is', '``code`` je', [], 'rst-text'],
    ['``code`` is', '``code` je', ['rst-references', 'rst-syntax'], 'rst-text'],
    ['a **bold** word', 'a **tučné slovo', ['rst-references', 'rst-syntax'], 'rst-text'],
    ['Open <b>x y</b>', 'Otevři <b>a b</b>', [], 'safe-html'],
    ['Open file x', 'Otevři <script>alert(1)</script>', ['safe-html'], 'safe-html'],
    ['Open file x', '<a href="javascript:alert(1)">x</a>', ['safe-html'], 'safe-html'],
    ['Open file x', '<a href="java&#9;script:alert(1)">x</a>', ['safe-html'], 'safe-html'],
    ['Open file x', '<b onclick="x()">y</b>', ['safe-html'], 'safe-html'],
    ['Open file x', 'Otevři <https://example.com>', ['md-link'], 'safe-html, md-text, ignore-md-syntax'],
    ['The docs', 'https://example.com/cs', [], 'url'],
    ['The docs', 'example', ['url'], 'url'],
    ['The docs', 'javascript:alert(1)', ['url'], 'url'],
    ['The docs', 'https://example.com/a b', ['url'], 'url'],
  ])('judge the translation of %j as %j: %j', (source, target, expected, flagText) => {
    expect(check(source, target, { flagText })).toEqual(expected);
  });
});

describe('checks of limits and patterns', () => {
  test.each<[string, string, string[], string]>([
    ['Some text', 'Něco', [], 'max-length:4'],
    ['Some text', 'Delší', ['max-length'], 'max-length:4'],
    ['Some text', '😀😀😀😀', [], 'max-length:4'],
    ['Some %s', 'Něco %s', ['max-length'], 'max-length:10, replacements:%s:"a long name"'],
    ['Some text', 'Něco', [], 'max-size:30'],
    ['Some text', 'Něco mnohem delšího', ['max-size'], 'max-size:60'],
    ['Some text', 'Něco mnohem delšího', [], 'max-size:60:3'],
    ['Some text', 'Nejneobhospodařovávatelnějšími', ['max-size'], 'max-size:60:9'],
    ['Hi NAME', 'Ahoj NAME', [], 'placeholders:NAME'],
    ['Hi NAME', 'Ahoj JMÉNO', ['placeholders'], 'placeholders:NAME'],
    ['Hi NAME', 'Ahoj NAME, NAME', ['placeholders'], 'placeholders:NAME'],
    ['Hi NAME', 'Ahoj name', [], 'placeholders:NAME, case-insensitive'],
    ['Hi $A$ x', 'Ahoj $A$', [], 'placeholders:r"\\$[A-Z]\\$"'],
    ['Hi $A$ x', 'Ahoj $B$', ['placeholders'], 'placeholders:r"\\$[A-Z]\\$"'],
    ['Some text', 'abc', [], 'regex:r"^[a-z]+$"'],
    ['Some text', 'ABC', ['regex'], 'regex:r"^[a-z]+$"'],
  ])('judge the translation of %j as %j: %j, with the flags %s', (source, target, expected, _flags) => {
    expect(check(source, target, { flagText: _flags })).toEqual(expected);
  });
});

describe('checks of ICU and Fluent messages', () => {
  const icu = 'icu-message-format';
  test.each<[string, string, string[], string]>([
    ['Hi {name}', 'Ahoj {name}', [], icu],
    ['Hi {name}', 'Ahoj {jmeno}', ['icu_message_format'], icu],
    ['Hi {name}', 'Ahoj {name', ['icu_message_format'], icu],
    [
      '{n, plural, one {# file} other {# files}}',
      '{n, plural, one {# soubor} few {# soubory} other {# souborů}}',
      [],
      icu,
    ],
    ['{n, plural, one {# file} other {# files}}', '{n, plural, one {# soubor}}', ['icu_message_format'], icu],
    ['{g, select, a {x} other {y}}', '{g, select, b {x} other {y}}', ['icu_message_format'], icu],
    ['Hi <b>{name}</b>', 'Ahoj {name}', ['icu_message_format'], `${icu}, icu-flags:xml, ignore-xml-tags`],
    [
      'Hi <x-b>{name}</x-b>',
      '<u>Ahoj</u> <x-b>{name}</x-b>',
      [],
      `${icu}, icu-flags:xml, icu-tag-prefix:"x-", ignore-xml-tags`,
    ],
    ['Hi { $name }', 'Ahoj { $name }', [], 'fluent-references, fluent-target-syntax'],
    ['Hi { $name }', 'Ahoj { $jmeno }', ['fluent-references'], 'fluent-references'],
    ['Hi { -brand }', 'Ahoj', ['fluent-references'], 'fluent-references'],
    ['Hi { $name }', 'Ahoj { $name', ['fluent-target-syntax'], 'fluent-target-syntax'],
    ['Hi\n.title = x', 'Ahoj\n.title = y', [], 'fluent-parts, fluent-target-syntax'],
    ['Hi\n.title = x', 'Ahoj\n.label = y', ['fluent-parts'], 'fluent-parts'],
    ['<b>Hi</b>', '<b>Ahoj', ['fluent-target-inner-html'], 'fluent-target-inner-html, ignore-xml-invalid'],
    ['<b>Hi</b>', '<i>Ahoj</i>', ['fluent-target-inner-html'], 'fluent-target-inner-html, ignore-xml-tags'],
  ])('judge the translation of %j as %j: %j, with the flags %s', (source, target, expected, flagText) => {
    expect(check(source, target, { flagText })).toEqual(expected);
  });

  test('report 20 000 nested arguments without an exception', () => {
    const deep = '{a, select, other {'.repeat(1000);
    expect(check('Hi', deep, { flagText: icu })).toEqual(['icu_message_format']);
    expect(() => check('Hi', '{a,select,other{'.repeat(20_000), { flagText: icu })).not.toThrow();
    expect(() => check('Hi', '{ '.repeat(9_000), { flagText: 'fluent-target-syntax' })).not.toThrow();
    expect(() => check('<b>x</b>', '<b>'.repeat(20_000), { flagText: 'safe-html' })).not.toThrow();
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
  ])('judge %j: %j, with the flags %j', (source, expected, flagText) => {
    const forms = typeof source === 'string' ? [source] : source;
    expect(check(forms, forms, { isSource: true, flagText, state: 100 })).toEqual(expected);
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
