import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { mergeLines } from '../src/merge-lines';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-lines-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The merge of git; null for a conflict. */
function mergedByGit(base: string, local: string, upstream: string): string | null {
  const names = Object.entries({ local, base, upstream }).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return name;
  });
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', '-q', ...names], { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

const merged = (base: string, local: string, upstream: string): string | null | undefined => {
  const bytes = mergeLines(Buffer.from(base), Buffer.from(local), Buffer.from(upstream));
  return bytes ? bytes.toString() : (bytes as null | undefined);
};

/** Edits of a text of ten different lines: for each line, the lines that replace it. */
const edits = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }) },
  ),
  { minLength: 10, maxLength: 10 },
);

function edited(side: string, changes: readonly (string[] | undefined)[], ended: boolean): string {
  const lines = changes.flatMap((change, at) => change?.map((text) => `${side} ${text} ${at}`) ?? [`line ${at}`]);
  return lines.join('\n') + (ended ? '\n' : '');
}

describe('mergeLines', () => {
  it('mergeLines merges as git does', () => {
    const base = edited(
      '',
      Array.from({ length: 10 }, () => undefined),
      true,
    );
    fc.assert(
      fc.property(edits, edits, fc.boolean(), fc.boolean(), (one, other, same, ended) => {
        const local = edited('same', one, ended);
        const upstream = edited(same ? 'same' : 'other', other, true);
        expect(merged(base, local, upstream)).toBe(mergedByGit(base, local, upstream));
      }),
      { numRuns: 150 },
    );
  });

  it('mergeLines keeps bytes that are not UTF-8, and refuses binary files', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(mergeLines(bytes('\xe9\na\n'), bytes('\xe9\na\nb\n'), bytes('\xe8\na\n'))).toEqual(bytes('\xe8\na\nb\n'));
    expect(mergeLines(bytes('a\0\n'), bytes('a\0\nb\n'), bytes('a\0\n'))).toBeNull();
  });

  it('mergeLines leaves versions that differ too much to git', () => {
    const many = (name: string) => Buffer.from(Array.from({ length: 3000 }, (_, at) => `${name} ${at}\n`).join(''));
    expect(mergeLines(many('base'), many('local'), many('base'))).toBeUndefined();
  });
});
