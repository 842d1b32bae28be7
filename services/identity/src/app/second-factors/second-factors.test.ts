import { can, canOnSite, canSee, hasSecondFactor } from '@parlance/access';
import { TOTP } from 'otpauth';
import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import { FACTORS_MAX, WRONG_CODES_MAX, WRONG_CODES_WINDOW_MS } from '../../domain/sign-in/second-factor';
import { mailBody, mailSubject } from '../../domain/notifications/mail';
import { addToGroup, removeFromGroup } from '../groups/associate-group';
import { changeMembership } from '../groups/change-membership';
import { deleteGroup } from '../groups/delete-group';
import { anonymizeUser } from '../users/delete-user';
import { createPersonalToken } from '../tokens/personal-tokens';
import {
  confirmSecondFactor,
  createSecondFactor,
  deleteSecondFactor,
  getSecondFactor,
  listSecondFactors,
} from './second-factors';
import { securityMails } from '../notifications/security-mails';
import { updateGroup } from '../groups/update-group';

const all = { skip: 0, limit: 100 };
const password = 'correct horse battery staple';

async function withFactor(more: { isSuperuser?: boolean } = {}) {
  const world = await World.create();
  const ana = await world.user('ana', { password, ...more });
  const made = await createSecondFactor(world.deps, await world.as(ana), { userId: ana.id, name: 'phone', password });
  const code = (ms = world.nowMs) => new TOTP({ secret: made.secret }).generate({ timestamp: ms });
  const confirm = async (text?: string) =>
    confirmSecondFactor(world.deps, await world.as(ana), {
      userId: ana.id,
      id: made.factor.id,
      ...(text === undefined ? {} : { code: text }),
    });
  const has = async () => hasSecondFactor((await world.as(ana)).caller);
  /** An invalid code. */
  const wrong = () => String((Number(code()) + 1) % 1_000_000).padStart(6, '0');
  return { world, ana, id: made.factor.id, made, code, wrong, confirm, has };
}

