import type { OutgoingEvent } from '@parlance/events';
import { componentOf } from '../../test/support/memory/world';
import { Action, alertEvents, changeEvent, lockEvents, unlockEvents } from './change-events';

const payloads = (events: readonly OutgoingEvent[]) => events.map(({ payload }) => payload);

describe('events of the vcs-worker', () => {
  it('the user of a history entry is its author unless another is named', () => {
    const component = componentOf(1);
    expect(changeEvent(component, Action.pushed, { user: 7 }).payload).toMatchObject({ userId: 7, authorId: 7 });
    expect(changeEvent(component, Action.pushed, { user: 7, author: 8 }).payload).toMatchObject({ authorId: 8 });
    expect(changeEvent(component, Action.pushed).payload).toMatchObject({ userId: 0, authorId: 0, detailsJson: '' });
  });

  it('every component of a repository gets the alert', () => {
    expect(payloads(alertEvents([componentOf(1), componentOf(2)], 'PushFailure'))).toMatchObject([
      { componentId: 1, detailsJson: '{"alert":"PushFailure"}' },
      { componentId: 2, detailsJson: '{"alert":"PushFailure"}' },
    ]);
  });

  it('a failure locks only unlocked components with auto_lock_error', () => {
    const components = [
      componentOf(1, { autoLockError: true }),
      componentOf(2, { autoLockError: false }),
      componentOf(3, { autoLockError: true, locked: true }),
    ];
    expect(payloads(lockEvents(components, 'broken'))).toMatchObject([
      { componentId: 1, locked: true, reason: 'broken' },
    ]);
  });

  it('the end of a failure releases its locks, not those of users', () => {
    const components = [
      componentOf(1, { locked: true, lockReason: 'broken' }),
      componentOf(2, { locked: true, lockReason: '' }),
      componentOf(3),
    ];
    expect(payloads(unlockEvents(components))).toMatchObject([{ componentId: 1, locked: false }]);
  });
});
