import { until } from '@parlance/testing';
import { can, CallerVerifier, permissionNames, type Caller } from '@parlance/access';
import { isServiceError } from '@parlance/errors';
import { newEvent, type IncomingEvent, type OutgoingEvent } from '@parlance/events';
import { connectRedis, generationKey } from '@parlance/redis';
import { run } from '../src/cli/program';
import { connect } from '../src/cli/connect';
import { Listener, serviceSecret, start, type Running } from './support/running';

let running: Running;
beforeAll(async () => {
  running = await start();
});
afterAll(async () => running.stop());

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: unknown) => (isServiceError(error) ? error.reason : String(error)),
  );
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => [],
    (error: unknown) =>
      isServiceError(error, 'INVALID') ? error.problems.map((p) => `${p.attr}:${p.code}`) : [String(error)],
  );

async function user(username: string): Promise<{ id: number; token: string; as: string }> {
  const { identity, operator } = running;
  const made = await identity.createUser({ username, fullName: username, withToken: true }, operator);
  return { id: made.user!.id, token: made.token, as: (await enter(made.token)).signed };
}

async function enter(token: string): Promise<{ caller: Caller; signed: string }> {
  const { signedPrincipal } = await running.identity.authenticate({ token }, running.operator);
  return { signed: signedPrincipal, caller: new CallerVerifier(serviceSecret).verify(signedPrincipal) };
}

/** Reads the generation that gateways cache callers by. */
async function accessGeneration(): Promise<{ read: () => Promise<string | null>; close: () => void }> {
  const redis = connectRedis(running.redisUrl, () => undefined);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  return { read: () => redis.get(generationKey('access')), close: () => redis.disconnect() };
}

describe('authentication', () => {
  it('authentication returns the owner of a token and its permissions', async () => {
    const ana = await user('ana');
    const answer = await running.identity.authenticate({ token: ana.token }, running.operator);
    expect(answer).toMatchObject({
      cacheMs: 60_000,
      user: { id: ana.id, username: 'ana', groupIds: [2, 3], full: true },
    });
    const { caller } = await enter(ana.token);
    expect(can(caller, 'unit.edit', { projectId: 1, accessControl: 0 })).toBe(true);
    expect(can(caller, 'unit.edit', { projectId: 1, accessControl: 100 })).toBe(false);
  });

  it('a request without a token gets the anonymous caller', async () => {
    const answer = await running.identity.authenticate({ token: '' }, running.operator);
    expect(answer.user).toMatchObject({ id: 1, username: 'anonymous', isActive: false });
    expect((await enter('')).caller).toMatchObject({ anonymous: true, userId: 0 });
  });

  it('only services may authenticate tokens', async () => {
    const ana = await user('asks-herself');
    expect(await reasonOf(running.identity.authenticate({ token: ana.token }, { as: ana.as }))).toBe(
      'PERMISSION_DENIED',
    );
    expect(await reasonOf(running.identity.authenticate({ token: ana.token }))).toBe('NOT_AUTHENTICATED');
  });

  it('a revocation takes effect immediately and advances the generation that gateways cache by', async () => {
    const ana = await user('revoked');
    const generation = await accessGeneration();
    const before = await generation.read();
    const { tokens } = await running.identity.listPersonalTokens({ userId: ana.id }, { as: ana.as });
    await running.identity.revokePersonalToken({ userId: ana.id, id: tokens[0]!.id }, { as: ana.as });
    expect(await generation.read()).not.toBe(before);
    generation.close();
    expect(await reasonOf(enter(ana.token))).toBe('AUTHENTICATION_FAILED');
  });

  it('identity lists the permissions of every role in the order of the permission table', async () => {
    const { identity, operator } = running;
    await identity.createRole(
      { name: 'Mixed', permissions: ['vcs.push', 'billing.view', 'unit.edit'], hasPermissions: true },
      operator,
    );
    const { roles } = await identity.listRoles({}, operator);
    expect(roles.length).toBeGreaterThan(17);
    for (const { permissions } of roles)
      expect(permissions).toEqual(permissionNames.filter((name) => permissions.includes(name)));
  });

  it('a change of rights takes effect at once', async () => {
    const { identity, operator } = running;
    const ana = await user('promoted');
    const { role } = await identity.createRole(
      { name: 'Pushers', permissions: ['vcs.push'], hasPermissions: true },
      operator,
    );
    await identity.addGroupAssociation({ groupId: 4, roleId: role!.id }, operator);
    await identity.addUserToGroup({ userId: ana.id, groupId: 4 }, operator);
    const mayPush = async () => can((await enter(ana.token)).caller, 'vcs.push', { projectId: 1, accessControl: 100 });
    expect(await mayPush()).toBe(true);
    await identity.updateRole(
      { id: role!.id, name: 'x', permissions: [], hasPermissions: true, replace: true },
      operator,
    );
    expect(await mayPush()).toBe(false);
  });

  it('a password authenticates, and only its digest is stored', async () => {
    const ana = await user('with-password');
    const { password } = await running.identity.setPassword({ userId: ana.id }, running.operator);
    const answer = await running.identity.authenticatePassword(
      { username: 'with-password', password },
      running.operator,
    );
    expect(answer.user).toMatchObject({ id: ana.id });
    const stored = JSON.stringify(await running.store.collection<{ _id: number }>('users').findOne({ _id: ana.id }));
    expect(stored).toContain('$argon2id$');
    expect(stored).not.toContain(password);
    const wrong = running.identity.authenticatePassword({ username: 'with-password', password: 'x' }, running.operator);
    expect(await reasonOf(wrong)).toBe('AUTHENTICATION_FAILED');
  });
});