describe('a second factor', () => {
  it('a second factor counts from its confirmation until the last one is removed', async () => {
    const { world, ana, id, made, code, confirm, has } = await withFactor();
    expect(made.factor).toMatchObject({ name: 'phone', confirmedMs: 0, lastUsedMs: 0, username: 'ana' });
    expect(await has()).toBe(false);
    expect(await confirm(code())).toMatchObject({ id, confirmedMs: world.nowMs, lastUsedMs: world.nowMs });
    expect(await has()).toBe(true);
    const second = await createSecondFactor(world.deps, await world.as(ana), {
      userId: ana.id,
      name: 'spare',
      password,
    });
    await deleteSecondFactor(world.deps, await world.as(ana), ana.id, id, { password });
    // The other factor is not confirmed.
    expect(await has()).toBe(false);
    expect((await listSecondFactors(world.deps, await world.as(ana), ana.id, all)).items).toEqual([second.factor]);
    expect(await reasonOf(getSecondFactor(world.deps, await world.as(ana), ana.id, id))).toBe('NOT_FOUND');
  });

  it('a code is accepted once, and only later codes prove presence', async () => {
    const { world, code, confirm } = await withFactor();
    const confirmed = await confirm(code());
    expect(await fieldsOf(confirm(code()))).toEqual(['code:invalid']);
    world.nowMs += 30_000;
    // The previous code is used, the current one is not.
    expect(await fieldsOf(confirm(code(world.nowMs - 30_000)))).toEqual(['code:invalid']);
    expect(await confirm(code())).toMatchObject({ confirmedMs: confirmed.confirmedMs, lastUsedMs: world.nowMs });
  });

  it('problems of a code are reported, and only well-formed codes count as attempts', async () => {
    const { code, confirm, has } = await withFactor();
    expect(await fieldsOf(confirm())).toEqual(['code:required']);
    for (let i = 0; i < 2 * WRONG_CODES_MAX; i++) expect(await fieldsOf(confirm('12345'))).toEqual(['code:invalid']);
    expect(await has()).toBe(false);
    await confirm(`${code().slice(0, 3)} ${code().slice(3)}`);
    expect(await has()).toBe(true);
  });

  it('after too many wrong codes of any factor, further codes are rejected without a check', async () => {
    const { world, ana, code, wrong, confirm } = await withFactor();
    const tries = await Promise.all(Array.from({ length: WRONG_CODES_MAX + 3 }, () => reasonOf(confirm(wrong()))));
    expect(tries.filter((reason) => reason === 'THROTTLED')).toHaveLength(3);
    expect(await reasonOf(confirm(code()))).toBe('THROTTLED');
    const as = await world.as(ana);
    const other = await createSecondFactor(world.deps, as, { userId: ana.id, name: 'other', password });
    const request = { userId: ana.id, id: other.factor.id, code: '000000' };
    expect(await reasonOf(confirmSecondFactor(world.deps, as, request))).toBe('THROTTLED');
    world.nowMs += WRONG_CODES_WINDOW_MS;
    expect((await confirm(code())).confirmedMs).toBe(world.nowMs);
    // The window of wrong attempts has passed.
    world.nowMs += 30_000;
    for (let i = 1; i < WRONG_CODES_MAX; i++) await confirm(wrong()).catch(() => undefined);
    expect((await confirm(code())).lastUsedMs).toBe(world.nowMs);
  });

  it('only the owner creates and confirms a second factor, and user managers can also list and remove it', async () => {
    const { world, ana, id, code } = await withFactor();
    const operator = world.operator;
    const bob = await world.as(await world.user('bob'));
    const input = { userId: ana.id, name: 'x' };
    for (const context of [bob, operator]) {
      expect(await reasonOf(createSecondFactor(world.deps, context, input))).toBe('PERMISSION_DENIED');
      const request = { userId: ana.id, id, code: code() };
      expect(await reasonOf(confirmSecondFactor(world.deps, context, request))).toBe('PERMISSION_DENIED');
    }
    expect(await reasonOf(listSecondFactors(world.deps, bob, ana.id, all))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteSecondFactor(world.deps, bob, ana.id, id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(listSecondFactors(world.deps, await world.anonymous(), ana.id, all))).toBe(
      'NOT_AUTHENTICATED',
    );
    expect((await listSecondFactors(world.deps, operator, ana.id, all)).total).toBe(1);
    await deleteSecondFactor(world.deps, operator, ana.id, id);
    expect((await listSecondFactors(world.deps, operator, ana.id, all)).total).toBe(0);
  });

  it('only superusers remove the second factor of a superuser', async () => {
    const { world, ana, id } = await withFactor({ isSuperuser: true });
    const manager = world.caller({
      ...(await world.as(await world.user('manager'))).caller,
      grants: [{ permissions: ['user.edit'], projects: [] }],
    });
    expect((await listSecondFactors(world.deps, manager, ana.id, all)).total).toBe(1);
    expect(await reasonOf(deleteSecondFactor(world.deps, manager, ana.id, id))).toBe('PERMISSION_DENIED');
    await deleteSecondFactor(world.deps, await world.as(ana), ana.id, id, { password });
  });

  it('a second factor has a name, and the number of factors is limited to ten, for bots to none', async () => {
    const { world, ana } = await withFactor();
    const as = await world.as(ana);
    const make = (input: object) => createSecondFactor(world.deps, as, { userId: ana.id, password, ...input });
    expect(await fieldsOf(make({}))).toEqual(['name:required']);
    expect(await fieldsOf(make({ name: 'x'.repeat(101) }))).toEqual(['name:max_length']);
    for (let i = 1; i < FACTORS_MAX; i++) await make({ name: `f${i}` });
    expect(await fieldsOf(make({ name: 'one more' }))).toEqual(['null:invalid']);
    const bot = await world.user('bot', { isBot: true });
    const asBot = await world.as(bot);
    expect(hasSecondFactor(asBot.caller)).toBe(true);
    expect(await reasonOf(createSecondFactor(world.deps, asBot, { userId: bot.id, name: 'x' }))).toBe(
      'PERMISSION_DENIED',
    );
  });

  it('second factors are deleted with their user, and audit entries contain no secret', async () => {
    const { world, ana, id, made, code, confirm } = await withFactor();
    await confirm(code());
    expect(JSON.stringify(await world.deps.users.get(ana.id))).not.toContain(made.secret);
    await anonymizeUser(world.deps, world.operator, ana.id, 'user.delete');
    expect((await world.deps.users.get(ana.id))!.secondFactors).toEqual([]);
    const entries = world.announced.audit.filter((e) => e.targetKind === 'second-factor');
    expect(entries.map((e) => [e.action, e.actorId, e.targetId, e.targetName])).toEqual([
      ['second-factor.create', ana.id, id, 'phone'],
      ['second-factor.confirm', ana.id, id, 'phone'],
    ]);
    expect(JSON.stringify(world.announced.all)).not.toMatch(new RegExp(`${made.secret}|sealed`));
  });
});

describe('creating and deleting a second factor', () => {
  it('creating and deleting a factor requires the password or a code, and a failed attempt changes nothing', async () => {
    const { world, ana, id, code, confirm } = await withFactor();
    const as = await world.as(ana);
    const make = (presence: object) => createSecondFactor(world.deps, as, { userId: ana.id, name: 'x', ...presence });
    const remove = (presence: object) => deleteSecondFactor(world.deps, as, ana.id, id, presence);
    for (const change of [make, remove]) {
      expect(await fieldsOf(change({}))).toEqual(['password:required']);
      expect(await fieldsOf(change({ password: 'wrong' }))).toEqual(['password:invalid']);
      expect(await fieldsOf(change({ password: 'x'.repeat(100_000) }))).toEqual(['password:invalid']);
      // Codes of an unconfirmed factor prove nothing.
      expect(await fieldsOf(change({ code: code() }))).toEqual(['code:invalid']);
      expect(await fieldsOf(change({ code: 'nonsense' }))).toEqual(['code:invalid']);
    }
    expect((await listSecondFactors(world.deps, as, ana.id, all)).total).toBe(1);
    await confirm(code());
    // The code that confirmed the factor was used.
    expect(await fieldsOf(make({ code: code() }))).toEqual(['code:invalid']);
    world.nowMs += 30_000;
    await make({ code: code() });
    expect(await fieldsOf(remove({ code: code() }))).toEqual(['code:invalid']);
    world.nowMs += 30_000;
    await remove({ code: code() });
    expect((await listSecondFactors(world.deps, as, ana.id, all)).items.map((f) => f.name)).toEqual(['x']);
  });

  it('user managers confirm with their own password', async () => {
    const { world, ana, id } = await withFactor();
    const boss = await world.as(await world.user('boss', { isSuperuser: true, password: 'another long password' }));
    const remove = (presence: object) => deleteSecondFactor(world.deps, boss, ana.id, id, presence);
    expect(await fieldsOf(remove({}))).toEqual(['password:required']);
    expect(await fieldsOf(remove({ password }))).toEqual(['password:invalid']);
    await remove({ password: 'another long password' });
  });

  it('the owner is notified when a confirmed factor is added or removed', async () => {
    const { world, ana, id, code, confirm } = await withFactor();
    const spare = await createSecondFactor(world.deps, await world.as(ana), {
      userId: ana.id,
      name: 'spare',
      password,
    });
    await deleteSecondFactor(world.deps, await world.as(ana), ana.id, spare.factor.id, { password });
    await confirm(code());
    await deleteSecondFactor(world.deps, world.operator, ana.id, id);
    const mails = securityMails(world.announced.audit);
    expect(mails.map(({ part }) => [part.userId, part.lines[0]])).toEqual([
      [ana.id, 'The second factor "phone" was added.'],
      [ana.id, 'The second factor "phone" was removed.'],
    ]);
    expect(mailSubject(mails[0]!.part)).toBe('[Parlance] The security of your account changed');
    expect(mailBody(mails[0]!.part, 'Ana')).toContain('203.0.113.9');
  });
});

describe('what a second factor protects', () => {
  it('creating a token for a user with a second factor requires one', async () => {
    const { world, ana, code, confirm } = await withFactor();
    await confirm(code());
    const boss = await world.user('boss', { isSuperuser: true });
    const make = async (user: number) =>
      createPersonalToken(world.deps, await world.as(boss), { userId: user, name: 'x', expiresMs: 0 });
    expect(await reasonOf(make(ana.id))).toBe('PERMISSION_DENIED');
    expect((await make(boss.id)).value).not.toBe('');
  });

  it('changing settings, roles or members of a team that enforces a second factor requires one', async () => {
    const { world, ana, code, confirm } = await withFactor({ isSuperuser: true });
    const announce = { audit: [] };
    await world.deps.groups.update(4, (g) => ({ next: { ...g, enforced2fa: true }, announce }));
    const bob = await world.user('bob');
    const changes = [
      async () => updateGroup(world.deps, await world.as(ana), 4, { enforced2fa: false, replace: false }),
      async () => addToGroup(world.deps, await world.as(ana), 4, { kind: 'language', code: 'cs' }),
      async () => removeFromGroup(world.deps, await world.as(ana), 4, { kind: 'language', code: 'cs' }),
      async () => changeMembership(world.deps, await world.as(ana), { userId: bob.id, groupId: 4, member: true }),
      async () => deleteGroup(world.deps, await world.as(ana), 4),
    ];
    for (const change of changes) expect(await reasonOf(change())).toBe('PERMISSION_DENIED');
    expect(await world.deps.groups.get(4)).toMatchObject({ enforced2fa: true, deleted: false });
    await confirm(code());
    await addToGroup(world.deps, await world.as(ana), 4, { kind: 'language', code: 'cs' });
    expect(
      (await updateGroup(world.deps, await world.as(ana), 4, { enforced2fa: false, replace: false })).enforced2fa,
    ).toBe(false);
  });
});

describe('a team that asks for a second factor', () => {
  it('a team that enforces a second factor grants permissions only to members with one and to bots, and shows its projects to all members', async () => {
    const { world, ana, id, code, confirm } = await withFactor();
    const project = { projectId: 7, accessControl: 100 };
    const role = 100;
    const announce = { audit: [] };
    await world.deps.roles.insert(
      { id: role, version: 1, name: 'R', permissions: ['unit.edit', 'language.add'], deleted: false },
      announce,
    );
    await world.deps.groups.update(4, (g) => ({
      next: { ...g, enforced2fa: true, roles: [role], projectSelection: 0, projects: [7] },
      announce,
    }));
    const join = (user: number) => world.deps.users.update(user, (u) => ({ next: { ...u, groups: [4] }, announce }));
    const rights = async (user: number) => {
      const { caller } = await world.as(user);
      return [canSee(caller, project), can(caller, 'unit.edit', project), canOnSite(caller, 'language.add')];
    };
    await join(ana.id);
    expect(await rights(ana.id)).toEqual([true, false, false]);
    await confirm(code());
    expect(await rights(ana.id)).toEqual([true, true, true]);
    await deleteSecondFactor(world.deps, world.operator, ana.id, id);
    expect(await rights(ana.id)).toEqual([true, false, false]);
    const bot = await world.user('bot', { isBot: true });
    await join(bot.id);
    expect(await rights(bot.id)).toEqual([true, true, true]);
  });
});
