import { actionByName, actionNames, ChangeAction } from './change-actions';

test('action numbers are the ones of the public API', () => {
  const { fileUpdated, targetChanged, firstTarget, alertRaised, forcedScan } = ChangeAction;
  expect([fileUpdated, targetChanged, firstTarget, alertRaised, forcedScan]).toEqual([0, 2, 5, 47, 84]);
});

test('no two actions have one number', () => {
  expect(Object.keys(actionNames)).toHaveLength(Object.keys(ChangeAction).length);
});

test.each([
  ['Translation changed', 2],
  ['translation-changed', 2],
  ['PROPAGATED CHANGE', 77],
  ['propagated-change', 77],
  ['no such action', undefined],
])('finds the number of %s', (name, action) => {
  expect(actionByName(name)).toBe(action);
});

test('every name leads back to its number', () => {
  for (const [action, name] of Object.entries(actionNames)) expect(actionByName(name)).toBe(Number(action));
});
