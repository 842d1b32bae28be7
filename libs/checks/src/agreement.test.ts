import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesForPeer, forgetVerdicts } from '../agreement/peer-cases.mjs';
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
const casesOf = (id: string): AgreementCase[] => cases.filter(({ check }) => check === id);
/** What to do if a check has too few cases, or a verdict is not recorded. */
const HOW =
  'libs/checks/README.md, "How to add a check": add 12 lines to agreement/cases.jsonl, run record-verdicts.mjs';

describe('agreement with the peer', () => {
  test.each(checks.CHECKS.map(({ id }) => id))(
    '%s has at least 12 recorded strings and returns their recorded verdicts',
    (id) => {
      const recorded = casesOf(id);
      expect({ id, HOW, enough: recorded.length >= 12 }).toEqual({ id, HOW, enough: true });
      for (const test of recorded) expect({ ...test, HOW, ours: verdict(checks, test) }).toEqual({ ...test, HOW });
    },
  );

  test('the peer is not asked about our own checks, whose verdicts and reasons stay', () => {
    const shared = { lang: 'cs', source: ['a'], target: ['a'], flags: '', ours: [] };
    const own: AgreementCase = { ...shared, check: 'own', ownCheck: true, flags: 'ignore-own', reason: 'Ours.' };
    const other: AgreementCase = { ...shared, check: 'same', peer: ['same'] };
    const asked = [{ ...own }, { ...other }];
    expect(casesForPeer(asked)).toEqual([{ ...other, context: 'case 1' }]);
    forgetVerdicts(asked);
    expect(asked).toStrictEqual([own, { ...other, peer: [] }]);
  });

  test('all cases of a check of our own are marked as such and have no verdict of the peer', () => {
    for (const { check, ownCheck, peer } of cases) {
      expect({ check, ownCheck }).toEqual({ check, ownCheck: casesOf(check)[0]!.ownCheck });
      if (ownCheck) expect({ check, peer }).toEqual({ check, peer: undefined });
    }
  });

  test('exactly the recorded verdicts that differ from the peer, or that it cannot give, have a reason', () => {
    for (const { peer, ours, reason, ...input } of cases) {
      const differs = peer === undefined || JSON.stringify(peer) !== JSON.stringify(ours);
      expect({ ...input, isArgued: reason !== undefined && reason !== NO_REASON }).toEqual({
        ...input,
        isArgued: differs,
      });
    }
  });

  test('docs/differences.md matches the counts of the recorded cases (npm run docs writes them)', () => {
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
