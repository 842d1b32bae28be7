import { z } from 'zod';
import * as field from './field';
import {
  categorySettings,
  componentSettings,
  languageSettings,
  projectSettings,
  readRequest,
  toMessage,
} from './index';

const minimal = { name: 'Web', slug: 'web', repo: 'https://example.com/a.git', filemask: 'po/*.po', file_format: 'po' };

describe('readRequest', () => {
  it('readRequest parses times to milliseconds, without a zone as UTC', () => {
    const schema = z.object({ end: field.time('').nullable() });
    const read = (end: unknown) => readRequest(schema, { end }, 'update');
    const noon = Date.UTC(2030, 0, 2, 12);
    for (const text of ['2030-01-02T12:00:00Z', '2030-01-02T12:00', '2030-01-02 13:00:00.000000+01:00'])
      expect([text, read(text).values]).toEqual([text, { end: noon }]);
    expect(read('2030-01-02').values).toEqual({ end: Date.UTC(2030, 0, 2) });
    for (const wrong of [
      '',
      'nope',
      '2030',
      '2030-13-01',
      '2030-01-02T25:00:00Z',
      '1960-01-01',
      5,
      true,
      ['2030-01-02'],
    ])
      expect([wrong, read(wrong).problems.map((p) => [p.attr, p.code])]).toEqual([wrong, [['end', 'invalid']]]);
    expect(toMessage(schema, read(null).values)).toEqual({ endMs: 0 });
    expect(toMessage(schema, readRequest(schema, { end: '' }, 'update', { form: true }).values)).toEqual({
      endMs: 0,
    });
    expect(toMessage(schema, read('2030-01-02T12:00').values)).toEqual({ endMs: noon });
  });

  it('readRequest parses lists of addresses and ids and rejects empty lists where items are required', () => {
    const schema = z.object({ groups: field.relations('', { filled: true }) });
    const read = (groups: unknown) => readRequest(schema, { groups }, 'update');
    expect(read([22, '/api/groups/5/', '7']).values).toEqual({ groups: ['22', '/api/groups/5/', '7'] });
    expect(read('[22]').values).toEqual({ groups: ['22'] });
    const problems = (groups: unknown) => read(groups).problems.map((p) => [p.attr, p.code]);
    expect(problems([])).toEqual([['groups', 'empty']]);
    expect(problems(['1', null])).toEqual([['groups.1', 'incorrect_type']]);
    expect(problems([1.5])).toEqual([['groups.0', 'incorrect_type']]);
    expect(problems({})).toEqual([['groups', 'not_a_list']]);
  });

  it('readRequest accepts a single string for a list in forms only, and a JSON list everywhere', () => {
    const read = (type: 'list' | 'relations' | 'integers', a: string, form: boolean) => {
      const { values, problems } = readRequest(z.object({ a: field[type]('') }), { a }, 'update', { form });
      return problems[0]?.code ?? values.a;
    };
    for (const type of ['list', 'relations'] as const) {
      expect([read(type, '["1"]', false), read(type, '["1"]', true)]).toEqual([['1'], ['1']]);
      expect([read(type, 'b', false), read(type, 'b', true)]).toEqual(['not_a_list', ['b']]);
      expect([read(type, '', false), read(type, '', true)]).toEqual(['not_a_list', []]);
    }
    expect([read('integers', '7', false), read('integers', '7', true)]).toEqual(['not_a_list', [7]]);
  });

  it('readRequest validates email addresses', () => {
    const schema = z.object({ email: field.line('', { shape: 'email' }) });
    const taken = (email: string) => readRequest(schema, { email }, 'update').problems.length === 0;
    for (const email of [
      "o'n.e+x@a.org",
      'a@localhost',
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      '"a b"@a.org',
      'a@bücher.example',
    ])
      expect([email, taken(email)]).toEqual([email, true]);
    for (const email of [
      'a',
      '@a.org',
      'a@',
      'a@b',
      'é@a.org',
      'a..b@a.org',
      '.a@a.org',
      'a@a..org',
      'a@[300.1.1.1]',
      '"<"@a.org',
      'a b@a.org',
      'a@b@c.org',
    ])
      expect([email, taken(email)]).toEqual([email, false]);
  });

  it('readRequest requires settings on creation and replacement, and applies defaults on creation only', () => {
    const created = readRequest(componentSettings, minimal, 'create');
    expect(created.problems).toEqual([]);
    expect(created.values).toMatchObject({
      ...minimal,
      vcs: 'git',
      push_on_commit: true,
      priority: 100,
      enforced_checks: [],
      category: null,
    });
    expect(created.values).not.toHaveProperty('manage_units');
    expect(readRequest(componentSettings, {}, 'create').problems.map((p) => [p.attr, p.code])).toEqual(
      ['name', 'slug', 'repo', 'filemask', 'file_format'].map((n) => [n, 'required']),
    );
    expect(readRequest(componentSettings, {}, 'update')).toEqual({ values: {}, problems: [] });
    expect(readRequest(projectSettings, { name: 'A' }, 'replace').problems.map((p) => p.attr)).toEqual(['slug', 'web']);
  });

  it('readRequest converts values of forms and older clients', () => {
    const { values, problems } = readRequest(
      componentSettings,
      {
        push_on_commit: 'off',
        restricted: '1',
        priority: '80',
        enforced_checks: '["same"]',
        source_language: { code: 'cs' },
        name: ' Web ',
        category: '',
      },
      'update',
    );
    expect(problems).toEqual([]);
    expect(values).toEqual({
      push_on_commit: false,
      restricted: true,
      priority: 80,
      enforced_checks: ['same'],
      source_language: 'cs',
      name: 'Web',
      category: null,
    });
  });

  it('readRequest reports every invalid field', () => {
    const { problems } = readRequest(
      componentSettings,
      {
        name: '',
        slug: '-',
        vcs: 'cvs',
        push_on_commit: 'perhaps',
        commit_pending_age: -1,
        priority: 99,
        enforced_checks: [1],
        file_format_params: '[]',
        source_language: {},
        repo: 'x'.repeat(301),
        report_source_bugs: 'nobody',
        branch: 'a\u0000b',
        license: 'Own',
        merge_style: ['rebase', 'merge'],
        push: null,
      },
      'update',
    );
    expect(Object.fromEntries(problems.map((p) => [p.attr, p.code]))).toEqual({
      name: 'blank',
      slug: 'invalid',
      vcs: 'invalid_choice',
      push_on_commit: 'invalid',
      commit_pending_age: 'min_value',
      priority: 'invalid_choice',
      'enforced_checks.0': 'invalid',
      file_format_params: 'invalid',
      'source_language.code': 'required',
      repo: 'max_length',
      report_source_bugs: 'invalid',
      branch: 'null_characters_not_allowed',
      license: 'invalid_choice',
      merge_style: 'invalid',
      push: 'null',
    });
  });

  it('readRequest rejects lists for strings and reports problems of relations and nested fields', () => {
    const codes = (body: object) =>
      readRequest(componentSettings, body as Record<string, unknown>, 'update').problems.map((p) => [p.attr, p.code]);
    expect(codes({ name: ['Web'], agreement: ['x'] })).toEqual([
      ['name', 'invalid'],
      ['agreement', 'invalid'],
    ]);
    expect(codes({ category: 7 })).toEqual([['category', 'incorrect_type']]);
    expect(codes({ source_language: '' })).toEqual([['source_language.code', 'blank']]);
    expect(codes({ source_language: 7 })).toEqual([['source_language.non_field_errors', 'invalid']]);
  });

  it('readRequest rejects lone surrogates and control characters in names and counts code points', () => {
    const codes = (name: string) => readRequest(languageSettings, { name }, 'update').problems.map((p) => p.code);
    expect(codes('a\ud800b')).toEqual(['invalid']);
    expect(codes('a\u0007b')).toEqual(['invalid']);
    expect(codes('😀'.repeat(100))).toEqual([]);
    expect(codes('😀'.repeat(101))).toEqual(['max_length']);
  });

  it('readRequest validates keys, strings, depth and size of objects', () => {
    const codes = (configuration: unknown) =>
      readRequest(categorySettings, { configuration }, 'update').problems.map((p) => [p.attr, p.code]);
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    expect(codes({ a: [{ b: 'x', 'c.d': null }] })).toEqual([]);
    expect(codes({ a: [{ b: 'x\0' }] })).toEqual([['configuration', 'null_characters_not_allowed']]);
    expect(codes({ a: { 'b\ud800': 1 } })).toEqual([['configuration', 'invalid']]);
    expect(codes({ a: { $where: 1 } })).toEqual([['configuration', 'invalid']]);
    expect(codes(nested(19))).toEqual([]);
    expect(codes(nested(20))).toEqual([['configuration', 'invalid']]);
    expect(codes({ a: 'x'.repeat(200_000) })).toEqual([['configuration', 'max_length']]);
  });

  it('readRequest reports 20 items of a wrong type at most, and one that is no valid text', () => {
    const read = (enforced_checks: unknown) => readRequest(componentSettings, { enforced_checks }, 'update').problems;
    expect(read(Array(300).fill(1)).map((p) => p.attr)).toEqual(
      Array.from({ length: 20 }, (_, i) => `enforced_checks.${i}`),
    );
    expect(read(Array(300).fill('a\0')).map((p) => p.attr)).toEqual(['enforced_checks.0']);
    expect(read(Array(300).fill('same')).map((p) => [p.attr, p.code])).toEqual([['enforced_checks', 'max_length']]);
  });

  it('readRequest rejects unsafe integers as invalid integers, and others by their bounds', () => {
    const schema = z.object({ size: field.integer('', { min: 0, max: 9 }) });
    const read = (size: unknown) => readRequest(schema, { size }, 'update').problems.map((p) => [p.code, p.detail]);
    for (const size of [1e300, -1e300, 2 ** 53, 1.5, '1e3'])
      expect([size, read(size)]).toEqual([size, [['invalid', 'Must be an integer.']]]);
    expect(read(-1)).toEqual([['min_value', 'Must be at least 0.']]);
    expect(read('10')).toEqual([['max_value', 'Must be at most 9.']]);
  });

  it('readRequest converts settings to the fields of the gRPC message', () => {
    const { values } = readRequest(
      componentSettings,
      {
        file_format_params: { json_indent: 2 },
        secondary_language: null,
        enforced_checks: [],
        name: 'Web',
        category: '/api/categories/3/',
      },
      'update',
    );
    expect(toMessage(componentSettings, values)).toEqual({
      fileFormatParamsJson: '{"json_indent":2}',
      secondaryLanguage: 0,
      enforcedChecks: [],
      hasEnforcedChecks: true,
      name: 'Web',
    });
  });
});