describe('tokens', () => {
  it('tokens are stored only as digests', async () => {
    const ana = await user('secretive');
    const made = await running.identity.createPersonalToken({ userId: ana.id, name: 'second' }, { as: ana.as });
    expect(made.value).toMatch(/^plu_[A-Za-z0-9]{36}$/);
    for (const { name } of await running.store.listCollections()) {
      const text = JSON.stringify(await running.store.collection(name).find({}).toArray());
      expect(text).not.toContain(made.value.slice(4));
      expect(text).not.toContain(ana.token.slice(4));
    }
    expect((await running.identity.listTokens({}, running.operator)).tokens.map((t) => t.name)).toContain('second');
  });

  it('a project token creates a bot that can access only its project', async () => {
    const { identity, operator } = running;
    const ana = await user('project-admin');
    await identity.ensureProjectTeams(
      { projectId: 41, slug: 'web', accessControl: 0, creatorUserId: ana.id },
      operator,
    );
    const { signed } = await enter(ana.token);
    const made = await identity.createProjectToken({ projectId: 41, name: 'CI' }, { as: signed });
    expect(made).toMatchObject({ token: { username: 'bot-web-ci', kind: 'TOKEN_KIND_PROJECT', projectId: 41 } });
    const { caller } = await enter(made.value);
    expect(can(caller, 'project.edit', { projectId: 41, accessControl: 0 })).toBe(true);
    expect(can(caller, 'suggestion.add', { projectId: 42, accessControl: 0 })).toBe(false);
    await identity.revokeProjectToken({ projectId: 41, id: made.token!.id }, { as: signed });
    expect(await reasonOf(enter(made.value))).toBe('AUTHENTICATION_FAILED');
    expect((await identity.getUser({ id: made.token!.userId }, operator)).user).toMatchObject({ isActive: false });
  });
});

