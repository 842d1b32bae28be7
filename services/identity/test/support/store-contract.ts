import { newGroup } from '../../src/domain/permissions/group';
import type {
  Announcement,
  AttemptStore,
  AuditStore,
  GroupStore,
  MailStore,
  ProgressStore,
  RoleStore,
  UserStore,
  WebCredentialStore,
} from '../../src/domain/ports';
import { LINES_MAX } from '../../src/domain/notifications/mail';
import { TakenError } from '../../src/domain/ports';
import { newToken } from '../../src/domain/sign-in/token';
import { newUser, type User } from '../../src/domain/user';
import { newCredential, type CredentialKind } from '../../src/domain/sign-in/web-credential';

/** The stores under test, empty. */
export interface Stores {
  users: UserStore;
  groups: GroupStore;
  roles: RoleStore;
  audit: AuditStore;
  mails: MailStore;
  progress: ProgressStore;
  webCredentials: WebCredentialStore;
  attempts: AttemptStore;
}

const silent: Announcement = { audit: [] };
const slice = { skip: 0, limit: 10 };

/** Contract tests of the stores; the implementations in memory and on MongoDB pass them. */
export function storeContract(make: () => Promise<Stores>): void {
  let stores: Stores;
  beforeAll(async () => {
    stores = await make();
  });

  async function user(username: string, more: Partial<User> = {}): Promise<User> {
    const made = {
      ...newUser({
        id: await stores.users.nextId(),
        username,
        fullName: username,
        email: null,
        nowMs: 1,
        groups: [],
        subscriptionIds: await stores.users.nextSubscriptionIds(2),
      }),
      ...more,
    };
    await stores.users.insert(made, silent);
    return made;
  }
  const taken = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing',
      (error: unknown) => (error instanceof TakenError ? error.field : String(error)),
    );

  it('stores return the inserted documents', async () => {
    const made = await user('first', { email: 'first@example.org', languages: ['cs'], passwordHash: 'x' });
    expect(await stores.users.get(made.id)).toEqual(made);
    expect(await stores.users.byName('FIRST')).toEqual(made);
    expect(await stores.users.byEmail('First@Example.org')).toEqual(made);
    expect(await stores.users.many([made.id, 987654])).toEqual([made]);
    expect(await stores.users.get(987654)).toBeUndefined();
    expect(await stores.users.byEmail('')).toBeUndefined();
  });

  it('names, addresses and ids are unique, ignoring case', async () => {
    const made = await user('second', { email: 'second@example.org' });
    expect(await taken(user('SECOND'))).toBe('username');
    expect(await taken(user('other', { email: 'SECOND@example.org' }))).toBe('email');
    expect(await taken(user('other', { id: made.id }))).toBe('id');
    await user('without address');
    await user('without address either');
    const third = await user('third');
    const rename = stores.users.update(third.id, (u) => ({ next: { ...u, username: 'Second' }, announce: silent }));
    expect(await taken(rename)).toBe('username');
    expect((await stores.users.get(third.id))!.username).toBe('third');
  });

  it('concurrent writers all succeed', async () => {
    const made = await user('contended');
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        stores.users.update(made.id, (u) => ({ next: { ...u, groups: [...u.groups, i] }, announce: silent })),
      ),
    );
    const after = (await stores.users.get(made.id))!;
    expect([...after.groups].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(after.version).toBe(9);
  });

  it('a declined change leaves an entity unchanged, and an unknown entity is not found', async () => {
    const made = await user('declined');
    expect(await stores.users.update(made.id, () => undefined)).toEqual(made);
    expect(await stores.users.update(987654, () => undefined)).toBeUndefined();
  });

  it('ids are never reused', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => stores.users.nextId()));
    expect(new Set(ids).size).toBe(50);
  });

  it('users are found by token, and token use is recorded', async () => {
    const given = {
      id: await stores.users.nextTokenId(),
      kind: 'personal' as const,
      name: 't',
      createdMs: 1,
      expiresMs: 0,
    };
    const { token } = newToken(given);
    const made = await user('holder', { tokens: [token] });
    await stores.users.noteTokenUse(made.id, token.id, 77);
    const found = (await stores.users.byTokenHash(token.hash))!;
    expect(found).toEqual({ ...made, tokens: [{ ...token, lastUsedMs: 77 }] });
    expect(await stores.users.byTokenId(token.id)).toEqual(found);
    expect(await stores.users.byTokenHash('')).toBeUndefined();
    expect((await stores.users.withTokens(slice)).items.map((u) => u.id)).toContain(made.id);
  });

  it('users are listed by name prefix, by id and in pages', async () => {
    const [a, b] = [await user('Listed.one'), await user('listed.two')];
    await user('list');
    const page = await stores.users.list({ usernamePrefix: 'LISTED.' }, { skip: 1, limit: 1 });
    expect(page).toEqual({ items: [b], total: 2 });
    expect((await stores.users.list({ id: a.id }, slice)).items).toEqual([a]);
    expect((await stores.users.list({ usernamePrefix: '.*' }, slice)).total).toBe(0);
    expect((await stores.users.list({ usernamePrefix: 'listed.', id: 987654 }, slice)).total).toBe(0);
  });

  it('users are found by parts of their names', async () => {
    await user('Found.žofie', { fullName: 'Žofie (Z.) Malá' });
    await user('found.b', { fullName: 'B', projectId: 79 });
    await user('found.a', { fullName: 'A' });
    await user('found.gone', { fullName: 'Gone', deleted: true });
    const find = (text: string, limit = 5) => stores.users.namesContaining(text, limit);
    expect(await find('OUND.')).toEqual(['found.a', 'Found.žofie']);
    expect(await find('OUND.', 1)).toEqual(['found.a']);
    expect(await find('found.Ž')).toEqual(['Found.žofie']);
    expect(await find('žOFIE (z.)')).toEqual(['Found.žofie']);
    expect(await find('found..')).toEqual([]);
    expect(await find('f|o*[')).toEqual([]);
  });

  it('people of a provider are unique and found by their key', async () => {
    const made = await user('external', { externalKey: 'https://id.example.org 1' });
    expect(await stores.users.byExternalKey('https://id.example.org 1')).toEqual(made);
    expect(await stores.users.byExternalKey('https://id.example.org 2')).toBeUndefined();
    expect(await taken(user('external too', { externalKey: 'https://id.example.org 1' }))).toBe('externalKey');
    await user('left', { externalKey: '' });
    await user('left too', { externalKey: '' });
  });

  it('a sign-in is noted with its time', async () => {
    const { id } = await user('returning');
    await stores.users.noteSignIn(id, 1210);
    expect((await stores.users.get(id))!.lastLoginMs).toBe(1210);
  });

  it('attempts beyond the free ones wait, until they are forgotten', async () => {
    const { attempts } = stores;
    const count = (nowMs: number) => attempts.count('user:1', 2, nowMs);
    expect(await count(1000)).toEqual({ counted: true, nextMs: 0 });
    expect(await count(1001)).toEqual({ counted: true, nextMs: 61_001 });
    expect(await count(61_000)).toEqual({ counted: false, nextMs: 61_001 });
    expect(await count(61_001)).toEqual({ counted: true, nextMs: 181_001 });
    expect(await attempts.count('user:2', 2, 61_001)).toEqual({ counted: true, nextMs: 0 });
    await attempts.refund('user:1');
    expect(await count(121_001)).toEqual({ counted: true, nextMs: 241_001 });
    await attempts.forget('user:1');
    expect(await count(121_002)).toEqual({ counted: true, nextMs: 0 });
    expect(await count(121_002 + 86_400_000)).toEqual({ counted: true, nextMs: 0 });
  });

  it('concurrent attempts are counted one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => stores.attempts.count('user:3', 5, 1000)));
    expect(answers.filter(({ counted }) => counted)).toHaveLength(5);
  });

  it('credentials of browsers are found by kind, taken once and ended', async () => {
    const { webCredentials } = stores;
    const make = async (kind: CredentialKind, userId: number) => {
      const times = { idleMs: 3600_000, absoluteMs: 7200_000 };
      const id = await webCredentials.nextId();
      const nowMs = Date.now() + id;
      const made = newCredential({ id, kind, userId, epoch: 0, clientAddress: '', userAgent: 'x', nowMs, times });
      await webCredentials.insert(made.credential);
      return made.credential;
    };
    const [first, second, other, reset] = [
      await make('session', 5),
      await make('session', 5),
      await make('session', 6),
      await make('password-reset', 5),
    ];
    expect(await webCredentials.byHash('session', first.hash)).toEqual(first);
    expect(await webCredentials.byHash('session', reset.hash)).toBeUndefined();
    expect(await webCredentials.sessionsOf(5)).toEqual([second, first]);
    await webCredentials.noteUse(first.hash, first.createdMs + 5, first.endsMs);
    const used = { ...first, lastSeenMs: first.createdMs + 5, expiresMs: first.endsMs };
    expect(await webCredentials.byHash('session', first.hash)).toEqual(used);
    expect(await webCredentials.take('session', reset.hash)).toBeUndefined();
    const takes = await Promise.all([1, 2, 3].map(() => webCredentials.take('password-reset', reset.hash)));
    expect(takes.filter(Boolean)).toEqual([reset]);
    await webCredentials.endSessions(5, { exceptId: second.id });
    expect(await webCredentials.sessionsOf(5)).toEqual([second]);
    await webCredentials.endSessions(6, { id: second.id });
    expect(await webCredentials.sessionsOf(5)).toEqual([second]);
    await webCredentials.endSessions(5, { id: second.id });
    expect(await webCredentials.sessionsOf(5)).toEqual([]);
    await webCredentials.noteUse(second.hash, 1, 1);
    expect(await webCredentials.byHash('session', second.hash)).toBeUndefined();
    await webCredentials.removeOf(6);
    expect(await webCredentials.byHash('session', other.hash)).toBeUndefined();
  });

  it('users are found by membership, project and subscription', async () => {
    const member = await user('member', { groups: [400] });
    const bot = await user('bot', { projectId: 70, isBot: true });
    const [subscription] = member.subscriptions;
    const reader = await user('reader', {
      email: 'reader@example.org',
      subscriptions: [
        { ...subscription!, notification: 'NewAlertNotificaton', frequency: 1, projectId: 71, componentId: 710 },
      ],
    });
    expect(await stores.users.memberIds(400)).toEqual([member.id]);
    expect((await stores.users.bots(70, slice)).items.map((u) => u.id)).toEqual([bot.id]);
    expect((await stores.users.bots(0, slice)).total).toBe(0);
    expect(await stores.users.subscribedTo({ projectId: 71 })).toEqual([reader.id]);
    expect(await stores.users.subscribedTo({ componentId: 710 })).toEqual([reader.id]);
  });

  it('subscribers of notifications are found', async () => {
    const [subscription] = (await user('template')).subscriptions;
    const subscriber = (username: string, scope: 0 | 10 | 30, more: Partial<User>) =>
      user(username, {
        email: `${username}@example.org`,
        subscriptions: [{ ...subscription!, notification: 'NewAlertNotificaton', scope, frequency: 1, projectId: 71 }],
        ...more,
      });
    const wide = await subscriber('subscriber.wide', 0, {});
    const watcher = await subscriber('subscriber.watcher', 10, { watched: [74] });
    const member = await subscriber('subscriber.member', 10, { groups: [401] });
    await subscriber('subscriber.elsewhere', 10, { watched: [75] });
    await subscriber('subscriber.inactive', 0, { isActive: false });
    await subscriber('subscriber.expired', 0, { dateExpiresMs: 1000 });
    const leaving = await subscriber('subscriber.leaving', 10, { watched: [74], dateExpiresMs: 1001 });
    await subscriber('subscriber.bot', 0, { isBot: true });
    await subscriber('subscriber.unreachable', 0, { email: null });
    const off = {
      ...subscription!,
      notification: 'NewAlertNotificaton' as const,
      scope: 0 as const,
      frequency: 0 as const,
    };
    await subscriber('subscriber.off', 0, { subscriptions: [off] });
    const find = async (notifications: string[]) => {
      const found = await stores.users.subscribers({ notifications, projectIds: [74], groupIds: [401], nowMs: 1000 });
      return found.map((u) => u.username).filter((name) => name.startsWith('subscriber.'));
    };
    expect(await find(['NewAlertNotificaton'])).toEqual([
      'subscriber.wide',
      'subscriber.watcher',
      'subscriber.member',
      'subscriber.leaving',
    ]);
    expect(await find(['LockNotification'])).toEqual([]);
    const readers = await stores.users.digestReaders(['NewAlertNotificaton'], wide.id, 2, 1000);
    expect(readers.map((u) => u.id)).toEqual([watcher.id, member.id]);
    const later = async (nowMs: number) => {
      const found = await stores.users.digestReaders(['NewAlertNotificaton'], member.id, 10, nowMs);
      return found.map((u) => u.username).filter((name) => name.startsWith('subscriber.'));
    };
    expect(await later(1000)).toEqual(['subscriber.elsewhere', 'subscriber.leaving']);
    expect(await later(1001)).toEqual(['subscriber.elsewhere']);
    expect(await stores.users.count()).toBe((await stores.users.list({}, { skip: 0, limit: 1 })).total);
    expect(await stores.users.subscribedTo({ projectId: 74 })).toEqual([watcher.id, leaving.id]);
  });

  const part = { userId: 5000, notification: 'LockNotification', frequency: 2, createdMs: 10, dueMs: 100 } as const;

  it('mails are extended until they are due, once for each source', async () => {
    const { mails } = stores;
    await mails.add('s1', [{ ...part, key: 'a', lines: ['one'], count: 1 }]);
    await mails.add('s2', [
      { ...part, key: 'a', lines: ['two', 'three'], count: 2 },
      { ...part, key: 'b', lines: ['x'], count: 1 },
    ]);
    await mails.add('s2', [{ ...part, key: 'a', lines: ['two', 'three'], count: 2 }]);
    await mails.add('s3', [
      { ...part, key: 'a', lines: Array.from({ length: LINES_MAX }, (_, i) => String(i)), count: 500 },
    ]);
    const { items, total } = await mails.list(5000, slice);
    const a = items.find((m) => m.key === 'a')!;
    expect(total).toBe(2);
    expect(a).toMatchObject({ count: 503, state: 'waiting', dueMs: 100, attempts: 0 });
    expect(a.lines).toHaveLength(LINES_MAX);
    expect(a.lines.slice(0, 4)).toEqual(['one', 'two', 'three', '0']);
  });

  it('a due mail is claimed by one sender at a time', async () => {
    const { mails } = stores;
    expect(await mails.claimDue(99, 200)).toBeUndefined();
    const claimed = await Promise.all([mails.claimDue(150, 200), mails.claimDue(150, 200), mails.claimDue(150, 200)]);
    expect(claimed.map((m) => m?.key).sort()).toEqual(['a', 'b', undefined]);
    const mail = claimed.find((m) => m?.key === 'b')!;
    await mails.settle(mail.id, { state: 'sent', sentMs: 160, error: '', dueMs: 200, attempts: 1 });
    expect((await mails.claimDue(300, 400))!.key).toBe('a');
    expect(await mails.claimDue(300, 400)).toBeUndefined();
    const sent = (await mails.list(undefined, slice)).items.find((m) => m.key === 'b');
    expect(sent).toMatchObject({ state: 'sent', sentMs: 160, attempts: 1 });
    await mails.removeOf(5000);
    expect((await mails.list(5000, slice)).total).toBe(0);
  });

  it('periodic work is claimed by one process at a time and continues at its progress', async () => {
    const { progress } = stores;
    const first = await Promise.all([progress.claim('w', 50, 1000, 2000), progress.claim('w', 50, 1000, 2000)]);
    expect(first.filter((c) => c !== undefined)).toEqual([{ reached: 50, planned: 50 }]);
    await progress.plan('w', 60);
    expect(await progress.claim('w', 0, 1500, 2500)).toBeUndefined();
    expect(await progress.claim('w', 0, 2000, 3000)).toEqual({ reached: 50, planned: 60 });
    await progress.release('w', 60);
    expect(await progress.claim('w', 0, 2001, 3000)).toEqual({ reached: 60, planned: 60 });
  });

  it('groups are stored and found by their references', async () => {
    const group = newGroup({
      id: await stores.groups.nextId(),
      name: 'team',
      definingProject: 72,
      projects: [72],
      roles: [900],
      components: [{ id: 720, projectId: 73 }],
      admins: [5],
      teamKey: '72:Administration',
    });
    await stores.groups.insert(group, silent);
    expect(await stores.groups.get(group.id)).toEqual(group);
    expect(await stores.groups.ofProject(72)).toEqual([group]);
    for (const target of [{ role: 900 }, { project: 72 }, { project: 73 }, { component: 720 }, { admin: 5 }]) {
      expect(await stores.groups.listReferencing(target)).toEqual([group.id]);
    }
    const twin = { ...group, id: await stores.groups.nextId() };
    expect(await taken(stores.groups.insert(twin, silent))).toBe('teamKey');
    await stores.groups.insert({ ...twin, teamKey: '' }, silent);
    await stores.groups.insert({ ...twin, id: await stores.groups.nextId(), teamKey: '', definingProject: 0 }, silent);
    const mine = await stores.groups.list({ memberOf: [twin.id], administeredBy: 0 }, slice);
    expect(mine.items.map((g) => g.id)).toEqual([twin.id]);
    expect((await stores.groups.list({ memberOf: [], administeredBy: 5 }, slice)).total).toBe(3);
  });

  it('groups and roles being deleted are hidden until they are purged', async () => {
    const group = newGroup({ id: await stores.groups.nextId(), name: 'gone', deleted: true });
    await stores.groups.insert(group, silent);
    const role = { id: await stores.roles.nextId(), version: 1, name: 'gone', permissions: [], deleted: true };
    await stores.roles.insert(role, silent);
    expect((await stores.groups.list({ memberOf: [group.id], administeredBy: 0 }, slice)).total).toBe(0);
    expect((await stores.roles.list([role.id], slice)).total).toBe(0);
    expect((await stores.groups.beingDeleted()).map((g) => g.id)).toEqual([group.id]);
    expect((await stores.roles.beingDeleted()).map((r) => r.id)).toEqual([role.id]);
    await stores.groups.forget(group.id);
    await stores.roles.forget(role.id);
    expect(await stores.groups.get(group.id)).toBeUndefined();
    expect(await stores.roles.get(role.id)).toBeUndefined();
  });

  it('audit entries are listed newest first, and addresses are deleted', async () => {
    const made = await user('audited');
    for (const [index, action] of ['user.update', 'token.create'].entries()) {
      await stores.users.update(made.id, (u) => ({
        next: { ...u, fullName: action },
        announce: {
          audit: [
            {
              uid: `entry ${index}`,
              timeMs: 1000 + index,
              actorId: 4321,
              actorName: '',
              action,
              targetKind: 'user',
              targetId: made.id,
              targetName: '',
              details: { changed: ['fullName'] },
              clientAddress: '203.0.113.9',
              requestId: 'r',
            },
          ],
        },
      }));
    }
    const read = async (filter: object) => (await stores.audit.list({ actorId: 4321, ...filter }, slice)).items;
    expect((await read({})).map((e) => e.action)).toEqual(['token.create', 'user.update']);
    expect((await read({ action: 'token.' })).map((e) => e.uid)).toEqual(['entry 1']);
    expect(await read({ target: { kind: 'user', id: made.id } })).toHaveLength(2);
    expect((await read({}))[0]).toMatchObject({ details: { changed: ['fullName'] }, clientAddress: '203.0.113.9' });
    await stores.audit.forgetAddresses(4321);
    expect((await read({})).map((e) => e.clientAddress)).toEqual(['', '']);
  });
}
