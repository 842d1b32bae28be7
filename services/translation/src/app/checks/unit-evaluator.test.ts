import { czech, sampleComponent } from '../../../test/support/samples';
import type { Component } from '../../domain/component';
import { measure, UnitEvaluator, type CheckedUnit } from './unit-evaluator';

const evaluator = (settings: Partial<Component> = {}) => new UnitEvaluator(sampleComponent(1, settings), czech);

/** `Hello.`, whose translation misses the full stop. */
const unit = (fields: Partial<CheckedUnit> = {}): CheckedUnit => ({
  source: ['Hello.'],
  target: ['Ahoj'],
  state: 20,
  isSource: false,
  flags: '',
  sourceExtraFlags: '',
  dismissedChecks: [],
  ...fields,
});

describe('the failing checks of a string', () => {
  it('the failing checks of a string are those of its text, except dismissed ones', () => {
    expect(evaluator().checks(unit())).toEqual(['end_stop']);
    expect(evaluator().checks(unit({ dismissedChecks: ['end_stop'] }))).toEqual([]);
    expect(evaluator().checks(unit({ target: [' Ahoj'], dismissedChecks: ['end_stop'] }))).toEqual(['begin_space']);
  });

  it.each([
    ['the component', { checkFlags: 'ignore-end-stop' }, {}],
    ['the file', {}, { flags: 'ignore-end-stop' }],
    ['the source string', {}, { sourceExtraFlags: 'ignore-end-stop' }],
    ['all checks', { checkFlags: 'ignore-all-checks' }, {}],
  ])('the failing checks of a string are disabled by flags of %s', (_, settings, fields) => {
    expect(evaluator(settings).checks(unit(fields))).toEqual([]);
  });

  it('the failing checks of a string are none for read-only and untranslated translations', () => {
    expect(evaluator().checks(unit({ state: 100 }))).toEqual([]);
    expect(evaluator().checks(unit({ state: 0, target: [''] }))).toEqual([]);
  });

  it('the failing checks of a source string do not depend on its state', () => {
    const source = { isSource: true, source: ['Hello...'], target: ['Hello...'] };
    const failing = evaluator().checks(unit(source));
    expect(failing).toEqual(['ellipsis']);
    expect(evaluator().checks(unit({ ...source, state: 100 }))).toEqual(failing);
  });

  it('failing checks that compare several strings stay, and those of the former text do not', () => {
    const checks = ['inconsistent', 'begin_space'];
    expect(evaluator().checks(unit({ checks }))).toEqual(['end_stop', 'inconsistent']);
    expect(evaluator().checks(unit({ checks, dismissedChecks: ['inconsistent'] }))).toEqual(['end_stop']);
    expect(evaluator().checks(unit({ checks, flags: 'ignore-inconsistent' }))).toEqual(['end_stop']);
    expect(evaluator().checks(unit({ checks, state: 0, target: [''] }))).toEqual(['inconsistent']);
  });
});

describe('orderFailing', () => {
  const order = (failing: string[], flags = '', dismissed: string[] = []) => {
    const one = evaluator();
    return one.orderFailing(failing, one.flags(flags, ''), dismissed);
  };

  it('checks have the order of the table, whatever the order in which they failed', () => {
    expect(order(['inconsistent', 'end_stop', 'begin_space'])).toEqual(
      order(['begin_space', 'inconsistent', 'end_stop']),
    );
  });

  it('a check that a flag enables is omitted without the flag', () => {
    expect(order(['max-length', 'end_stop'])).toEqual(['end_stop']);
    expect(order(['max-length'], 'max-length:3')).toEqual(['max-length']);
  });

  it('an unknown check is omitted', () => {
    expect(order(['removed_check'])).toEqual([]);
  });
});

describe('flags', () => {
  it('flags of the source string win over those of the file, and these over those of the component', () => {
    const one = evaluator({ checkFlags: 'priority:10' });
    expect(one.priority('', '')).toBe(10);
    expect(one.priority('priority:20', '')).toBe(20);
    expect(one.priority('priority:20', 'priority:30')).toBe(30);
    expect(evaluator().priority('', '')).toBe(100);
  });

  it('the read-only flag of any layer makes a string read-only', () => {
    expect(evaluator().isReadonly('', '')).toBe(false);
    expect(evaluator({ checkFlags: 'read-only' }).isReadonly('', '')).toBe(true);
    expect(evaluator().isReadonly('read-only', '')).toBe(true);
    expect(evaluator().isReadonly('', 'read-only')).toBe(true);
  });

  it('unknown flags of a file are ignored, and its other flags count', () => {
    expect(evaluator().priority('no-such-flag, priority:20', '')).toBe(20);
  });
});

describe('measure', () => {
  it('all forms of a source string are counted, with two characters between stored forms', () => {
    expect(measure(['%d file', '%d files here'], 'en')).toEqual({ words: 5, chars: 22 });
    expect(measure([''], 'en')).toEqual({ words: 0, chars: 0 });
  });
});