describe('what an installation begins with', () => {
  it('defaults are created once, however many replicas start', async () => {
    const second = await running.replica();
    await second.drain(15_000);
    await second.close();
    const { roles } = await running.identity.listRoles({}, running.operator);
    expect(roles.slice(0, 17).map((r) => r.id)).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
    expect(roles[5]).toMatchObject({ name: 'Power user' });
    const { groups } = await running.identity.listGroups({}, running.operator);
    expect(groups.slice(0, 6).map((g) => g.name)).toEqual([
      'Guests',
      'Viewers',
      'Users',
      'Reviewers',
      'Managers',
      'Project creators',
    ]);
  });
});

describe('teams of projects', () => {
  const created = (projectId: number, userId: number, accessControl: number): OutgoingEvent =>
    newEvent(
      'catalog',
      'projectCreated',
      { projectId, slug: `p${projectId}`, userId, accessControl, translationReview: true },
      projectId,
    );

  it('teams of a project are created and deleted by events', async () => {
    const ana = await user('creator');
    const changes = await Listener.on(running.bus, ['accessChanged']);
    const ofAna = (e: IncomingEvent) => 'userIds' in e.payload && e.payload.userIds.includes(ana.id);
    const creation = await changes.next(ofAna);
    await running.bus.publish(created(51, ana.id, 100));
    await changes.next((e) => ofAna(e) && e.id !== creation.id);
    const { caller, signed } = await enter(ana.token);
    expect(can(caller, 'project.permissions', { projectId: 51, accessControl: 100 })).toBe(true);
    const { groups } = await running.identity.listProjectTeams({ projectId: 51 }, { as: signed });
    expect(groups).toHaveLength(11);
    await running.bus.publish(newEvent('catalog', 'projectDeleted', { projectId: 51, slug: 'p51' }, 51));
    await changes.next((e) => 'userIds' in e.payload && e.payload.userIds.length === 0);
    await until(
      async () => (await running.identity.listProjectTeams({ projectId: 51 }, running.operator)).groups.length === 0,
    );
    expect((await enter(ana.token)).caller.grants.some((g) => g.projects.includes?.(51 as never))).toBe(false);
  });

  it('teams are created once if the direct call and the event race', async () => {
    const request = { projectId: 52, slug: 'p52', accessControl: 100, translationReview: true };
    await Promise.all([
      running.bus.publish(created(52, 0, 100)),
      ...Array.from({ length: 4 }, () => running.identity.ensureProjectTeams(request, running.operator)),
    ]);
    const { groups } = await running.identity.listProjectTeams({ projectId: 52 }, running.operator);
    expect(new Set(groups.map((g) => g.name)).size).toBe(groups.length);
    expect(groups).toHaveLength(11);
  });
});

describe('groups and roles', () => {
  it('groups and roles keep their associations', async () => {
    const { identity, operator } = running;
    const { group } = await identity.createGroup({ name: 'Doctors' }, operator);
    const add = (target: object) => identity.addGroupAssociation({ groupId: group!.id, ...target }, operator);
    await add({ roleId: 9 });
    await add({ projectId: 7 });
    await add({ component: { componentId: 70, projectId: 7 } });
    await add({ componentListId: 3 });
    await add({ languageCode: 'cs' });
    const full = (await add({ adminUserId: (await user('doctor')).id })).group!;
    expect(full).toMatchObject({
      roleIds: [9],
      projectIds: [7],
      components: [{ componentId: 70, projectId: 7 }],
      componentListIds: [3],
      languageCodes: ['cs'],
    });
    expect(full.adminUserIds).toHaveLength(1);
    const emptied = await identity.removeGroupAssociation({ groupId: group!.id, componentId: 70 }, operator);
    expect(emptied.group!.components).toEqual([]);
    expect(await reasonOf(identity.removeGroupAssociation({ groupId: group!.id, componentId: 70 }, operator))).toBe(
      'NOT_FOUND',
    );
    expect(await fieldsOf(identity.addGroupAssociation({ groupId: group!.id }, operator))).toEqual(['null:required']);
    await identity.deleteGroup({ id: group!.id }, operator);
    expect(await reasonOf(identity.getGroup({ id: group!.id }, operator))).toBe('NOT_FOUND');
  });
});

