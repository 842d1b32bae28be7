import type { Caller } from '@parlance/access';
import { withNotifications } from '../../../test/support/notification-world';
import { sendSummaries } from './summarize';

const DAY_MS = 24 * 3600_000;

describe('sendSummaries', () => {
  it('summaries list open work of watched projects on their due days', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    const daily = await person('daily', [{ notification: 'ToDoStringsNotification', scope: 10, frequency: 2 }]);
    const weekly = await person('weekly', [
      { notification: 'PendingSuggestionsNotification', scope: 30, projectId: 8, frequency: 3 },
    ]);
    await world.deps.users.update(daily.id, (u) => ({ next: { ...u, watched: [8] }, announce: { audit: [] } }));
    context.open.set(8, { suggestions: 3, todo: 12 });
    await sendSummaries(notifier, progress);
    expect(await mailsOf()).toEqual([]);
    world.nowMs = Date.parse('2026-11-22T00:00:10Z');
    await sendSummaries(notifier, progress);
    await sendSummaries(notifier, progress);
    expect((await mailsOf(daily.id)).map((m) => m.lines)).toEqual([
      ['Web: 12 – https://l10n.example.org/projects/web/'],
    ]);
    expect(await mailsOf(weekly.id)).toEqual([]);
    world.nowMs = Date.parse('2026-11-23T08:00:00Z');
    await sendSummaries(notifier, progress);
    expect((await mailsOf(weekly.id)).map((m) => m.lines)).toEqual([
      ['Web: 3 – https://l10n.example.org/projects/web/'],
    ]);
    expect(await mailsOf(daily.id)).toHaveLength(2);
  });

  it('each kind of open work gets its own mail, and projects without open work are left out', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    const ana = await person('ana', [
      { notification: 'ToDoStringsNotification', frequency: 2 },
      { notification: 'PendingSuggestionsNotification', frequency: 2 },
    ]);
    await world.deps.users.update(ana.id, (u) => ({ next: { ...u, watched: [7, 8] }, announce: { audit: [] } }));
    context.open = new Map([
      [7, { suggestions: 0, todo: 4 }],
      [8, { suggestions: 3, todo: 0 }],
    ]);
    await sendSummaries(notifier, progress);
    world.nowMs += DAY_MS;
    await sendSummaries(notifier, progress);
    expect((await mailsOf(ana.id)).map(({ notification, lines, count }) => ({ notification, lines, count }))).toEqual([
      {
        notification: 'ToDoStringsNotification',
        lines: ['App: 4 – https://l10n.example.org/projects/app/'],
        count: 1,
      },
      {
        notification: 'PendingSuggestionsNotification',
        lines: ['Web: 3 – https://l10n.example.org/projects/web/'],
        count: 1,
      },
    ]);
  });

  it('monthly summaries are sent on the first of a month, and a project may be switched off', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    const subscription = { notification: 'ToDoStringsNotification', frequency: 4 } as const;
    const [ana, muted] = [
      await person('ana', [subscription]),
      await person('muted', [subscription, { ...subscription, scope: 30, projectId: 8, frequency: 0 }]),
    ];
    for (const { id } of [ana, muted])
      await world.deps.users.update(id, (u) => ({ next: { ...u, watched: [8] }, announce: { audit: [] } }));
    context.open.set(8, { suggestions: 0, todo: 1 });
    world.nowMs = Date.parse('2026-11-29T12:00:00Z');
    await sendSummaries(notifier, progress);
    world.nowMs = Date.parse('2026-11-30T12:00:00Z');
    await sendSummaries(notifier, progress);
    expect(await mailsOf()).toEqual([]);
    world.nowMs = Date.parse('2026-12-01T00:00:00Z');
    await sendSummaries(notifier, progress);
    expect((await mailsOf()).map((m) => m.userId)).toEqual([ana.id]);
  });

  it('an interrupted day is repeated without a second mail', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    const ana = await person('ana', [{ notification: 'ToDoStringsNotification', frequency: 2 }]);
    const bob = await person('bob', [{ notification: 'ToDoStringsNotification', frequency: 2 }]);
    for (const { id } of [ana, bob])
      await world.deps.users.update(id, (u) => ({ next: { ...u, watched: [8] }, announce: { audit: [] } }));
    context.open.set(8, { suggestions: 0, todo: 1 });
    await sendSummaries(notifier, progress);
    world.nowMs += DAY_MS;
    const { openWork } = context;
    context.openWork = (reader, ids) =>
      (reader as Caller).userId === bob.id ? Promise.reject(new Error('unavailable')) : openWork(reader, ids);
    await expect(sendSummaries(notifier, progress)).rejects.toThrow('unavailable');
    expect((await mailsOf()).map((m) => m.userId)).toEqual([ana.id]);
    context.openWork = openWork;
    await sendSummaries(notifier, progress);
    expect((await mailsOf()).map(({ userId, count }) => [userId, count])).toEqual([
      [bob.id, 1],
      [ana.id, 1],
    ]);
  });

  it('all readers are read in batches of 200', async () => {
    const { world, context, notifier, person, progress } = await withNotifications();
    for (let i = 0; i < 201; i++)
      await person(`user${i}`, [{ notification: 'ToDoStringsNotification', scope: 30, projectId: 8, frequency: 2 }]);
    context.open.set(8, { suggestions: 0, todo: 1 });
    await sendSummaries(notifier, progress);
    world.nowMs += DAY_MS;
    await sendSummaries(notifier, progress);
    expect((await world.deps.mails.list(undefined, { skip: 0, limit: 1 })).total).toBe(201);
  });
});
