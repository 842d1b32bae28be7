import { Problems } from '../problems';
import { checkSubscription, defaultSubscriptions, sameSubject } from './subscription';

const codesOf = (notification?: string, scope?: number, frequency?: number) => {
  const problems = new Problems();
  checkSubscription(problems, { notification, scope, frequency });
  return problems.found.map(({ attr, code }) => `${attr}:${code}`);
};

describe('subscriptions to notifications', () => {
  it('all fields of a subscription are required and reported together', () => {
    expect(codesOf()).toEqual(['notification:required', 'scope:required', 'frequency:required']);
    expect(codesOf('toString', 5, 9)).toEqual([
      'notification:invalid_choice',
      'scope:invalid_choice',
      'frequency:invalid_choice',
    ]);
    expect(codesOf('MergeFailureNotification', 0, 0)).toEqual([]);
  });

  it('the subscriptions of new users are valid and have different subjects', () => {
    for (const { notification, scope, frequency } of defaultSubscriptions)
      expect(codesOf(notification, scope, frequency)).toEqual([]);
    const subjects = defaultSubscriptions.map((one) => ({ ...one, projectId: 0, componentId: 0 }));
    for (const [i, one] of subjects.entries()) expect(subjects.findIndex((other) => sameSubject(one, other))).toBe(i);
  });

  it('the frequency is no part of the subject; notification, scope, project and component are', () => {
    const one = { notification: 'NewStringNotificaton', scope: 30, projectId: 1, componentId: 2 } as const;
    expect(sameSubject(one, { ...one })).toBe(true);
    for (const change of [
      { notification: 'NewAlertNotificaton' as const },
      { scope: 40 as const },
      { projectId: 9 },
      { componentId: 9 },
    ])
      expect(sameSubject(one, { ...one, ...change })).toBe(false);
  });
});