describe('bad input', () => {
  it('invalid input is reported by field and changes nothing', async () => {
    const { identity, operator } = running;
    const before = (await identity.listUsers({}, operator)).total;
    expect(await fieldsOf(identity.createUser({ username: 'a b', fullName: '', email: 'x' }, operator))).toEqual([
      'username:invalid',
      'full_name:blank',
      'email:invalid',
    ]);
    await user('Taken');
    expect(await fieldsOf(identity.createUser({ username: 'tAKEN', fullName: 'x' }, operator))).toEqual([
      'username:unique',
    ]);
    expect((await identity.listUsers({}, operator)).total).toBe(before + 1);
    expect(await fieldsOf(identity.listUsers({ page: { page: 1, pageSize: 1001 } }, operator))).toEqual([
      'page_size:invalid',
    ]);
    expect(
      await fieldsOf(identity.createRole({ name: 'y', permissions: ['no.such'], hasPermissions: true }, operator)),
    ).toEqual(['permissions:does_not_exist']);
    expect(await reasonOf(identity.getUser({ id: -1 }, operator))).toBe('NOT_FOUND');
  });

  it('concurrent requests cannot create two users with one name', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 6 }, () =>
        fieldsOf(running.identity.createUser({ username: 'racer', fullName: 'r' }, running.operator)),
      ),
    );
    const taken = Array.from({ length: 5 }, () => ['username:unique']);
    expect(attempts.sort((a, b) => a.length - b.length)).toEqual([[], ...taken]);
  });
});

describe('what a write announces', () => {
  it('a write is published as an event and recorded in the audit log with actor and address', async () => {
    const listener = await Listener.on(running.bus, ['userDeleted']);
    const ana = await user('leaver');
    await running.identity.deleteUser({ id: ana.id }, running.operator);
    const event = await listener.next((e) => e.key === String(ana.id));
    expect(event.payload).toEqual({ userId: ana.id, replacementUsername: `deleted-${ana.id}` });
    const { entries } = await running.identity.listAuditEntries(
      { targetKind: 'user', targetId: ana.id },
      running.operator,
    );
    expect(entries.map((e) => e.action)).toEqual(['user.delete', 'user.create']);
    expect(entries[0]).toMatchObject({
      actorName: 'operator',
      clientAddress: '203.0.113.9',
      targetName: `deleted-${ana.id}`,
    });
  });

  it('the announcement of a write survives a crash before its publication', async () => {
    const ana = await user('stranded');
    const listener = await Listener.on(running.bus, ['accessChanged']);
    const event = newEvent('identity', 'accessChanged', { userIds: [ana.id] }, `stranded-${ana.id}`);
    const entry = {
      uid: `stranded-${ana.id}`,
      timeMs: Date.now(),
      actorId: ana.id,
      actorName: '',
      action: 'user.update',
      targetKind: 'user',
      targetId: ana.id,
      targetName: '',
      details: {},
      clientAddress: '',
      requestId: '',
    };
    // State of the store after a process was killed directly after its write. The periodic pass takes it some seconds later.
    await running.store
      .collection<{ _id: number }>('users')
      .updateOne({ _id: ana.id }, { $push: { outbox: event, auditTrail: entry } as never });
    expect(await running.service.relay()).toBe(1);
    await listener.next((e) => e.id === event.id);
    const { entries } = await running.identity.listAuditEntries({ actorId: ana.id }, running.operator);
    expect(entries).toHaveLength(1);
    const stored = await running.store.collection<{ _id: number }>('users').findOne({ _id: ana.id });
    expect(stored).toMatchObject({ outbox: [], auditTrail: [] });
    expect(await running.service.relay()).toBe(0);
  });
});

