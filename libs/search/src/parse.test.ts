import fc from 'fast-check';
import type { Query } from './ast';
import { SearchError } from './errors';
import { parseQuery } from './parse';

const NOW = Date.UTC(2026, 10, 21, 12, 30);
const parse = (query: string): Query =>
  parseQuery(query, { now: NOW, changeAction: (label) => (/^resource.updat(e|ed)$/i.test(label) ? 0 : undefined) });

const contains = (field: string, value: string): object => ({
  type: 'text',
  fields: [field],
  match: { kind: 'contains', value },
});
const free = (value: string): object => ({
  type: 'text',
  fields: ['source', 'target', 'context'],
  match: { kind: 'contains', value },
});
const state = (op: string, value: number): object => ({ type: 'state', field: 'state', op, value });

describe('parseQuery', () => {
  test.each<[string, object]>([
    ['', { type: 'all' }],
    [' \t\n', { type: 'all' }],
    ['hello', free('hello')],
    ['a b', { type: 'and', children: [free('a'), free('b')] }],
    ['a AND b', { type: 'and', children: [free('a'), free('b')] }],
    ['a b OR c', { type: 'or', children: [{ type: 'and', children: [free('a'), free('b')] }, free('c')] }],
    ['a and (b or c)', { type: 'and', children: [free('a'), { type: 'or', children: [free('b'), free('c')] }] }],
    ['NOT a b', { type: 'and', children: [{ type: 'not', child: free('a') }, free('b')] }],
    ['not not a', { type: 'not', child: { type: 'not', child: free('a') } }],
    ['((a))', free('a')],
    ['"a AND b"', free('a AND b')],
    ['"say \\"hi\\" \\\\"', free('say "hi" \\')],
    ["don't", free("don't")],
    ['android', free('android')],
    ['http://example.com/a:b', free('http://example.com/a:b')],
    ['mailto:me@example.com', free('mailto:me@example.com')],
    ['3:30', free('3:30')],
    ['a(b)', { type: 'and', children: [free('a'), free('b')] }],
  ])('parseQuery parses the structure of %j', (query, tree) => expect(parse(query)).toEqual(tree));

  test.each<[string, string, number]>([
    ['(', 'syntax', 1],
    ['(a', 'syntax', 0],
    ['a)', 'syntax', 1],
    ['()', 'syntax', 1],
    ['AND', 'syntax', 0],
    ['a OR', 'syntax', 4],
    ['a OR OR b', 'syntax', 5],
    ['NOT', 'syntax', 3],
    ['"a', 'syntax', 0],
    ['a source:"b', 'syntax', 9],
    ['source:', 'syntax', 0],
    ['foo:bar', 'unknown_field', 0],
    ['a constructor:b', 'unknown_field', 2],
    ['state:nonsense', 'bad_value', 0],
    ['state:constructor', 'bad_value', 0],
    ['state:[0 to 10]', 'bad_value', 0],
    ['state:r"x"', 'bad_value', 0],
    ['is:nonsense', 'bad_value', 0],
    ['has:nonsense', 'bad_value', 0],
    ['has:>plural', 'bad_operator', 0],
    ['pending:maybe', 'bad_value', 0],
    ['priority:high', 'bad_value', 0],
    ['priority:1.5', 'bad_value', 0],
    ['id:1,x', 'bad_value', 0],
    ['id:,', 'bad_value', 0],
    ['id:>[1 to 2]', 'bad_operator', 0],
    ['priority:[1 to 2 to 3]', 'bad_value', 0],
    ['changed:someday', 'bad_value', 0],
    ['changed:[2026 to soon]', 'bad_value', 0],
    ['change_action:nonsense', 'bad_value', 0],
    ['target:r"(a"', 'bad_regex', 0],
    ['a target:r"(a+)+"', 'bad_regex', 2],
    ['target:r"(?=a)"', 'bad_regex', 0],
    ['check:>same', 'bad_operator', 0],
    ['path:/', 'bad_value', 0],
  ])('parseQuery rejects %j: %s at %d', (query, reason, position) => {
    let error: unknown;
    try {
      parse(query);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(SearchError);
    expect([(error as SearchError).reason, (error as SearchError).position]).toEqual([reason, position]);
  });

  test('parseQuery limits length, depth and the number of terms, without stack overflows', () => {
    const reason = (query: string, maxLength?: number): string => {
      try {
        parseQuery(query, { maxLength });
        return 'accepted';
      } catch (error) {
        if (!(error instanceof SearchError)) throw error;
        return error.reason;
      }
    };
    expect(reason('a'.repeat(8001))).toBe('too_long');
    for (const open of ['(', 'NOT ', '(NOT ', 'a OR (', 'a (']) {
      expect(reason(open.repeat(20_000) + 'a', Infinity)).toMatch(/too_deep|too_many_terms/);
      expect(reason(open.repeat(45) + 'a')).toBe('too_deep');
    }
    expect(reason('('.repeat(20_000) + 'a' + ')'.repeat(20_000), Infinity)).toBe('too_deep');
    expect(reason(')'.repeat(20_000), Infinity)).toBe('syntax');
    expect(reason('a '.repeat(201))).toBe('too_many_terms');
    expect(reason('('.repeat(40) + 'a' + ')'.repeat(40))).toBe('accepted');
    expect(reason('(a) '.repeat(100))).toBe('accepted');
  });

  test('parseQuery parses arbitrary texts or throws a SearchError with a position inside the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        ' ',
        'AND',
        'OR',
        'NOT',
        '"',
        "'",
        'r"',
        ':',
        ':=',
        ':>',
        '[',
        ' to ',
        ']',
        '\\',
        'state',
        'is',
        'has',
        'changed',
        'id',
        'source',
        '2026',
        'a+',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const query = pieces.join('');
        try {
          parse(query);
        } catch (error) {
          if (!(error instanceof SearchError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(0);
          expect(error.position).toBeLessThanOrEqual(query.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a search term', () => {
  const day = (month: number, date: number): number => Date.UTC(2026, month - 1, date);
  const date = (field: string, span: object): object => ({ type: 'date', field, ...span });

  test.each<[string, object]>([
    ['source:hello', contains('source', 'hello')],
    ['SOURCE:hello', contains('source', 'hello')],
    ['key:hello', contains('context', 'hello')],
    ['target:"a b"', contains('target', 'a b')],
    ['target:<b>', contains('target', '<b>')],
    ['target:>="x"', contains('target', '>=x')],
    ['note:[a', contains('note', '[a')],
    ['source:=""', { type: 'text', fields: ['source'], match: { kind: 'exact', value: '' } }],
    [
      'target:r"^[A-Z]\\w+ \\"x\\"$"',
      { type: 'text', fields: ['target'], match: { kind: 'regex', value: '^[A-Z]\\w+ "x"$' } },
    ],
    ["resolved_comment:r'a|b'", { type: 'text', fields: ['resolved_comment'], match: { kind: 'regex', value: 'a|b' } }],
    ['r"a.c"', { type: 'text', fields: ['source', 'target', 'context'], match: { kind: 'regex', value: 'a.c' } }],
    ['state:<translated', state('<', 20)],
    ['state:>=translated', state('>=', 20)],
    ['state:empty', state('=', 0)],
    ['state:needs-editing', state('=', 10)],
    ['state:10', state('=', 10)],
    ['state:read_only', state('=', 100)],
    ['source_state:approved', { type: 'state', field: 'source_state', op: '=', value: 30 }],
    ['is:translated', state('>=', 20)],
    ['is:untranslated', state('<', 20)],
    ['is:fuzzy', state('=', 10)],
    ['is:read-only', state('=', 100)],
    ['is:readonly', state('=', 100)],
    ['is:pending', { type: 'pending', value: true }],
    ['pending:off', { type: 'pending', value: false }],
    ['has:check', { type: 'has', what: 'check' }],
    ['has:failing_check', { type: 'has', what: 'check' }],
    ['has:ignored-check', { type: 'has', what: 'dismissed-check' }],
    ['has:resolved_comment', { type: 'has', what: 'resolved-comment' }],
    ['check: max-length', { type: 'exact', field: 'check', value: 'max-length' }],
    ['has:shaping', { type: 'has', what: 'variant' }],
    ['check:max-length', { type: 'exact', field: 'check', value: 'max-length' }],
    ['label:"Needs care"', { type: 'exact', field: 'label', value: 'Needs care' }],
    ['language:pt_BR', { type: 'exact', field: 'language', value: 'pt_BR' }],
    ['changed_by:adam', { type: 'exact', field: 'changed_by', value: 'adam' }],
    ['component:web', { type: 'component', match: { kind: 'contains', value: 'web' } }],
    ['component:=web', { type: 'component', match: { kind: 'exact', value: 'web' } }],
    ['path:a/-/cs', { type: 'path', segments: ['a', null, 'cs'] }],
    ['id:1,2,3', { type: 'number', field: 'id', values: [1, 2, 3] }],
    ['priority:>100', { type: 'number', field: 'priority', min: 101 }],
    ['position:<=5', { type: 'number', field: 'position', max: 5 }],
    ['position:[2 to 5]', { type: 'number', field: 'position', min: 2, max: 5 }],
    ['labels_count:0', { type: 'number', field: 'labels_count', values: [0] }],
    ['change_action:resource-update', { type: 'change_action', action: 0 }],
    ['change_action:"Resource updated"', { type: 'change_action', action: 0 }],
    ['changed:2026-11-20', date('changed', { from: day(11, 20), before: day(11, 21) })],
    ['changed:>2026-11-20', date('changed', { from: day(11, 20) })],
    ['changed:<=2026-11-20', date('changed', { before: day(11, 21) })],
    ['added:2026', date('added', { from: day(1, 1), before: Date.UTC(2027, 0) })],
    ['added:[2026-11-01 to 2026-11-05]', date('added', { from: day(11, 1), before: day(11, 6) })],
    ['added:["2 weeks ago" to yesterday]', date('added', { from: day(11, 7), before: day(11, 21) })],
    ['last_changed:>"1 week ago"', date('last_changed', { from: day(11, 14) })],
  ])('a search term is parsed from %s', (query, term) => expect(parse(query)).toEqual(term));
});
