import { evaluate, type UnitView } from './evaluate';
import { parseQuery } from './parse';

const day = (date: number): number => Date.UTC(2026, 10, date, 15);
const unit: UnitView = {
  id: 7,
  source: ['%d file', '%d files'],
  target: ['%d soubor', '%d soubory', '%d Souborů'],
  context: 'Menu',
  note: 'a note',
  location: 'src/main.c:12',
  explanation: '',
  flags: 'c-format',
  extraFlags: '',
  state: 20,
  sourceState: 100,
  pending: true,
  position: 3,
  priority: 80,
  labels: ['Easy', 'UI'],
  checks: ['c_format'],
  dismissedChecks: ['same'],
  suggestions: [{ text: 'jiný text', author: 'eva' }],
  comments: [
    { text: 'open remark', author: 'adam' },
    { text: 'settled remark', author: 'eva', resolved: true },
  ],
  changes: [
    { action: 2, author: 'adam', time: day(10) },
    { action: 3, author: 'eva', time: day(12), content: false },
  ],
  added: day(1),
  lastChanged: day(12),
  sourceChanged: day(2),
  language: 'cs',
  project: 'hello',
  component: { slug: 'web', name: 'Web Site' },
  categories: ['apps'],
  screenshots: ['Main window'],
};

test.each([
  '',
  'soubory',
  'SOUBORŮ',
  'menu',
  'source:file',
  'target:="%d soubor"',
  'context:"" note:"" location:""',
  'target:r"Soubor.$"',
  'note:NOTE location:main.c',
  'suggestion:jiný comment:open resolved_comment:settled',
  'explanation:=""',
  'priority:80 position:[1 to 3] id:6,7 labels_count:>1',
  'state:translated state:<approved state:>=10 source_state:read-only',
  'pending:yes is:pending is:translated',
  'check:c_format dismissed_check:same',
  'changed:2026-11-10 change_time:2026-11-12 added:<2026-11-02 last_changed:>=2026-11-12 source_changed:[2026-11-01 to 2026-11-02]',
  'changed_by:eva suggestion_author:eva comment_author:adam',
  'language:cs project:hello label:UI screenshot:"Main window"',
  'component:site component:=web component:="web site"',
  'path:hello path:hello/-/cs path:-/-/cs path:hello/apps/web/cs path:hello/apps',
  'has:plural has:suggestion has:location has:note has:comment has:resolved-comment has:check has:dismissed-check',
  'has:translation has:label has:context has:screenshot has:flags',
  'NOT has:explanation NOT has:variant NOT has:glossary',
  'nothing OR (soubor AND NOT nothing)',
  'change_action:x',
])('the query %s finds the unit', (query) =>
  expect(evaluate(parseQuery(query, { changeAction: () => 2 }), unit)).toBe(true),
);

test.each([
  'nothing',
  'source:soubor',
  'target:=soubor',
  'target:r"souborů"',
  'comment:settled',
  'resolved_comment:open',
  'priority:<80',
  'id:1,2',
  'labels_count:0',
  'state:>translated',
  'is:untranslated',
  'pending:no',
  'check:same',
  'changed:2026-11-12',
  'changed:<2026-11-09',
  'language:c',
  'label:ui',
  'component:=we',
  'path:hello/web',
  'path:other/-/cs',
  'path:hello/apps/web/cs/more',
  'change_action:x',
  'soubor nothing',
  'NOT soubor',
])('the query %s does not find the unit', (query) =>
  expect(evaluate(parseQuery(query, { changeAction: () => 99 }), unit)).toBe(false),
);

test('every term can be evaluated for a unit with only the required properties', () => {
  const bare: UnitView = { source: ['a'], target: [''], state: 0 };
  for (const what of [
    'plural',
    'suggestion',
    'comment',
    'check',
    'label',
    'flags',
    'screenshot',
    'variant',
    'glossary',
    'translation',
  ]) {
    expect([what, evaluate(parseQuery(`has:${what}`), bare)]).toEqual([what, false]);
  }
  expect(evaluate(parseQuery('source_state:empty'), bare)).toBe(false);
  expect(evaluate(parseQuery('priority:100 labels_count:0'), bare)).toBe(true);
});

describe('a text contains a value if its small letters contain those of the value', () => {
  /** @param source text of the unit */
  const contains = (source: string, value: string): boolean => {
    const bare: UnitView = { source: [source], target: [''], state: 0 };
    return evaluate({ type: 'text', fields: ['source'], match: { kind: 'contains', value } }, bare);
  };
  const inSmall = (text: string, value: string) => text.toLowerCase().includes(value.toLowerCase());

  test('every character is compared with every letter by its small letters, at the end of the value and before', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzKIS'];
    const others = Array.from({ length: 0x1_1000 }, (_, at) => String.fromCodePoint(at)).filter((text) =>
      /[a-z]/.test(text.toLowerCase()),
    );
    expect(others).toEqual(expect.arrayContaining(['\u212a', '\u0130']));
    for (const text of others)
      for (const letter of letters)
        for (const value of [letter, `${letter}x`, `x${letter}`])
          for (const whole of [text, `x${text}x`, `${text}X`])
            expect([whole, value, contains(whole, value)]).toEqual([whole, value, inSmall(whole, value)]);
  });

  test.each(['a.b', '[x]', '(a|b)', 'a\\b', '^$', '50%', '{1}', 'a-z', '*+?', '\n', 'ö', 'ß', 'İ', 'Kelvin'])(
    'the characters of %j stand for themselves',
    (value) => {
      for (const text of [value, value.toUpperCase(), `in ${value} out`, 'a1b', 'ab', '', 'öKELVIN'])
        expect([text, contains(text, value)]).toEqual([text, inSmall(text, value)]);
    },
  );
});
