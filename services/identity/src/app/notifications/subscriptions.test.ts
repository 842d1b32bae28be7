import { fieldsOf, reasonOf, World } from '../../../test/support/world';
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listSubscriptions,
  updateSubscription,
} from './subscriptions';

const all = { skip: 0, limit: 100 };

async function withUser() {
  const world = await World.create();
  const ana = await world.user('ana');
  const add = (input: object) =>
    createSubscription(world.deps, world.operator, ana.id, { projectId: 0, componentId: 0, ...input });
  return { world, ana, add, as: await world.as(ana) };
}
const wanted = { notification: 'NewStringNotificaton', scope: 30, frequency: 2 };

describe('subscriptions', () => {
  it('subscriptions are created, read, changed and deleted', async () => {
    const { world, ana, add, as } = await withUser();
    const made = await add(wanted);
    expect(await getSubscription(world.deps, as, ana.id, made.id)).toMatchObject(wanted);
    expect((await listSubscriptions(world.deps, as, ana.id, all)).total).toBe(11);
    const changed = await updateSubscription(world.deps, world.operator, ana.id, made.id, {
      frequency: 4,
      replace: false,
    });
    expect(changed).toMatchObject({ ...wanted, frequency: 4 });
    await deleteSubscription(world.deps, world.operator, ana.id, made.id);
    expect(await reasonOf(getSubscription(world.deps, as, ana.id, made.id))).toBe('NOT_FOUND');
  });

  it('a subscription exists once for each subject', async () => {
    const { world, ana, add } = await withUser();
    await add(wanted);
    expect(await fieldsOf(add({ ...wanted, frequency: 1 }))).toEqual(['null:unique']);
    const other = await add({ ...wanted, projectId: 7 });
    expect(other.projectId).toBe(7);
    const third = await add({ ...wanted, scope: 0 });
    const clash = updateSubscription(world.deps, world.operator, ana.id, third.id, { scope: 30, replace: false });
    expect(await fieldsOf(clash)).toEqual(['null:unique']);
  });

  it('a subscription keeps its project only within its scope', async () => {
    const { world, ana, add } = await withUser();
    const about = await add({ ...wanted, projectId: 7 });
    const moved = await updateSubscription(world.deps, world.operator, ana.id, about.id, { scope: 0, replace: false });
    expect(moved).toMatchObject({ scope: 0, projectId: 0, componentId: 0 });
  });

  it('invalid fields of subscriptions are reported', async () => {
    const { world, ana, add } = await withUser();
    expect(await fieldsOf(add({}))).toEqual(['notification:required', 'scope:required', 'frequency:required']);
    expect(await fieldsOf(add({ notification: 'toString', scope: 5, frequency: 9 }))).toEqual([
      'notification:invalid_choice',
      'scope:invalid_choice',
      'frequency:invalid_choice',
    ]);
    const id = ana.subscriptions[0]!.id;
    const put = updateSubscription(world.deps, world.operator, ana.id, id, { scope: 0, replace: true });
    expect(await fieldsOf(put)).toEqual(['notification:required', 'frequency:required']);
  });

  it('changing subscriptions requires user.edit', async () => {
    const { world, ana, as } = await withUser();
    const id = ana.subscriptions[0]!.id;
    const own = createSubscription(world.deps, as, ana.id, { ...wanted, projectId: 0, componentId: 0 });
    expect(await reasonOf(own)).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteSubscription(world.deps, as, ana.id, id))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteSubscription(world.deps, world.operator, ana.id, 999))).toBe('NOT_FOUND');
  });
});
