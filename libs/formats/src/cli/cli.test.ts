import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { edit, findUnit, listUnits, open, toEditRequest } from './commands';
import { main } from './main';
import { serve } from './serve';

const po =
  'msgid ""\nmsgstr "Language: cs\\n"\n\nmsgid "a"\nmsgstr "b"\n\n#, fuzzy\nmsgid "c"\nmsgid_plural "d"\nmsgstr[0] "e"\nmsgstr[1] "f"\n';

function fileOf(text: string, name = 'x.po'): string {
  const file = join(mkdtempSync(join(tmpdir(), 'formats-')), name);
  writeFileSync(file, text);
  return file;
}

async function run(...args: string[]): Promise<{ out: string; err: string; code: number }> {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.exitCode = 0;
  try {
    await main(['node', 'parlance-formats', ...args]);
    const text = (calls: readonly unknown[][]): string => calls.map(([chunk]) => String(chunk)).join('');
    return { out: text(out.mock.calls), err: text(err.mock.calls), code: Number(process.exitCode) };
  } finally {
    out.mockRestore();
    err.mockRestore();
    process.exitCode = 0;
  }
}

describe('the command parlance-formats', () => {
  it('the command parlance-formats prints the strings', async () => {
    const { out } = await run('parse', 'po', fileOf(po), '--lang', 'cs');
    const { units } = JSON.parse(out) as { units: { source: string[]; target: string[] }[] };
    expect(units.map(({ source, target }) => ({ source, target }))).toEqual([
      { source: ['a'], target: ['b'] },
      { source: ['c', 'd'], target: ['e', 'f'] },
    ]);
  });

  it('edits in place without changing states', async () => {
    const file = fileOf(po);
    const { code } = await run('edit', 'po', file, '--source', 'c', '--target', 'E', 'F');
    expect(code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(po.replace('"e"', '"E"').replace('"f"', '"F"'));
  });

  it('the command parlance-formats checks and converts files', async () => {
    const file = fileOf(po);
    expect(await run('check', 'po', file)).toMatchObject({ out: 'identical\n', code: 0 });
    const output = `${file}.csv`;
    await run('convert', 'po', file, 'csv', output, '--lang', 'cs');
    expect(readFileSync(output, 'utf8')).toContain(',a,b,');
  });

  it('the command parlance-formats converts strings without keys and reports strings that it cannot write', async () => {
    const file = fileOf(po.replace('msgstr[1] "f"', 'msgstr[1] "f"\n\nmsgid "g"\nmsgstr ""'));
    const output = `${file}.out`;
    const { err, code } = await run('convert', 'po', file, 'json', output);
    expect({ err, code }).toEqual({ err: 'parlance-formats: string "c": json files hold no plural forms\n', code: 1 });
    const said = await run('convert', 'po', file, 'aresource', output);
    expect(said).toMatchObject({
      err: 'parlance-formats: left out for lack of a finished translation: string "g"\n',
      code: 0,
    });
    expect(readFileSync(output, 'utf8')).toMatch(/name="a">b<[^]*plurals name="c"/);
  });

  it('the command parlance-formats reports the location of an error on standard error', async () => {
    const { err, code, out } = await run('parse', 'po', fileOf('msgid "a"\nhello\n'));
    expect(err).toMatch(/line 2, column 1: expected/);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(await run('parse', 'nothing', fileOf(po))).toMatchObject({ code: 1 });
    expect(await run('parse', 'po', '/nowhere/x.po')).toMatchObject({ code: 1 });
  });
});

it('an edit with another context or source is rejected', () => {
  const file = fileOf(po);
  expect(() => edit('po', file, {}, { index: 0, source: ['z'], target: ['x'] })).toThrow('source');
  expect(() => edit('po', file, {}, { index: 0, context: 'z', target: ['x'] })).toThrow('context');
  expect(() => edit('po', file, {}, { index: 7, target: ['x'] })).toThrow('number 7');
  expect(readFileSync(file, 'utf8')).toBe(po);
  expect(() => findUnit(open('po', file, {}), undefined, 'zzz')).toThrow('no string');
});

it.each([
  [[], 'object'],
  [null, 'object'],
  [{ target: ['x'] }, 'index'],
  [{ index: '0', target: ['x'] }, 'index'],
  [{ index: 0.5, target: ['x'] }, 'index'],
  [{ index: -1, target: ['x'] }, 'index'],
  [{ index: 0, context: 5, target: ['x'] }, 'context'],
  [{ index: 0, source: 'a', target: ['x'] }, 'source'],
  [{ index: 0, target: 'x' }, 'target'],
  [{ index: 0, target: [1] }, 'target'],
  [{ index: 0, target: [] }, 'target'],
  [{ index: 0 }, 'target'],
])('the invalid change %j is rejected', (value, field) => expect(() => toEditRequest(value)).toThrow(field));

it('the list of strings contains empty values unless they are final', () => {
  expect(listUnits(open('json', fileOf('{"a":"","b":"c"}'), {}))).toHaveLength(2);
  expect(listUnits(open('properties', fileOf('a=\nb=c\n'), {}))).toHaveLength(2);
  const resx = '<root><data name="a"><value></value></data><data name="b"><value>c</value></data></root>';
  expect(listUnits(open('resx', fileOf(resx), {}))).toHaveLength(1);
});

it('the server writes one response line per request line, even for invalid requests', async () => {
  const file = fileOf(po);
  const input = new PassThrough();
  const output = new PassThrough();
  const done = serve(input, output);
  const requests = [
    { op: 'parse', format: 'po', file, lang: 'cs' },
    { op: 'edit', format: 'po', file, change: { index: 0, context: '', source: ['a'], target: ['B'] } },
    { op: 'edit', format: 'po', file, change: {} },
    { op: 'parse', format: 'po', file: '/nowhere' },
    { op: 'jump', format: 'po', file },
    { op: 'edit', format: 'po', file, change: [] },
    { op: 'parse', format: 'po', file, lang: 5 },
    [],
    null,
  ];
  input.end(`${requests.map((request) => JSON.stringify(request)).join('\n')}\nnot json\n`);
  await done;
  const answers = String(output.read())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers).toHaveLength(10);
  expect(answers[0]).toHaveProperty('units');
  expect(answers.slice(1, 3)).toEqual([{}, {}]);
  for (const answer of answers.slice(3)) expect(typeof answer['error']).toBe('string');
  expect(readFileSync(file, 'utf8')).toBe(po.replace('"b"', '"B"'));
});
