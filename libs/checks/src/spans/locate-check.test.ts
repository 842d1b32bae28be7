import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgreementCase, PLURALS } from '../../agreement/verdict.mjs';
import type { CheckInput } from '../check-input';
import { CHECKS } from '../check-definitions';
import { NO_FLAGS, parseFlags } from '../flags/flags';
import { runChecks } from '../run-checks';
import { TermFinder } from './find-terms';
import { LOCATED_CHECKS, locateCheck } from './locate-check';
import { safeFix } from './safe-fix';
import { changedPart, codePointOffset } from './span';

const recorded = readFileSync(join(__dirname, '../../agreement/cases.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as AgreementCase);

const inputOf = ({ source, target, lang, flags, state, glossary }: AgreementCase): CheckInput => ({
  source,
  target,
  sourceLanguage: 'en',
  targetLanguage: lang,
  flags: parseFlags(flags),
  isSource: lang === 'en',
  isGlossary: glossary ?? false,
  state: state ?? (target.every((form) => form === '') ? 0 : 20),
  pluralFormula: PLURALS[lang]?.[1] ?? 'n != 1',
});

const unit = (source: string, target: string, flags = '', targetLanguage = 'cs'): CheckInput => ({
  source: [source],
  target: [target],
  sourceLanguage: 'en',
  targetLanguage,
  flags: flags === '' ? NO_FLAGS : parseFlags(flags),
});

/** The located parts, as text. */
const parts = (id: string, input: CheckInput): string[] =>
  locateCheck(id, input).map(({ side, form, start, end }) => `${side}: ${input[side][form]!.slice(start, end)}`);

/** Checks about a text as a whole, or about other strings: their failures have no places. */
const WHOLE_TEXT_CHECKS = [
  'icu_message_format',
  'icu_message_format_syntax',
  'inconsistent',
  'reused',
  'translated',
  'xml-invalid',
  'md-reflink',
  'md-link',
  'md-syntax',
  'rst-references',
  'rst-syntax',
  'multiple_failures',
  'long_untranslated',
  'fluent-source-syntax',
  'fluent-target-syntax',
  'fluent-parts',
  'fluent-references',
  'fluent-source-inner-html',
  'fluent-target-inner-html',
];

const splitsPair = (text: string, offset: number): boolean =>
  offset > 0 && offset < text.length && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(offset - 1, offset + 1));

describe('places of failing checks', () => {
  const failing = recorded.flatMap((test) => runChecks(inputOf(test)).map((id) => ({ id, test })));

  it('places of failing checks lie inside the texts of every recorded string and split no character', () => {
    expect(failing.length).toBeGreaterThan(500);
    for (const { id, test } of failing) {
      const input = inputOf(test);
      for (const span of locateCheck(id, input)) {
        const text = input[span.side][span.form]!;
        const fits = span.start >= 0 && span.start <= span.end && span.end <= text.length;
        const whole = !splitsPair(text, span.start) && !splitsPair(text, span.end);
        expect({ id, text, span, fits, whole }).toEqual({ id, text, span, fits: true, whole: true });
      }
    }
  });

  it('places of failing checks are found by locate-check.ts, or the check is listed here as one of whole texts', () => {
    const listed = [...LOCATED_CHECKS, ...WHOLE_TEXT_CHECKS];
    expect(listed.toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted());
  });

  it('places of failing checks are known for the checks that claim to know them', () => {
    const silent = failing.filter(
      ({ id, test }) => LOCATED_CHECKS.has(id) && locateCheck(id, inputOf(test)).length === 0,
    );
    // Placeholders may differ without one that is missing: a stray marker, quotes, an order.
    const vague = new Set([
      'placeholders',
      'xml-tags',
      'bbcode',
      ...CHECKS.flatMap(({ id }) => (id.includes('format') ? [id] : [])),
    ]);
    const counts = new Map<string, number>();
    for (const { id } of silent) counts.set(id, (counts.get(id) ?? 0) + 1);
    expect([...counts].filter(([id]) => !vague.has(id))).toEqual([]);
    expect(silent.length).toBeLessThan(failing.length / 20);
  });

  it.each<[string, CheckInput, string[]]>([
    ['end_stop', unit('Hello there.', 'Ahoj všem'), ['source: .', 'target: m']],
    ['end_ellipsis', unit('Loading…', 'Načítání'), ['source: …', 'target: í']],
    ['begin_space', unit('  Two', 'Dva'), ['source:   ']],
    ['end_space', unit('Name:', 'Jméno:  '), ['target:   ']],
    ['double_space', unit('One two', 'Jedna  dva   tři'), ['target:   ', 'target:    ']],
    [
      'python_format',
      unit('%(name)s has %d', '%(jmeno)s má', 'python-format'),
      ['source: %(name)s', 'source: %d', 'target: %(jmeno)s'],
    ],
    ['python_brace_format', unit('{a} of {b}', '{a} z {c}', 'python-brace-format'), ['source: {b}', 'target: {c}']],
    ['java_format', unit('{0} of {1}', '{0} z', 'java-format'), ['source: {1}']],
    ['c_format', unit('😀 %s', '😀 %d', 'c-format'), ['source: %s', 'target: %d']],
    ['placeholders', unit('Hi $NAME', 'Ahoj', 'placeholders:$NAME'), ['source: $NAME']],
    ['xml-tags', unit('<b>Hi</b>', '<i>Ahoj</i>'), ['source: <b>', 'source: </b>', 'target: <i>', 'target: </i>']],
    ['max-length', unit('Hi', '😀😀😀abc', 'max-length:4'), ['target: bc']],
    ['duplicate', unit('The end', 'To To je konec konec'), ['target: To To', 'target: konec konec']],
    ['punctuation_spacing', unit('Why? No!', 'Pourquoi? Non!', '', 'fr'), ['target: ?', 'target: !']],
    ['newline-count', unit('a\nb', 'a b'), ['source: \n']],
    ['zero-width-space', unit('ab', 'a\u200bb'), ['target: \u200b']],
    [
      'same',
      unit('Untranslated text', 'Untranslated text'),
      ['source: Untranslated text', 'target: Untranslated text'],
    ],
  ])('the located places of %s are the wrong parts', (id, input, expected) => {
    expect(parts(id, input)).toEqual(expected);
  });

  it('places of failing checks name the blank plural form', () => {
    const input = { ...unit('%d day', ''), source: ['%d day', '%d days'], target: ['%d den', '', '%d dní'] };
    expect(locateCheck('plurals', input)).toEqual([{ side: 'target', form: 1, start: 0, end: 0 }]);
  });

  it('places of failing checks are glossary terms in the source and forbidden translations in the target', () => {
    const input = unit('Push the branch to the Branch', 'Pošlete haluz');
    const terms = [
      { source: 'branch', targets: ['větev'] },
      { source: 'branch', targets: ['haluz'], forbidden: true },
      { source: 'ranch', targets: ['farma'] },
    ];
    const texts = locateCheck('check_glossary', input, terms).map(
      ({ side, start, end }) => `${side}: ${input[side][0]!.slice(start, end)}`,
    );
    expect(texts).toEqual(['source: branch', 'source: Branch', 'target: haluz']);
  });

  it('the places of a term are unknown where lower case has another length', () => {
    expect(new TermFinder('İstanbul C++', 'en').find('C++')).toEqual([]);
    expect(new TermFinder('a C++', 'en').find(' C++ ')).toEqual([{ start: 2, end: 5 }]);
  });
});

it('offsets are converted to code points', () => {
  expect(['', 'a', '😀', '😀a'].map((text) => codePointOffset(`${text}x`, text.length))).toEqual([0, 1, 1, 2]);
});

it('the changed part of a text keeps surrogate pairs whole', () => {
  expect(changedPart('a😀b', 'a😁b')).toEqual({ start: 1, end: 3 });
  expect(changedPart('abc', 'axc')).toEqual({ start: 1, end: 2 });
});

describe('safe fixes', () => {
  it.each<[string, CheckInput, string[] | null]>([
    ['end_space', unit('Name:', 'Jméno: '), ['Jméno:']],
    ['end_ellipsis', unit('Loading…', 'Načítání...'), ['Načítání…']],
    ['end_stop', unit('Hello there.', 'Ahoj všem '), null],
    ['zero-width-space', unit('Hello', 'Aho\u200bj'), ['Ahoj']],
    ['punctuation_spacing', unit('Why?', 'Pourquoi ?', '', 'fr'), ['Pourquoi\u202f?']],
    ['max-length', unit('Hello', 'Ahoj ', 'max-length:2'), null],
  ])('the safe fixes of %s repair the check or are empty', (id, input, expected) => {
    expect(safeFix(id, input)).toEqual(expected);
  });

  it('safe fixes break no other check in any recorded string', () => {
    for (const test of recorded) {
      const input = inputOf(test);
      const before = runChecks(input);
      for (const id of before) {
        const target = safeFix(id, input);
        if (target === null) continue;
        const after = runChecks({ ...input, target });
        expect({
          id,
          test,
          repaired: !after.includes(id),
          more: after.filter((other) => !before.includes(other)),
        }).toEqual({ id, test, repaired: true, more: [] });
      }
    }
  });
});
