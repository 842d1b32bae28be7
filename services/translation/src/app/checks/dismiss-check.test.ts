import { Action } from '../../domain/change';
import { fieldsOf, reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { dismissCheck, type DismissCheck } from './dismiss-check';

function start(settings = {}) {
  const world = new StringsWorld();
  world.component(1, settings);
  world.string(1, 7, 'Hello.', { target: ['Ahoj'], state: 20, checks: ['end_stop'] });
  const ana = world.user(3, ['unit.check']);
  const dismiss = (more: Partial<DismissCheck> = {}, caller = ana) => {
    const request = { unit: 7, check: 'end_stop', scope: 'string', undo: false, problems: [], ...more };
    return dismissCheck(world.deps, caller, request, '');
  };
  return { world, dismiss };
}

describe('dismissCheck', () => {
  it('a dismissed check does not fail for the string, and the history shows it', async () => {
    const { world, dismiss } = start();
    expect(await dismiss()).toMatchObject([{ id: 'end_stop', dismissed: 'string' }]);
    expect(await world.units.get(7)).toMatchObject({ checks: [], dismissedChecks: ['end_stop'] });
    expect(world.changes).toMatchObject([{ action: Action.checkDismissed, target: 'end_stop', user: 3 }]);
  });

  it('dismissing twice writes once, and undoing makes the check fail again', async () => {
    const { world, dismiss } = start();
    await dismiss();
    await dismiss();
    expect(world.changes).toHaveLength(1);
    expect(await dismiss({ undo: true })).toMatchObject([{ id: 'end_stop', dismissed: null }]);
    expect(world.changes).toMatchObject([{}, { action: Action.checkRestored }]);
  });

  it('a dismissal for all translations is a flag of the source string', async () => {
    const { world, dismiss } = start();
    expect(await dismiss({ scope: 'source' })).toMatchObject([{ id: 'end_stop', dismissed: 'source' }]);
    expect((await world.units.get(507))!.extraFlags).toBe('ignore-end-stop');
    expect((await world.units.get(7))!.checks).toEqual([]);
    expect(world.changes).toMatchObject([{ unit: 507, action: Action.extraFlagsChanged }]);
    await dismiss({ scope: 'source', undo: true });
    expect((await world.units.get(507))!.extraFlags).toBe('');
    expect((await world.units.get(7))!.checks).toEqual(['end_stop']);
  });

  it('dismissCheck refuses unknown checks, checks that do not fail and unknown scopes', async () => {
    const { dismiss } = start();
    expect(await fieldsOf(dismiss({ check: '', scope: 'all' }))).toEqual(['check:required', 'scope:invalid_choice']);
    expect(await fieldsOf(dismiss({ check: 'nonsense' }))).toEqual(['check:invalid_choice']);
    expect(await fieldsOf(dismiss({ check: 'end_colon' }))).toEqual(['check:invalid']);
    expect(await fieldsOf(dismiss({ unit: 507, scope: 'source' }))).toEqual(expect.arrayContaining(['scope:invalid']));
  });

  it('an enforced check cannot be dismissed, but a former dismissal can be undone', async () => {
    const { dismiss } = start({ enforcedChecks: ['end_stop'] });
    expect(await reasonOf(dismiss())).toBe('PERMISSION_DENIED');
    expect(await reasonOf(dismiss({ undo: true }))).toBe('OK');
  });

  it('dismissing requires unit.check, for all translations in the source language', async () => {
    const { world, dismiss } = start();
    expect(await reasonOf(dismiss({}, world.user(4, ['unit.edit'])))).toBe('PERMISSION_DENIED');
    const grants = [{ permissions: ['unit.check' as const], projects: 'all' as const, languages: ['cs'] }];
    const czechOnly = world.user(5, [], { grants });
    expect(await reasonOf(dismiss({ scope: 'source' }, czechOnly))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(dismiss({}, czechOnly))).toBe('OK');
  });

  it('checks of a locked component stay', async () => {
    expect(await reasonOf(start({ locked: true }).dismiss())).toBe('LOCKED');
  });
});
