import { ChangeAction } from '@parlance/contracts';
import { ensureProjectTeams } from '../groups/project-teams';
import { acceptingTransport, changeOf, unavailable, withNotifications } from '../../../test/support/notification-world';
import { frequencies, notificationNames, notifications, scopes } from '../../domain/notifications/subscription';
import { notify } from './notify';
import { sendMails } from './send-mails';

describe('notify', () => {
  it('a mail names the change, its place and its author', async () => {
    const { notifier, person, mailsOf } = await withNotifications();
    const authorName = await person('doer', []);
    const ana = await person('ana', [{ notification: 'TranslatedStringNotificaton' }]);
    const change = changeOf({ action: 2, userId: authorName.id, languageCode: 'cs', target: 'Dobrý\n den' });
    await notify(notifier, [change], 'event');
    await notify(notifier, [change], 'event');
    expect((await mailsOf(ana.id)).map((m) => m.lines)).toEqual([
      [
        '2026-11-21 12:00 Web / Site / cs: String translated by doer: Dobrý den – https://l10n.example.org/projects/web/cat/site/cs/',
      ],
    ]);
  });

  it('the author, users without access and users with the notification off get no mail', async () => {
    const { world, notifier, person, mailsOf } = await withNotifications();
    const authorName = await person('doer', [{}]);
    const stranger = await person('stranger', [{}]);
    const member = await person('member', [{}]);
    const muted = await person('muted', [{}, { scope: 30, projectId: 7, frequency: 0 }]);
    const project = { projectId: 7, slug: 'app', accessControl: 100, review: false };
    const [team] = await ensureProjectTeams(world.deps, world.operator, project, member.id);
    for (const { id } of [authorName, muted]) {
      await world.deps.users.update(id, (u) => ({
        next: { ...u, groups: [...u.groups, team!.id] },
        announce: { audit: [] },
      }));
    }
    await notify(notifier, [changeOf({ projectId: 7, componentId: 70, userId: authorName.id })], 'event');
    expect((await mailsOf()).map((m) => m.userId)).toEqual([member.id]);
    expect(await mailsOf(stranger.id)).toEqual([]);
    await notify(notifier, [changeOf({ componentId: 81 })], 'restricted');
    expect((await mailsOf()).filter((m) => m.key.includes('restricted'))).toEqual([]);
  });

  it('contributions and teams determine watched and administered projects', async () => {
    const { world, notifier, person, mailsOf } = await withNotifications();
    const admin = await person('admin', [{ scope: 20 }]);
    const worker = await person('worker', [{ scope: 10, frequency: 3 }]);
    const bystander = await person('bystander', [{ scope: 10 }, { scope: 20, notification: 'LockNotification' }]);
    await ensureProjectTeams(
      world.deps,
      world.operator,
      { projectId: 8, slug: 'web', accessControl: 0, review: false },
      admin.id,
    );
    await world.deps.users.update(worker.id, (u) => ({ next: { ...u, watched: [8] }, announce: { audit: [] } }));
    await notify(notifier, [changeOf({})], 'event');
    expect(await mailsOf(bystander.id)).toEqual([]);
    expect((await mailsOf(admin.id)).map((m) => m.frequency)).toEqual([1]);
    const [digest] = await mailsOf(worker.id);
    expect(digest).toMatchObject({ frequency: 3, dueMs: Date.parse('2026-11-23T00:00:00Z') });
  });

  it('each notification, scope and frequency has its documented effect', async () => {
    const { world, context, notifier, person } = await withNotifications();
    const { id, username } = await person('ana', []);
    const countOfMails = async () => {
      const { items } = await world.deps.mails.list(id, { skip: 0, limit: 10_000 });
      return items.reduce((sum, mail) => sum + mail.count, 0);
    };
    const project = { projectId: 8, slug: 'web', accessControl: 0, review: false };
    await ensureProjectTeams(world.deps, world.operator, project, id);
    context.author = id;
    const wrong: string[] = [];
    for (const name of notificationNames.filter((n) => notifications[n].actions.length > 0))
      for (const scope of Object.values(scopes))
        for (const frequency of Object.values(frequencies))
          for (const [reached, projectId, componentId] of [
            [true, 8, 80],
            [scope === 0, 7, 70],
          ] as const) {
            const about = { projectId: scope === 30 ? 8 : 0, componentId: scope === 40 ? 80 : 0 };
            const subscription = { id: 1, notification: name, scope, frequency, ...about };
            // For superusers, only projects listed by their teams count.
            const next = { isSuperuser: true, subscriptions: [subscription] };
            await world.deps.users.update(id, (u) => ({ next: { ...u, ...next }, announce: { audit: [] } }));
            const source = [name, scope, frequency, projectId].join();
            const before = await countOfMails();
            const [action] = notifications[name].actions;
            const change = { action, projectId, componentId, unitId: 5, target: `Look, @${username}!` };
            await notify(notifier, [changeOf(change)], source);
            const more = (await countOfMails()) - before;
            if (more !== (reached && frequency > 0 ? 1 : 0)) wrong.push(`${source}: ${more}`);
          }
    expect(wrong).toEqual([]);
  });

  it('comments notify mentioned users and the last author', async () => {
    const { context, notifier, person, mailsOf } = await withNotifications();
    const subscriptions = [
      { notification: 'MentionCommentNotificaton' },
      { notification: 'LastAuthorCommentNotificaton' },
    ] as const;
    const ana = await person('ana', [...subscriptions]);
    const bob = await person('bob', [...subscriptions]);
    const cyril = await person('cyril', [...subscriptions]);
    context.author = bob.id;
    await notify(
      notifier,
      [changeOf({ action: 3, unitId: 5, userId: 99, target: 'What do you think, @Ana?' })],
      'event',
    );
    expect((await mailsOf(ana.id)).map((m) => m.notification)).toEqual(['MentionCommentNotificaton']);
    expect((await mailsOf(bob.id)).map((m) => m.notification)).toEqual(['LastAuthorCommentNotificaton']);
    expect(await mailsOf(cyril.id)).toEqual([]);
  });

  it('problems of source strings are mailed to the address of the component', async () => {
    const { world, notifier, person, mailsOf } = await withNotifications();
    const authorName = await person('doer', []);
    const report = changeOf({
      action: 3,
      unitId: 5,
      userId: authorName.id,
      languageCode: 'en',
      target: 'A typo',
      report: true,
    });
    await notify(notifier, [report, changeOf({ action: 3, target: 'Just a remark' })], 'event');
    await notify(notifier, [report], 'event');
    await notify(notifier, [{ ...report, projectId: 7, componentId: 70 }], 'no recipients');
    expect(await mailsOf()).toMatchObject([{ userId: 0, to: 'bugs@example.org', count: 1 }]);
    const { sent, transport } = acceptingTransport();
    await sendMails(world.deps, transport);
    expect(sent).toMatchObject([
      {
        to: 'bugs@example.org',
        text: expect.stringContaining('by doer: A typo'),
      },
    ]);
  });

  it('changes of one kind share one mail of bounded length', async () => {
    const { notifier, person, mailsOf } = await withNotifications();
    const ana = await person('ana', [{ notification: 'NewStringNotificaton' }]);
    const many = Array.from({ length: 250 }, (_, i) => changeOf({ action: 71, target: `string ${i}` }));
    await notify(notifier, many, 'event');
    const [mail, ...others] = await mailsOf(ana.id);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ count: 250 });
    expect(mail!.lines).toHaveLength(100);
  });

  it('an instant mail contains one batch, and a digest grows until it is due', async () => {
    const { notifier, person, mailsOf } = await withNotifications();
    const [instant, daily] = [await person('instant', [{}]), await person('daily', [{ frequency: 2 }])];
    await notify(notifier, [changeOf({})], 'first');
    await notify(notifier, [changeOf({}), changeOf({})], 'second');
    expect((await mailsOf(instant.id)).map((m) => m.count)).toEqual([2, 1]);
    const dueMs = Date.parse('2026-11-22T00:00:00Z');
    expect(await mailsOf(daily.id)).toMatchObject([{ frequency: 2, dueMs, count: 3 }]);
    await notify(notifier, [changeOf({ timeMs: dueMs })], 'next day');
    expect((await mailsOf(daily.id)).map((m) => m.count)).toEqual([1, 3]);
  });

  it('the line of a change of a project ends at the project and quotes at most 120 characters', async () => {
    const { notifier, person, mailsOf } = await withNotifications();
    const ana = await person('ana', [{ notification: 'NewAnnouncementNotificaton' }]);
    const announcement = (target: string) =>
      changeOf({ action: ChangeAction.announcementPosted, componentId: 0, target });
    await notify(notifier, [announcement('😀'.repeat(120)), announcement('😀'.repeat(121))], 'event');
    const [mail] = await mailsOf(ana.id);
    const line = (quote: string) =>
      `2026-11-21 12:00 Web: New announcement: ${quote} – https://l10n.example.org/projects/web/`;
    expect(mail!.lines).toEqual([line('😀'.repeat(120)), line(`${'😀'.repeat(119)}…`)]);
  });

  it('changes of projects and components that do not exist any more are left out', async () => {
    const { notifier, person, mailsOf } = await withNotifications();
    await person('ana', [{}]);
    await notify(notifier, [changeOf({ projectId: 9 }), changeOf({ componentId: 99 })], 'event');
    expect(await mailsOf()).toEqual([]);
  });

  it('a change that triggers no notification asks no other service', async () => {
    const { notifier } = await withNotifications();
    const silent = changeOf({ action: ChangeAction.fileUpdated });
    await notify(unavailable(notifier), [silent], 'event');
    await expect(notify(unavailable(notifier), [silent, changeOf({})], 'event')).rejects.toThrow('unavailable');
  });
});
