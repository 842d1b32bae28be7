import type { NotifiableChange } from '../../domain/notifications/notifiable-change';
import type { Mail } from '../../domain/notifications/mail';
import type { ComponentInfo, MailTransport, ProjectInfo, NotificationContext } from '../../domain/ports';
import {
  frequencies,
  notificationNames,
  notifications,
  scopes,
  type Subscription,
} from '../../domain/notifications/subscription';
import { MemoryProgressStore } from '../../../test/support/memory-stores';
import { reasonOf, World } from '../../../test/support/world';
import { followHistory } from './follow-history';
import { listMails } from './list-mails';
import { notify, type NotifyDeps } from './notify';
import { ensureProjectTeams } from '../groups/project-teams';
import { sendMails } from './send-mails';
import { sendSummaries } from './summarize';

const all = { skip: 0, limit: 100 };

/** In-memory structure, history and counters of other services. */
class FakeContext implements NotificationContext {
  readonly projects = new Map<number, ProjectInfo>([
    [7, { name: 'App', slug: 'app', accessControl: 100 }],
    [8, { name: 'Web', slug: 'web', accessControl: 0 }],
  ]);
  readonly components = new Map<number, ComponentInfo>([
    [70, { name: 'Main', path: 'main', projectId: 7, restricted: false, reportSourceBugs: '' }],
    [80, { name: 'Site', path: 'cat/site', projectId: 8, restricted: false, reportSourceBugs: 'bugs@example.org' }],
    [81, { name: 'Secret', path: 'secret', projectId: 8, restricted: true, reportSourceBugs: '' }],
  ]);
  changes: NotifiableChange[] = [];
  readonly windows: string[] = [];
  author = 0;
  open = new Map<number, { suggestions: number; todo: number }>();

  describe = () => Promise.resolve({ projects: this.projects, components: this.components });
  lastAuthor = () => Promise.resolve(this.author);
  openWork = (_reader: object, ids: readonly number[]) =>
    Promise.resolve(new Map([...this.open].filter(([id]) => ids.includes(id))));
  history(actions: readonly number[], from: number, to: number): Promise<NotifiableChange[]> {
    this.windows.push(`${from}-${to}`);
    return Promise.resolve(this.changes.filter((c) => actions.includes(c.action) && c.timeMs >= from && c.timeMs < to));
  }
}

async function setUp() {
  const world = await World.create();
  const context = new FakeContext();
  const notifier: NotifyDeps = { deps: world.deps, context, siteUrl: 'https://l10n.example.org' };
  const person = async (name: string, subscriptions: Partial<Subscription>[]) => {
    const user = await world.user(name, { email: `${name}@example.org` });
    const made = subscriptions.map((s, id) => ({
      id,
      notification: 'NewAlertNotificaton' as const,
      scope: 0 as const,
      frequency: 1 as const,
      projectId: 0,
      componentId: 0,
      ...s,
    }));
    await world.deps.users.update(user.id, (u) => ({ next: { ...u, subscriptions: made }, announce: { audit: [] } }));
    return user;
  };
  const mailsOf = async (userId?: number): Promise<Mail[]> => (await world.deps.mails.list(userId, all)).items;
  return { world, context, notifier, person, mailsOf, progress: new MemoryProgressStore() };
}

const changeOf = (given: Partial<NotifiableChange>): NotifiableChange => ({
  action: 47,
  timeMs: Date.parse('2026-11-21T12:00:00Z'),
  projectId: 8,
  componentId: 80,
  unitId: 0,
  languageCode: '',
  userId: 0,
  target: '',
  ...given,
});

describe('notify', () => {
  it('a mail names what happened, where, and its author', async () => {
    const { notifier, person, mailsOf } = await setUp();
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
    const { world, notifier, person, mailsOf } = await setUp();
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
    const { world, notifier, person, mailsOf } = await setUp();
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
    const { world, context, notifier, person } = await setUp();
    const { id, username } = await person('ana', []);
    const toldOf = async () => {
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
            const before = await toldOf();
            const [action] = notifications[name].actions;
            const change = { action, projectId, componentId, unitId: 5, target: `Look, @${username}!` };
            await notify(notifier, [changeOf(change)], source);
            const more = (await toldOf()) - before;
            if (more !== (reached && frequency > 0 ? 1 : 0)) wrong.push(`${source}: ${more}`);
          }
    expect(wrong).toEqual([]);
  });

  it('comments notify mentioned users and the last author', async () => {
    const { context, notifier, person, mailsOf } = await setUp();
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
    const { world, notifier, person, mailsOf } = await setUp();
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
    await notify(notifier, [{ ...report, projectId: 7, componentId: 70 }], 'nobody to tell');
    expect(await mailsOf()).toMatchObject([{ userId: 0, to: 'bugs@example.org', count: 1 }]);
    const sent: { to: string; text: string }[] = [];
    await sendMails(world.deps, { send: async (mail) => void sent.push(mail) });
    expect(sent).toMatchObject([
      {
        to: 'bugs@example.org',
        text: expect.stringContaining('by doer: A typo'),
      },
    ]);
  });

  it('changes of one kind share one mail of bounded length', async () => {
    const { notifier, person, mailsOf } = await setUp();
    const ana = await person('ana', [{ notification: 'NewStringNotificaton' }]);
    const many = Array.from({ length: 250 }, (_, i) => changeOf({ action: 71, target: `string ${i}` }));
    await notify(notifier, many, 'event');
    const [mail, ...others] = await mailsOf(ana.id);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ count: 250 });
    expect(mail!.lines).toHaveLength(100);
  });
});