describe('the operator’s command line', () => {
  async function command(...args: string[]) {
    let out = '';
    let err = '';
    const code = await run(args, {
      variables: {},
      connect: () => connect({ IDENTITY_ADDRESS: running.address, PARLANCE_SERVICE_SECRET: serviceSecret }),
      connectEvents: () => Promise.reject(new Error('The commands of this test use no events.')),
      out: (text) => void (out += text),
      err: (text) => void (err += text),
      input: () => Promise.resolve('a password from standard input'),
    });
    return { code, out, err };
  }

  it("the operator's command creates users and tokens, prints only the token, and revokes it", async () => {
    const made = await command('user', 'create', 'cli-user', '--email', 'cli@example.org', '--superuser', '--token');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toMatch(/^plu_[A-Za-z0-9]{36}\n$/);
    expect((await enter(made.out.trim())).caller).toMatchObject({ isSuperuser: true, email: 'cli@example.org' });
    const second = await command('token', 'create', '--user', 'cli-user', '--name', 'second', '--json');
    const { id, token } = JSON.parse(second.out) as { id: number; token: string };
    expect((await command('token', 'list', '--user', 'cli-user')).out).toContain('second');
    expect(await command('token', 'revoke', String(id))).toMatchObject({ code: 0 });
    expect(await command('token', 'revoke', made.out.trim())).toMatchObject({ code: 0 });
    expect(await reasonOf(enter(token))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(enter(made.out.trim()))).toBe('AUTHENTICATION_FAILED');
  });

  it("the operator's command creates project tokens, sets passwords, and lists users and the audit log", async () => {
    await running.identity.ensureProjectTeams(
      { projectId: 61, slug: 'cli-project', accessControl: 0 },
      running.operator,
    );
    const made = await command('token', 'create', '--project', 'cli-project', '--expires', '2999-01-01');
    expect(made.out).toMatch(/^plp_[A-Za-z0-9]{36}\n$/);
    await command('user', 'create', 'cli-second');
    expect(await command('user', 'reset-password', 'cli-second', '--password-stdin')).toMatchObject({ code: 0 });
    const password = 'a password from standard input';
    await running.identity.authenticatePassword({ username: 'cli-second', password }, running.operator);
    const users = JSON.parse((await command('user', 'list', '--prefix', 'CLI-', '--json')).out) as {
      username: string;
    }[];
    expect(users.map((u) => u.username)).toContain('cli-second');
    const changed = await command('user', 'set-email', 'cli-second', 'second@example.org');
    expect(changed.out).toBe('The mail address of cli-second is second@example.org.\n');
    expect((await command('user', 'list', '--prefix', 'cli-second')).out).toContain('second@example.org');
    expect((await command('user', 'set-email', 'cli-second', 'nowhere')).code).toBe(1);
    expect((await command('user', 'set-email', 'cli-second', '', '--json')).out).toContain('"email": null');
    const audit = await command('audit', '--action', 'user.password', '--limit', '1');
    expect(audit.out).toContain('user.password.set');
    expect(audit.out).not.toContain('standard input');
  });

  it("the operator's command disables a user at once on all gateways, and enables it without its sessions", async () => {
    const { identity, operator } = running;
    const ana = await user('cli-disabled');
    const password = 'a password of the disabled user';
    await identity.setPassword({ userId: ana.id, password }, operator);
    const signIn = () => identity.signIn({ username: 'cli-disabled', password, network: '203.0.113.0' }, operator);
    const { secret } = await signIn();
    const enterSession = () => identity.authenticateSession({ secret }, operator);
    expect((await enterSession()).user).toMatchObject({ id: ana.id });
    const generation = await accessGeneration();
    const before = await generation.read();
    const disabled = await command('user', 'disable', 'cli-disabled', '--json');
    expect(await generation.read()).not.toBe(before);
    expect(disabled).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(disabled.out)).toMatchObject({ id: ana.id, username: 'cli-disabled', is_active: false });
    expect(await reasonOf(enter(ana.token))).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(enterSession())).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(signIn())).not.toBe('nothing');
    const between = await generation.read();
    const enabled = await command('user', 'enable', 'cli-disabled');
    expect(enabled).toEqual({ code: 0, out: 'cli-disabled is enabled.\n', err: '' });
    expect(await generation.read()).not.toBe(between);
    generation.close();
    expect((await enter(ana.token)).caller).toMatchObject({ userId: ana.id });
    expect(await reasonOf(enterSession())).toBe('AUTHENTICATION_FAILED');
    expect(await reasonOf(signIn())).toBe('nothing');
    const audit = JSON.parse((await command('audit', '--action', 'user.update', '--json')).out) as object[];
    const entry = { actor: 'operator', details: { changed: ['isActive'] } };
    expect(audit.slice(0, 2)).toMatchObject([entry, entry]);
  });

  it("the operator's command grants and revokes superuser, but not of the last active one", async () => {
    const isSuperuser = async (token: string) => (await enter(token)).caller.isSuperuser;
    const [first, second] = [await user('cli-first-root'), await user('cli-second-root')];
    const generation = await accessGeneration();
    const before = await generation.read();
    const promoted = await command('user', 'promote', 'cli-first-root');
    expect(promoted).toEqual({ code: 0, out: 'cli-first-root is a superuser.\n', err: '' });
    expect(await generation.read()).not.toBe(before);
    generation.close();
    expect(await isSuperuser(first.token)).toBe(true);
    const { users } = await running.identity.listUsers({ page: { page: 1, pageSize: 1000 } }, running.operator);
    for (const other of users.filter((each) => each.isSuperuser && each.id !== first.id))
      expect(await command('user', 'demote', other.username)).toMatchObject({ code: 0 });
    // A disabled superuser does not count.
    await command('user', 'promote', 'cli-second-root');
    expect(await command('user', 'disable', 'cli-second-root')).toMatchObject({ code: 0 });
    for (const name of ['disable', 'demote']) {
      const refused = await command('user', name, 'cli-first-root');
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toContain('cli-first-root is the last active superuser');
    }
    expect(await isSuperuser(first.token)).toBe(true);
    await command('user', 'enable', 'cli-second-root');
    const demoted = await command('user', 'demote', 'cli-first-root', '--json');
    expect(JSON.parse(demoted.out)).toMatchObject({ username: 'cli-first-root', is_superuser: false, is_active: true });
    expect(await isSuperuser(first.token)).toBe(false);
    expect(await isSuperuser(second.token)).toBe(true);
  });

  it("the operator's command names the reason why an enabled or promoted user still cannot sign in", async () => {
    await running.identity.createUser({ username: 'cli-expired', fullName: 'Expired' }, running.operator);
    await command('user', 'disable', 'cli-expired');
    expect((await command('user', 'promote', 'cli-expired')).out).toBe('cli-expired is a superuser, but disabled.\n');
    const past = { $set: { dateExpiresMs: Date.UTC(2020, 0, 2) } };
    await running.store.collection('users').updateOne({ username: 'cli-expired' }, past);
    const enabled = await command('user', 'enable', 'cli-expired');
    expect(enabled.code).toBe(0);
    expect(enabled.out).toBe(
      'cli-expired is enabled, but its access ended at 2020-01-02 00:00 UTC ("date_expires").\n',
    );
  });

  it("the operator's command fails with a reason on standard error", async () => {
    expect(await command('user', 'create', 'not ok')).toMatchObject({ code: 1, out: '' });
    expect((await command('token', 'create', '--project', 'nowhere')).err).toContain('project');
    expect(await command('user', 'reset-password', 'nobody')).toMatchObject({ code: 1, out: '' });
    for (const name of ['disable', 'enable', 'promote', 'demote']) {
      expect(await command('user', name, 'nobody')).toMatchObject({ code: 1, out: '' });
      const refused = await command('user', name, 'anonymous');
      expect(refused).toMatchObject({ code: 1, err: 'The anonymous user cannot be changed.\n' });
    }
  });
});
