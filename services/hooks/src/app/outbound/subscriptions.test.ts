import { fieldsOf, HooksWorld, reasonOf } from '../../../test/support/memory/world';
import type { Delivery } from '../../domain/outbound/delivery';
import {
  createSubscription,
  deleteSubscription,
  getDelivery,
  listSubscriptions,
  retryDelivery,
  updateSubscription,
  type SubscriptionInput,
} from './subscriptions';

const input: SubscriptionInput = {
  projectId: 1,
  componentId: 0,
  url: 'https://example.com/',
  events: [],
  secret: '',
  kind: 'change',
  addonId: 0,
  validateOnly: false,
};

function start() {
  const world = new HooksWorld();
  world.component(11, world.project(1, 'open'));
  world.project(2, 'closed', { accessControl: 100 });
  const manager = world.member('project.edit');
  const create = (more: Partial<SubscriptionInput> = {}, context = manager) =>
    createSubscription(world.outbound, { ...input, ...more }, context);
  return { world, manager, create };
}

describe('createSubscription', () => {
  it('a subscription starts with later changes, and its secret is sealed', async () => {
    const { world, create } = start();
    const { id } = (await create({ secret: 'shared' }))!;
    const stored = (await world.subscriptions.get(id))!;
    expect(stored).toMatchObject({ sealedSecret: 'sealed:shared', enabled: true });
    expect(stored.seenMs).toBe(stored.createdMs);
  });

  it('a validation stores nothing', async () => {
    const { world, manager, create } = start();
    expect(await create({ validateOnly: true })).toBeNull();
    expect((await listSubscriptions(world.outbound, 1, 0, 9, manager)).total).toBe(0);
  });

  it.each(['http://127.0.0.1/', 'http://[::1]/', 'http://10.0.0.1/', 'http://localhost./', 'http://a.localhost/'])(
    'createSubscription refuses the private address %s',
    async (url) => {
      const { world, manager, create } = start();
      expect(await fieldsOf(create({ url }))).toEqual(['webhook_url:invalid']);
      const allowing = { ...world.outbound, allowPrivate: true };
      expect(await reasonOf(createSubscription(allowing, { ...input, url }, manager))).toBe('OK');
    },
  );

  it('createSubscription refuses components of other projects and invalid values together', async () => {
    const { create } = start();
    expect(await fieldsOf(create({ url: '', componentId: 99, events: [-1] }))).toEqual([
      'webhook_url:required',
      'events.0:invalid_choice',
      'component_id:does_not_exist',
    ]);
    expect(await reasonOf(create({ componentId: 11 }))).toBe('OK');
  });

  it('createSubscription refuses a webhook above the limit', async () => {
    const { create } = start();
    await create();
    await create();
    expect(await fieldsOf(create())).toEqual(['webhook_url:max_length']);
  });

  it('the subscription of an add-on is replaced and switched on again', async () => {
    const { world, create } = start();
    const first = (await create({ addonId: 5 }))!;
    await updateSubscription(world.outbound, first.id, { enabled: false }, world.admin);
    const second = (await create({ addonId: 5, url: 'https://example.com/new' }))!;
    expect(second).toMatchObject({ id: first.id, url: 'https://example.com/new', enabled: true });
  });

  it('managing requires project.edit, for the site management.addons, and hidden projects do not exist', async () => {
    const { world, create } = start();
    expect(await reasonOf(create({}, world.member('unit.edit')))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(create({ projectId: 2 }))).toBe('NOT_FOUND');
    expect(await reasonOf(create({ projectId: 0 }))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(create({ projectId: 0 }, world.admin))).toBe('OK');
  });
});

describe('updateSubscription', () => {
  it('absent fields keep their value, and an empty secret removes it', async () => {
    const { world, manager, create } = start();
    const { id } = (await create({ secret: 'shared' }))!;
    await updateSubscription(world.outbound, id, { url: 'https://example.com/b' }, manager);
    expect(await world.subscriptions.get(id)).toMatchObject({
      sealedSecret: 'sealed:shared',
      url: 'https://example.com/b',
    });
    await updateSubscription(world.outbound, id, { secret: '' }, manager);
    expect((await world.subscriptions.get(id))!.sealedSecret).toBe('');
  });

  it('updateSubscription refuses a change that meets a concurrent one', async () => {
    const { world, manager, create } = start();
    const { id } = (await create())!;
    const stale = async () => {
      const before = (await world.subscriptions.get(id))!;
      await world.subscriptions.replace(before);
      return before;
    };
    const subscriptions = Object.assign(Object.create(world.subscriptions) as typeof world.subscriptions, {
      get: stale,
    });
    const update = updateSubscription({ ...world.outbound, subscriptions }, id, { enabled: false }, manager);
    expect(await reasonOf(update)).toBe('CONFLICT');
  });
});

describe('deleteSubscription', () => {
  it('deleting by the id of an add-on is idempotent, by the own id it is not', async () => {
    const { world, manager, create } = start();
    const { id } = (await create({ addonId: 5 }))!;
    const remove = (selector: { id: number; addonId: number }) =>
      reasonOf(deleteSubscription(world.outbound, selector, manager));
    expect(await remove({ id: 0, addonId: 5 })).toBe('OK');
    expect(await remove({ id: 0, addonId: 5 })).toBe('OK');
    expect(await remove({ id, addonId: 0 })).toBe('NOT_FOUND');
  });
});

describe('deliveries', () => {
  const failed = (subscriptionId: number): Delivery => ({
    id: 'd',
    subscriptionId,
    changeId: 1,
    action: 2,
    body: '{}',
    state: 'failed',
    attempts: 8,
    createdMs: 0,
    nextAttemptMs: 0,
    lastStatus: 500,
    lastError: '',
  });

  it('a retry makes a failed delivery due and wakes the sender', async () => {
    const { world, manager, create } = start();
    await world.deliveries.add([failed((await create())!.id)]);
    expect(await retryDelivery(world.outbound, 'd', manager)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(world.effects).toEqual(['wake the sender']);
  });

  it('deliveries are visible to managers of their project', async () => {
    const { world, manager, create } = start();
    await world.deliveries.add([failed((await create())!.id)]);
    expect(await reasonOf(getDelivery(world.outbound, 'd', manager))).toBe('OK');
    expect(await reasonOf(getDelivery(world.outbound, 'd', world.member('unit.edit')))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(getDelivery(world.outbound, 'missing', manager))).toBe('NOT_FOUND');
  });
});
