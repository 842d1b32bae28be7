import { HooksWorld } from '../../../test/support/memory/world';
import type { Attempt, Delivery } from '../../domain/outbound/delivery';
import { Sender } from './sender';

async function start(attempts: Attempt[], more: object = {}, whilePosting = async () => {}) {
  const world = new HooksWorld();
  const subscription = await world.subscriptions.add({
    projectId: 1,
    componentId: 0,
    url: 'https://example.com/',
    events: [],
    sealedSecret: 'sealed:a shared secret',
    enabled: true,
    kind: 'change',
    addonId: 0,
    createdMs: 0,
    lastSuccessMs: 0,
    lastFailureMs: 0,
    seenMs: 0,
    ...more,
  });
  const sent: { url: string; headers: Record<string, string>; body: string }[] = [];
  const post = async (url: string, headers: Record<string, string>, body: string) => {
    sent.push({ url, headers, body });
    world.effects.push('post');
    await whilePosting();
    return attempts[sent.length - 1] ?? { status: 200, error: '' };
  };
  const { subscriptions, deliveries } = world;
  const add = (id: string, delivery: Partial<Delivery> = {}) =>
    deliveries.add([
      {
        id,
        subscriptionId: subscription.id,
        changeId: 1,
        action: 2,
        body: '{"id":1}',
        state: 'pending',
        attempts: 0,
        createdMs: 0,
        nextAttemptMs: 0,
        lastStatus: 0,
        lastError: '',
        ...delivery,
      },
    ]);
  const run = async (secrets = world.secrets) => {
    const sender = new Sender({ subscriptions, deliveries, secrets, post });
    const before = deliveries.emptyLooks;
    sender.wake();
    while (deliveries.emptyLooks === before) await new Promise(setImmediate);
    // Claimed deliveries are finished before it stops.
    await sender.stop();
  };
  return { world, subscription, sent, add, run };
}

describe('the sender', () => {
  it('a delivery is claimed before it is posted, with id and signature, and finished afterwards', async () => {
    const { world, subscription, sent, add, run } = await start([]);
    await add('d');
    await run();
    expect(world.effects).toEqual(['claim d', 'post', 'finish d delivered']);
    expect(sent).toMatchObject([{ url: 'https://example.com/', body: '{"id":1}', headers: { 'webhook-id': 'd' } }]);
    expect(Object.values(sent[0]!.headers).some((value) => value.startsWith('v1,'))).toBe(true);
    expect((await world.subscriptions.get(subscription.id))!.lastSuccessMs).toBeGreaterThan(0);
  });

  it('the sender sends up to eight deliveries at once, and looks once into an empty queue', async () => {
    let current = 0;
    let most = 0;
    const { world, add, run } = await start([], {}, async () => {
      most = Math.max(most, ++current);
      await new Promise(setImmediate);
      current--;
    });
    await run();
    expect([world.deliveries.looks, most]).toEqual([1, 0]);
    for (let i = 0; i < 20; i++) await add(`d${i}`);
    await run();
    expect([world.deliveries.looks, most]).toEqual([22, 8]);
  });

  it('a failed attempt is repeated later, the last one fails the delivery', async () => {
    const { world, subscription, add, run } = await start([
      { status: 500, error: 'x' },
      { status: 500, error: 'x' },
    ]);
    await add('first');
    await add('last', { attempts: 7 });
    await run();
    expect(await world.deliveries.get('first')).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 500 });
    expect(await world.deliveries.get('last')).toMatchObject({ state: 'failed', attempts: 8 });
    expect((await world.subscriptions.get(subscription.id))!.lastFailureMs).toBeGreaterThan(0);
  });

  it('deliveries of a webhook that is switched off fail without a request', async () => {
    const { world, sent, add, run } = await start([], { enabled: false });
    await add('d');
    await run();
    expect(sent).toEqual([]);
    expect(await world.deliveries.get('d')).toMatchObject({ state: 'failed' });
  });

  it('a secret that cannot be decrypted counts as a failed attempt: nothing is sent unsigned', async () => {
    const { world, sent, add, run } = await start([]);
    await add('d');
    await run({
      ...world.secrets,
      open: () => {
        throw new Error('another key');
      },
    });
    expect(sent).toEqual([]);
    expect(await world.deliveries.get('d')).toMatchObject({
      state: 'pending',
      lastError: 'The secret cannot be opened.',
    });
  });
});
