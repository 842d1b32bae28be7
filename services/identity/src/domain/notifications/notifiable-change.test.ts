import { dueAt, historyActions, isAnnounced, mentionsIn, notificationsOf, wantedFrequency } from './notifiable-change';
import type { Subscription } from './subscription';

const subscription = (given: Partial<Subscription>): Subscription => ({
  id: 1,
  notification: 'LockNotification',
  scope: 0,
  frequency: 1,
  projectId: 0,
  componentId: 0,
  ...given,
});
const change = { projectId: 7, componentId: 70 };
const stranger = { watches: false, administers: false };
const wanted = (subscriptions: Partial<Subscription>[], concern = stranger) =>
  wantedFrequency(subscriptions.map(subscription), 'LockNotification', change, concern);

describe('which subscription decides', () => {
  it('a subscription applies if its scope includes the change', () => {
    expect(wanted([])).toBe(0);
    expect(wanted([{ notification: 'NewAlertNotificaton' }])).toBe(0);
    expect(wanted([{ scope: 10, frequency: 3 }])).toBe(0);
    expect(wanted([{ scope: 10, frequency: 3 }], { watches: true, administers: false })).toBe(3);
    expect(wanted([{ scope: 20, frequency: 2 }], { watches: true, administers: false })).toBe(0);
    expect(wanted([{ scope: 20, frequency: 2 }], { watches: true, administers: true })).toBe(2);
    expect(wanted([{ scope: 30, projectId: 8 }])).toBe(0);
    expect(wanted([{ scope: 40, componentId: 70, frequency: 4 }])).toBe(4);
  });

  it('the subscription with the narrowest scope decides, also to switch off', () => {
    expect(
      wanted([
        { scope: 40, componentId: 70, frequency: 0 },
        { scope: 0, frequency: 1 },
      ]),
    ).toBe(0);
    expect(
      wanted([
        { scope: 0, frequency: 1 },
        { scope: 30, projectId: 7, frequency: 3 },
      ]),
    ).toBe(3);
  });
});

describe('due dates', () => {
  const at = (frequency: 0 | 1 | 2 | 3 | 4, time: string) =>
    new Date(dueAt(frequency, Date.parse(time))).toISOString().slice(0, 16);

  it('due dates are the next midnight, Monday and first of the month', () => {
    const saturday = '2026-11-21T12:30:00Z';
    expect(at(1, saturday)).toBe('2026-11-21T12:30');
    expect(at(2, saturday)).toBe('2026-11-22T00:00');
    expect(at(3, saturday)).toBe('2026-11-23T00:00');
    expect(at(4, saturday)).toBe('2026-12-01T00:00');
  });

  it('due dates are in the future at the exact moment and at the end of months and years', () => {
    expect(at(2, '2026-11-22T00:00:00Z')).toBe('2026-11-23T00:00');
    expect(at(3, '2026-11-23T00:00:00Z')).toBe('2026-11-30T00:00');
    expect(at(3, '2026-11-22T23:59:59Z')).toBe('2026-11-23T00:00');
    expect(at(4, '2026-12-31T10:00:00Z')).toBe('2027-01-01T00:00');
    expect(at(4, '2027-01-31T10:00:00Z')).toBe('2027-02-01T00:00');
  });
});

describe('triggers', () => {
  it('each trigger is read from one source', () => {
    expect(notificationsOf(3)).toEqual([
      'NewCommentNotificaton',
      'MentionCommentNotificaton',
      'LastAuthorCommentNotificaton',
    ]);
    expect(notificationsOf(999)).toEqual([]);
    expect(historyActions).toContain(2);
    expect(historyActions.filter(isAnnounced)).toEqual([]);
  });

  it('mentioned users are found', () => {
    expect(mentionsIn('@Ana, see (@bob.b) and mail@example.org, @cyril.')).toEqual(
      new Set(['ana', 'bob.b', 'cyril.', 'cyril']),
    );
  });
});
