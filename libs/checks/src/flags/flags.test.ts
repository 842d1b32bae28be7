import fc from 'fast-check';
import { effectiveMaxLength, FlagError, mergeFlags, parseFlags } from './flags';
import { CHECKS } from '../check-definitions';

describe('parseFlags', () => {
  test.each([
    ['', ''],
    [' , ,', ''],
    ['python-format', 'python-format'],
    ['  url ,c-format', 'c-format, url'],
    ['max-length:10', 'max-length:10'],
    ['max-length:10,max-length:20', 'max-length:20'],
    ['max-size:100:2', 'max-size:100:2'],
    ['priority:-5', 'priority:-5'],
    ['placeholders:A:B', 'placeholders:A:B'],
    ['placeholders:"a b":"c,d":\'e:f\'', 'placeholders:"a b":"c,d":"e:f"'],
    ['placeholders:"say \\"hi\\""', 'placeholders:"say \\"hi\\""'],
    ['placeholders:r"\\d+, x":$Y$', 'placeholders:r"\\d+, x":$Y$'],
    ['regex:r"^\\"a\\"$"', 'regex:r"^\\"a\\"$"'],
    ["regex:r'[a-z]:x'", 'regex:r"[a-z]:x"'],
    ['replacements:a:', 'replacements:a:'],
    ['replacements:a:"":b:c', 'replacements:a::b:c'],
    ['variant:"some key"', 'variant:"some key"'],
    ['fuzzy, #, read-only', 'read-only'],
    ['markdown-text', 'md-text'],
    ['discard:c-format, discard:url', 'discard:c-format, discard:url'],
    ['ignore-end-stop,ignore-same-plurals,ignore-bbcode', 'ignore-bbcode, ignore-end-stop, ignore-same-plurals'],
  ])('the canonical form of the flags %j is %j', (text, canonical) => {
    expect(parseFlags(text).toString()).toBe(canonical);
    expect(parseFlags(canonical).toString()).toBe(canonical);
  });

  test.each([
    ['nonsense', 'nonsense', 0],
    ['url, nonsense', 'nonsense', 4],
    ['constructor', 'constructor', 0],
    ['url:1', 'url:1', 0],
    ['max-length', 'max-length', 0],
    ['max-length:', 'max-length:', 0],
    ['max-length:x', 'max-length:x', 0],
    ['max-length:1:2', 'max-length:1:2', 0],
    ['replacements:a:b:c', 'replacements:a:b:c', 0],
    ['regex:r"("', 'regex:r"("', 0],
    ['regex:(', 'regex:(', 0],
    ['regex:r"(?=a)"', 'regex:r"(?=a)"', 0],
    ['max-length:r"1"', 'max-length:r"1"', 0],
    ['placeholders:"a', 'placeholders', 0],
    ['placeholders:"a"b', 'placeholders', 0],
    ['discard:nonsense', 'discard:nonsense', 0],
    [':x', ':x', 0],
    ['Url', 'Url', 0],
  ])('parseFlags rejects %j with an error that names %j', (text, flag, position) => {
    let error: unknown;
    try {
      parseFlags(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(FlagError);
    expect([(error as FlagError).flag, (error as FlagError).position]).toEqual([flag, position]);
  });

  test('parseFlags accepts the flags of every check', () => {
    for (const { flag, ignoreFlag } of CHECKS) {
      expect(parseFlags(ignoreFlag).has(ignoreFlag)).toBe(true);
      const values: Record<string, string> = { 'max-length': ':1', 'max-size': ':1', placeholders: ':x', regex: ':x' };
      if (flag) expect(parseFlags(flag + (values[flag] ?? '')).has(flag)).toBe(true);
    }
  });

  test('parseFlags skips invalid flags in lenient mode', () => {
    expect(parseFlags('c-format, no-wrap, range: 0..10, max-length:x, url', { lenient: true }).toString()).toBe(
      'c-format, url',
    );
    expect(parseFlags('placeholders:"a', { lenient: true }).isEmpty).toBe(true);
  });

  test('parseFlags returns the same object for equal strings and rejects strings that are too long', () => {
    expect(parseFlags('url, c-format')).toBe(parseFlags('url, c-format'));
    expect(() => parseFlags(`variant:${'x'.repeat(10_000)}`)).toThrow(FlagError);
  });

  test('parseFlags keeps parameters through formatting and parsing', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), (values) => {
        const text = `placeholders:${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(':')}`;
        const flags = parseFlags(text);
        expect(flags.values('placeholders')).toEqual(values);
        expect(parseFlags(flags.toString()).values('placeholders')).toEqual(values);
      }),
    );
  });
});

describe('mergeFlags', () => {
  const merge = (...texts: string[]): string => mergeFlags(...texts.map((text) => parseFlags(text))).toString();
  test.each<[string[], string]>([
    [[], ''],
    [['url'], 'url'],
    [['max-length:10', 'max-length:20'], 'max-length:20'],
    [['url, c-format', '', 'discard:url'], 'c-format'],
    [['url', 'discard:url', 'url'], 'url'],
    [['md-text', 'discard:markdown-text'], ''],
    [['discard:url', 'c-format'], 'c-format'],
  ])('mergeFlags merges the layers %j to %j', (layers, merged) => expect(merge(...layers)).toBe(merged));

  test('mergeFlags returns the same object for equal layers', () => {
    expect(mergeFlags(parseFlags('url'), parseFlags('c-format'))).toBe(
      mergeFlags(parseFlags('url'), parseFlags('c-format')),
    );
  });
});

test('effectiveMaxLength defaults to ten times the source, and to 10 000 for sources', () => {
  const none = parseFlags('');
  expect(effectiveMaxLength(none, 'short', false)).toBe(100);
  expect(effectiveMaxLength(none, 'x'.repeat(20), false)).toBe(200);
  expect(effectiveMaxLength(none, '😀'.repeat(20), false)).toBe(200);
  expect(effectiveMaxLength(none, 'short', true)).toBe(10_000);
  expect(effectiveMaxLength(parseFlags('max-length:7'), 'x'.repeat(20), false)).toBe(7);
});
