import { actionByName, actionNames, ChangeAction } from './change-actions';

test('actions have the numbers of the public API', () => {
  const { fileUpdated, targetChanged, firstTarget, alertRaised, forcedScan } = ChangeAction;
  expect([fileUpdated, targetChanged, firstTarget, alertRaised, forcedScan]).toEqual([0, 2, 5, 47, 84]);
});

test('every action has its own number', () => {
  expect(Object.keys(actionNames)).toHaveLength(Object.keys(ChangeAction).length);
});

test.each([
  ['Translation changed', 2],
  ['translation-changed', 2],
  ['PROPAGATED CHANGE', 77],
  ['propagated-change', 77],
  ['no such action', undefined],
])('actionByName finds the number of "%s"', (name, action) => {
  expect(actionByName(name)).toBe(action);
});

test('actionByName finds every action by its name', () => {
  for (const [action, name] of Object.entries(actionNames)) expect(actionByName(name)).toBe(Number(action));
});
