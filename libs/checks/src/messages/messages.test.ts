import { failingChecks } from '../testing/failing-checks';

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
  ])(
    'checks of ICU and Fluent messages judge the translation of %j as %j: %j, with the flags %s',
    (source, target, expected, flagText) => {
      expect(failingChecks(source, target, { flagText })).toEqual(expected);
    },
  );

  test('checks of ICU and Fluent messages report 20 000 nested arguments without an exception', () => {
    const deep = '{a, select, other {'.repeat(1000);
    expect(failingChecks('Hi', deep, { flagText: icu })).toEqual(['icu_message_format']);
    expect(() => failingChecks('Hi', '{a,select,other{'.repeat(20_000), { flagText: icu })).not.toThrow();
    expect(() => failingChecks('Hi', '{ '.repeat(9_000), { flagText: 'fluent-target-syntax' })).not.toThrow();
    expect(() => failingChecks('<b>x</b>', '<b>'.repeat(20_000), { flagText: 'safe-html' })).not.toThrow();
  });
});
