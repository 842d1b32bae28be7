import { actionByName, actionNames } from './change-actions';

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
