import { ChangeAction } from '@parlance/contracts';
import { changeOf, unavailable, withNotifications } from '../../../test/support/notification-world';
import { deleteUser } from '../users/delete-user';
import { followHistory } from './follow-history';

describe('followHistory', () => {
  it('each history entry is processed once, and processing resumes where it stopped', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    const ana = await person('ana', [{ notification: 'TranslatedStringNotificaton' }]);
    expect(await followHistory(notifier, progress)).toBe(true);
    context.changes = [
      changeOf({ action: 2, timeMs: world.nowMs + 1000, target: 'soon' }),
      changeOf({ action: 2, timeMs: world.nowMs + 16 * 60_000, target: 'later' }),
      changeOf({ action: 17, timeMs: world.nowMs + 1000, target: 'comes as an event' }),
    ];
    world.nowMs += 20 * 60_000;
    expect(await followHistory(notifier, progress)).toBe(false);
    expect(await followHistory(notifier, progress)).toBe(true);
    expect((await mailsOf(ana.id)).map((m) => m.lines.join().match(/soon|later/)?.[0]).sort()).toEqual([
      'later',
      'soon',
    ]);
    const mails = (await mailsOf()).length;
    world.nowMs += 10_000;
    await followHistory(notifier, progress);
    expect(await mailsOf()).toHaveLength(mails);
  });

  it('an interrupted window is repeated', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    await person('ana', [{ notification: 'TranslatedStringNotificaton' }]);
    await followHistory(notifier, progress);
    context.changes = [changeOf({ action: 2, timeMs: world.nowMs + 1000 })];
    world.nowMs += 60_000;
    await expect(followHistory(unavailable(notifier), progress)).rejects.toThrow('unavailable');
    world.nowMs += 60_000;
    await followHistory(notifier, progress);
    expect(context.windows[0]).toBe(context.windows[1]);
    expect(await mailsOf()).toHaveLength(1);
  });

  it('contributors watch the projects that they work on', async () => {
    const { world, context, notifier, person, progress } = await withNotifications();
    const ana = await person('ana', []);
    await followHistory(notifier, progress);
    context.changes = [changeOf({ action: 5, userId: ana.id, timeMs: world.nowMs + 1 })];
    world.nowMs += 60_000;
    await followHistory(notifier, progress);
    expect((await world.deps.users.get(ana.id))!.watched).toEqual([8]);
  });

  it('the first run starts at the end of the history, without the last five seconds', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await withNotifications();
    await person('ana', [{ notification: 'TranslatedStringNotificaton' }]);
    const startMs = world.nowMs;
    context.changes = [-5001, -5000, 0].map((afterMs) => changeOf({ action: 2, timeMs: startMs + afterMs }));
    expect(await followHistory(notifier, progress)).toBe(true);
    expect(context.windows).toEqual([]);
    // Concurrent writes may still arrive out of order.
    world.nowMs += 5000;
    await followHistory(notifier, progress);
    expect(context.windows).toEqual([`${startMs - 5000}-${startMs}`]);
    expect(await mailsOf()).toMatchObject([{ count: 1 }]);
  });

  it('a long history is read in windows of ten minutes', async () => {
    const { world, context, notifier, progress } = await withNotifications();
    await followHistory(notifier, progress);
    const fromMs = world.nowMs - 5000;
    world.nowMs += 25 * 60_000;
    const caughtUp = [];
    for (let run = 0; run < 3; run++) caughtUp.push(await followHistory(notifier, progress));
    expect(caughtUp).toEqual([false, false, true]);
    const at = (minutes: number) => fromMs + minutes * 60_000;
    expect(context.windows).toEqual([`${at(0)}-${at(10)}`, `${at(10)}-${at(20)}`, `${at(20)}-${at(25)}`]);
  });

  it('one process at a time reads the history, until its lease ends', async () => {
    const { world, context, notifier, progress } = await withNotifications();
    await followHistory(notifier, progress);
    world.nowMs += 60_000;
    const settledMs = world.nowMs - 5000;
    await progress.claim('history', 0, world.nowMs, world.nowMs + 5 * 60_000);
    expect(await followHistory(notifier, progress)).toBe(true);
    expect(context.windows).toEqual([]);
    world.nowMs += 5 * 60_000;
    await followHistory(notifier, progress);
    expect(context.windows).toEqual([`${settledMs - 60_000}-${settledMs + 5 * 60_000}`]);
  });

  it('deleted users, bots and authors of other changes do not watch', async () => {
    const { world, context, notifier, person, progress } = await withNotifications();
    const [reader, bot, leaver] = [await person('reader', []), await person('bot', []), await person('leaver', [])];
    await world.deps.users.update(bot.id, (u) => ({ next: { ...u, isBot: true }, announce: { audit: [] } }));
    await deleteUser(world.deps, world.operator, leaver.id);
    await followHistory(notifier, progress);
    const timeMs = world.nowMs + 1;
    context.changes = [
      changeOf({ action: ChangeAction.stringAdded, userId: reader.id, timeMs }),
      ...[bot, leaver].map(({ id }) => changeOf({ action: ChangeAction.targetChanged, userId: id, timeMs })),
    ];
    world.nowMs += 60_000;
    await followHistory(notifier, progress);
    const users = await world.deps.users.many([reader.id, bot.id, leaver.id]);
    expect(users.map((u) => u.watched)).toEqual([[], [], []]);
  });

  it('a contributor who watches the project already is not written', async () => {
    const { world, context, notifier, person, progress } = await withNotifications();
    const ana = await person('ana', []);
    await followHistory(notifier, progress);
    const contribute = (projectId: number) =>
      changeOf({ action: ChangeAction.targetChanged, userId: ana.id, projectId, timeMs: world.nowMs + 1 });
    const follow = async () => {
      world.nowMs += 60_000;
      await followHistory(notifier, progress);
      const { watched, version } = (await world.deps.users.get(ana.id))!;
      return { watched, version };
    };
    context.changes = [contribute(8)];
    const first = await follow();
    context.changes = [contribute(8)];
    expect(await follow()).toEqual(first);
    context.changes = [contribute(7), contribute(8)];
    expect(await follow()).toEqual({ watched: [7, 8], version: first.version + 1 });
  });
});
