import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgreementCase, differences, verdict } from '../agreement/verdict.mjs';
import * as checks from './index';

const read = <T>(name: string): T[] =>
  readFileSync(join(__dirname, '../agreement', name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** Placeholder that record-verdicts.mjs writes for a missing reason. */
const NO_REASON = 'No reason yet.';

const cases = [...read<AgreementCase>('cases.jsonl'), ...read<AgreementCase>('context-cases.jsonl')];
const of = (id: string): AgreementCase[] => cases.filter(({ check }) => check === id);

describe('agreement with the reference implementation', () => {
  test.each(checks.CHECKS.map(({ id }) => id))(
    '%s has at least 12 recorded strings and returns their recorded verdicts',
    (id) => {
      expect(of(id).length).toBeGreaterThanOrEqual(12);
      for (const test of of(id)) expect({ ...test, ours: verdict(checks, test) }).toEqual(test);
    },
  );

  test('exactly the recorded verdicts that differ from the reference have a reason', () => {
    for (const { peer, ours, reason, ...input } of cases) {
      const differs = peer === undefined || JSON.stringify(peer) !== JSON.stringify(ours);
      expect({ ...input, isArgued: reason !== undefined && reason !== NO_REASON }).toEqual({
        ...input,
        isArgued: differs,
      });
    }
  });

  test('docs/differences.md matches the counts of the recorded cases', () => {
    const text = readFileSync(join(__dirname, '../../../docs/differences.md'), 'utf8');
    const table = text.slice(text.indexOf('<!-- checks: begin -->'), text.indexOf('<!-- checks: end -->'));
    const rows = [...table.matchAll(/^\| ([\w-]+) +\| (\d+) +\| (\d+) +\| (\d+) +\|/gm)].map(
      ([, check, ...numbers]) => [check, ...numbers.map(Number)],
    );
    expect(rows).toEqual(
      differences(cases).map(({ check, cases: count, agreeing, argued }) => [check, count, agreeing, argued]),
    );
  });
});

interface FlagsCase {
  written: string;
  /** Null if the flags are invalid. */
  ours: string | null;
  reason?: string;
}

test('flags are accepted, rejected and formatted as recorded', () => {
  for (const { written, ours, reason } of read<FlagsCase>('flags.jsonl')) {
    expect(reason).not.toBe(NO_REASON);
    let shown: string | null = null;
    try {
      shown = checks.parseFlags(written).toString();
    } catch (error) {
      expect(error).toBeInstanceOf(checks.FlagError);
    }
    expect([written, shown]).toEqual([written, ours]);
  }
});

interface AutofixCase {
  source: string[];
  target: string[];
  lang: string;
  flags: string;
  ours: string[];
  peer: string[];
  reason?: string;
}

test('autofix corrects translations as recorded', () => {
  for (const test of read<AutofixCase>('autofix.jsonl')) {
    const { source, target, flags, lang, ours, peer, reason } = test;
    expect([source, reason !== undefined && reason !== NO_REASON]).toEqual([source, String(ours) !== String(peer)]);
    expect({ ...test, ours: checks.autofix(source, target, checks.parseFlags(flags), lang).target }).toEqual(test);
  }
});
