import { World } from '../../../test/support/world';
import { announce, changedFields, recordAudit, type AuditAction } from './audit-action';

const action: AuditAction = {
  action: 'group.update',
  kind: 'group',
  id: 4,
  name: 'Reviewers',
  details: { changed: [] },
};

describe('announce', () => {
  it('an entry records user, action, time, object and origin', async () => {
    const world = await World.create();
    const ana = await world.user('ana');
    const { audit } = announce(world.deps, await world.as(ana), action);
    expect(audit).toEqual([
      {
        uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
        timeMs: world.nowMs,
        actorId: ana.id,
        actorName: '',
        action: 'group.update',
        targetKind: 'group',
        targetId: 4,
        targetName: 'Reviewers',
        details: { changed: [] },
        clientAddress: '203.0.113.9',
        requestId: 'request',
      },
    ]);
  });

  it('services are recorded by name, users only by id, so that deleting one leaves no name', async () => {
    const world = await World.create();
    const entry = (context: typeof world.operator) => announce(world.deps, context, action).audit[0];
    expect(entry(world.operator)).toMatchObject({ actorId: 0, actorName: 'operator' });
    const ana = await world.as(await world.user('ana'));
    expect(JSON.stringify(entry(ana))).not.toContain('ana');
  });

  it('an action that proves an identity names its user, although the caller is anonymous', async () => {
    const world = await World.create();
    const context = await world.anonymous();
    const { audit } = announce(world.deps, context, { action: 'session.start', kind: 'user', id: 5, actorId: 5 });
    expect(audit).toMatchObject([{ actorId: 5, targetName: '', details: {} }]);
    expect(announce(world.deps, context, action).audit).toMatchObject([{ actorId: 0 }]);
  });

  it('each entry has its own uid', async () => {
    const { deps, operator } = await World.create();
    const uids = [1, 2].map(() => announce(deps, operator, action).audit[0]!.uid);
    expect(uids[0]).not.toBe(uids[1]);
  });

  it('users whose permissions change are announced; an empty list means all users', async () => {
    const { deps, operator } = await World.create();
    expect(announce(deps, operator, action, [3, 5])).toMatchObject({ accessChanged: [3, 5] });
    expect(announce(deps, operator, action, [])).toMatchObject({ accessChanged: [] });
    expect(announce(deps, operator, action)).not.toHaveProperty('accessChanged');
  });
});

describe('recordAudit', () => {
  it('an entry without a document is stored by itself', async () => {
    const world = await World.create();
    await recordAudit(world.deps, world.operator, { action: 'session.end', kind: 'session', id: 9 });
    const { items } = await world.deps.audit.list({ action: 'session.' }, { skip: 0, limit: 10 });
    expect(items).toMatchObject([{ action: 'session.end', targetKind: 'session', targetId: 9, actorName: 'operator' }]);
  });

  it('a failed record is reported, so that the action is not done unrecorded', async () => {
    const { deps, operator } = await World.create();
    const record = () => Promise.reject(new Error('store unavailable'));
    const audit = Object.assign(Object.create(deps.audit) as typeof deps.audit, { record });
    await expect(recordAudit({ ...deps, audit }, operator, action)).rejects.toThrow('store unavailable');
  });
});

describe('changedFields', () => {
  it('fields are compared by value, in the given order', () => {
    const before = { name: 'a', groups: [1, 2], note: null as string | null, version: 1 };
    const fields = ['note', 'groups', 'name'] as const;
    expect(changedFields(before, { ...before, groups: [1, 2], version: 2 }, fields)).toEqual([]);
    expect(changedFields(before, { ...before, name: 'b', groups: [2, 1], note: '' }, fields)).toEqual([
      'note',
      'groups',
      'name',
    ]);
    expect(changedFields(before, { ...before, name: 'b' }, ['groups'])).toEqual([]);
  });
});