describe('followHistory', () => {
  it('each history entry is processed once, and processing resumes where it stopped', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await setUp();
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
    const { world, context, notifier, person, mailsOf, progress } = await setUp();
    await person('ana', [{ notification: 'TranslatedStringNotificaton' }]);
    await followHistory(notifier, progress);
    context.changes = [changeOf({ action: 2, timeMs: world.nowMs + 1000 })];
    world.nowMs += 60_000;
    const failing: NotifyDeps = {
      ...notifier,
      context: Object.assign(Object.create(context) as FakeContext, {
        describe: () => Promise.reject(new Error('away')),
      }),
    };
    await expect(followHistory(failing, progress)).rejects.toThrow('away');
    world.nowMs += 60_000;
    await followHistory(notifier, progress);
    expect(context.windows[0]).toBe(context.windows[1]);
    expect(await mailsOf()).toHaveLength(1);
  });

  it('contributors watch the projects that they work on', async () => {
    const { world, context, notifier, person, progress } = await setUp();
    const ana = await person('ana', []);
    await followHistory(notifier, progress);
    context.changes = [changeOf({ action: 5, userId: ana.id, timeMs: world.nowMs + 1 })];
    world.nowMs += 60_000;
    await followHistory(notifier, progress);
    expect((await world.deps.users.get(ana.id))!.watched).toEqual([8]);
  });
});

describe('summarise', () => {
  it('summaries list open work of watched projects on their due days', async () => {
    const { world, context, notifier, person, mailsOf, progress } = await setUp();
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
});

describe('sendMails', () => {
  async function withMail() {
    const parts = await setUp();
    const ana = await parts.person('ana', [{}]);
    await notify(parts.notifier, [changeOf({ timeMs: parts.world.nowMs })], 'event');
    const sent: Parameters<MailTransport['send']>[0][] = [];
    const transport: MailTransport = { send: (mail) => Promise.resolve(void sent.push(mail)) };
    return { ...parts, ana, sent, transport };
  }

  it('due mails are sent once', async () => {
    const { world, ana, sent, transport, mailsOf } = await withMail();
    expect(await sendMails(world.deps, transport)).toBe(1);
    expect(await sendMails(world.deps, transport)).toBe(0);
    expect(sent).toMatchObject([{ to: 'ana@example.org', subject: '[Parlance] New alert' }]);
    expect(sent[0]!.text).toContain('Hello ana,\n\n- 2026-11-21 12:00 Web / Site: New alert');
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'sent', sentMs: world.nowMs, attempts: 1 });
  });

  it('mails are kept and readable without a mail server', async () => {
    const { world, ana, mailsOf } = await withMail();
    await sendMails(world.deps, undefined);
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'kept' });
    const own = await listMails(world.deps, await world.as(ana), 0, all);
    expect(own.items).toMatchObject([{ mail: { state: 'kept' }, user: { username: 'ana' } }]);
    const bob = await world.as(await world.user('bob'));
    expect(await reasonOf(listMails(world.deps, bob, ana.id, all))).toBe('PERMISSION_DENIED');
    expect((await listMails(world.deps, bob, 0, all)).total).toBe(0);
    expect((await listMails(world.deps, world.operator, 0, all)).total).toBe(1);
  });

  it('a failed mail is retried with growing delays and eventually given up', async () => {
    const { world, ana, mailsOf } = await withMail();
    const broken: MailTransport = {
      send: () => Promise.reject(new Error('no such host')),
    };
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await sendMails(world.deps, broken)).toBe(1);
      expect(await sendMails(world.deps, broken)).toBe(0);
      expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'waiting', attempts: attempt, error: 'no such host' });
      world.nowMs += 24 * 3600_000;
    }
    await sendMails(world.deps, broken);
    expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed', attempts: 6 });
  });

  it.each([{ isActive: false }, { dateExpiresMs: 1 }])(
    'mails are not sent to users who cannot sign in (%j)',
    async (left) => {
      const { world, ana, sent, transport, mailsOf } = await withMail();
      await world.deps.users.update(ana.id, (u) => ({ next: { ...u, ...left }, announce: { audit: [] } }));
      await sendMails(world.deps, transport);
      expect(sent).toEqual([]);
      expect((await mailsOf(ana.id))[0]).toMatchObject({ state: 'failed' });
    },
  );
});
