import { until } from '@parlance/testing';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newEvent } from '@parlance/events';
import mongoose from 'mongoose';
import { standardSignature } from '../src/domain/inbound/signature';
import { admin, member, startWorld, type World } from './support/world';

const components = [
  { id: 11, project: { id: 1, slug: 'open' }, path: 'app', repo: 'https://a/b.git', branch: 'main' },
  { id: 12, project: { id: 1, slug: 'open' }, path: 'docs', repo: 'https://a/c.git', branch: 'main' },
];

interface Post {
  headers: IncomingMessage['headers'];
  body: string;
}

let world: World;
let receiver: Server;
let url: string;
let posts: Post[];
let statuses: number[];

beforeEach(async () => {
  posts = [];
  statuses = [];
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200).end('taken');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  world = await startWorld(components);
});

afterEach(async () => {
  await world.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

async function subscribe(more: object = {}) {
  const { subscription } = await world.client.createSubscription(
    { projectId: 1, webhookUrl: url, ...more },
    { as: admin },
  );
  return subscription!;
}

/** Adds a change to the history and publishes its event. */
async function change(id: number, more: object = {}): Promise<void> {
  world.changes.push({
    id,
    action: 2,
    timeMs: Date.now(),
    projectId: 1,
    componentId: 11,
    target: `text ${id}`,
    ...more,
  });
  await world.bus.publish(newEvent('test', 'changeMade', { action: 2, projectId: 1, componentId: 11 }, 11));
}

const deliveriesOf = async (subscriptionId: number) =>
  (await world.client.listDeliveries({ subscriptionId }, { as: admin })).deliveries;

describe('outbound webhooks', () => {
  it('outbound webhooks send each change once with a signature', async () => {
    const subscription = await subscribe({ secret: 'my secret' });
    for (let id = 1; id <= 5; id++) await change(id);
    await until(
      async () =>
        (await deliveriesOf(subscription.id)).filter((d) => d.state === 'DELIVERY_STATE_DELIVERED').length === 5,
    );
    expect(posts.map((p) => (JSON.parse(p.body) as { change_id: number }).change_id).sort()).toEqual([1, 2, 3, 4, 5]);
    for (const { headers, body } of posts) {
      const id = String(headers['webhook-id']);
      expect(headers['webhook-signature']).toBe(
        standardSignature('my secret', id, String(headers['webhook-timestamp']), body),
      );
      expect(JSON.parse(body)).toMatchObject({ project: 'open', component: 'app' });
    }
    // A repeated old event finds no new change.
    await world.bus.publish(
      newEvent('test', 'translationUpdated', { translationId: 1, componentId: 11, projectId: 1, revision: 1 }, 11),
    );
    await change(6);
    await until(async () => posts.some((p) => p.body.includes('"change_id":6')));
    expect(posts).toHaveLength(6);
    const { subscription: after } = await world.client.getSubscription({ id: subscription.id }, { as: admin });
    expect(after!.lastSuccessMs).toBeGreaterThan(0);
  });

  it('outbound webhooks send only changes that the subscription selects', async () => {
    const subscription = await subscribe({ componentId: 12, events: [5], payloadKind: 'PAYLOAD_KIND_SLACK' });
    await change(1);
    await change(2, { componentId: 12 });
    await change(3, { componentId: 12, action: 5 });
    await until(async () => posts.length === 1);
    expect(JSON.parse(posts[0]!.body)).toEqual({ text: 'Action 5 in open/docs: text 3' });
    expect(await deliveriesOf(subscription.id)).toHaveLength(1);
  });

  it('failed deliveries are retried automatically with delays and immediately on request', async () => {
    statuses = [500];
    const subscription = await subscribe();
    await change(1);
    const failed = await until(async () => (await deliveriesOf(subscription.id)).find((d) => d.lastStatus === 500));
    expect(failed).toMatchObject({ state: 'DELIVERY_STATE_PENDING', attempts: 1, lastError: 'Answered with 500.' });
    expect(failed.nextAttemptMs).toBeGreaterThan(failed.createdMs);
    await world.client.retryDelivery({ id: failed.id }, { as: admin });
    await until(async () => (await deliveriesOf(subscription.id)).find((d) => d.state === 'DELIVERY_STATE_DELIVERED'));
    expect(posts.map((p) => p.headers['webhook-id'])).toEqual([failed.id, failed.id]);
    await world.client.deleteDelivery({ id: failed.id }, { as: admin });
    await expect(world.client.getDelivery({ id: failed.id }, { as: admin })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    });
  });

  it('outbound webhooks cannot reach private networks unless the operator allows it', async () => {
    const subscription = await subscribe();
    const { mongodbUri, encryptionKey } = world.options;
    await world.stop();
    world = await startWorld(components, { mongodbUri, encryptionKey, allowPrivate: false });
    for (const webhookUrl of [url, url.replace('127.0.0.1', 'localhost')]) {
      await expect(subscribe({ webhookUrl })).rejects.toMatchObject({
        reason: 'INVALID',
        problems: [{ detail: 'Addresses of private networks are not allowed.' }],
      });
    }
    // Existing subscriptions are checked for each connection.
    await change(subscription.id);
    const refused = await until(async () => (await deliveriesOf(subscription.id)).find((d) => d.lastError !== ''));
    expect(refused.lastError).toBe('The address lies in a private network.');
    expect(posts).toHaveLength(0);
  });

  it('deliveries whose secret was sealed with another key are given up and do not block others', async () => {
    const sealed = await subscribe({ secret: 'my secret' });
    const { mongodbUri } = world.options;
    await world.stop();
    world = await startWorld(components, { mongodbUri, encryptionKey: randomBytes(32).toString('base64') });
    const open = await subscribe();
    await change(1);
    const failed = await until(async () => (await deliveriesOf(sealed.id)).find((d) => d.lastError !== ''));
    expect(failed).toMatchObject({ attempts: 1, lastStatus: 0, lastError: 'The secret cannot be opened.' });
    await until(async () => (await deliveriesOf(open.id)).find((d) => d.state === 'DELIVERY_STATE_DELIVERED'));
    expect(posts).toHaveLength(1);
  });

  it('secrets of subscriptions are encrypted at rest', async () => {
    const subscription = await subscribe({ secret: 'very secret words' });
    expect(subscription).toMatchObject({ hasSecret: true });
    const connection = await mongoose.createConnection(world.options.mongodbUri).asPromise();
    try {
      const stored = await connection.db!.collection('subscriptions').findOne({});
      expect(JSON.stringify(stored)).not.toContain('very secret');
    } finally {
      await connection.close();
    }
  });

  it('managers of a project create, change and delete subscriptions', async () => {
    const subscription = await subscribe();
    const as = { as: admin };
    const { subscription: changed } = await world.client.updateSubscription(
      { id: subscription.id, events: [5, 2], hasEvents: true, enabled: false, secret: 'x' },
      as,
    );
    expect(changed).toMatchObject({
      id: subscription.id,
      webhookUrl: url,
      events: [5, 2],
      enabled: false,
      hasSecret: true,
    });
    expect((await world.client.updateSubscription({ id: subscription.id, secret: '' }, as)).subscription).toMatchObject(
      { hasSecret: false, events: [5, 2] },
    );
    await expect(
      world.client.createSubscription({ projectId: 1, webhookUrl: url }, { as: member }),
    ).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    await expect(world.client.getSubscription({ id: subscription.id }, { as: member })).rejects.toMatchObject({
      reason: 'PERMISSION_DENIED',
    });
    await expect(
      world.client.createSubscription({ projectId: 0, webhookUrl: url }, { as: member }),
    ).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    await expect(
      world.client.createSubscription({ projectId: 1, componentId: 99, webhookUrl: 'x', events: [-1] }, as),
    ).rejects.toMatchObject({
      reason: 'INVALID',
      problems: [{ attr: 'webhook_url' }, { attr: 'events.0' }, { attr: 'component_id' }],
    });
    const addon = await subscribe({ addonId: 5 });
    expect(await subscribe({ addonId: 5, events: [1] })).toMatchObject({ id: addon.id, events: [1] });
    expect((await world.client.listSubscriptions({ projectId: 1 }, as)).total).toBe(2);
    await world.client.deleteSubscription({ addonId: 5 }, as);
    await world.client.deleteSubscription({ addonId: 5 }, as);
    await world.client.deleteSubscription({ id: subscription.id }, as);
    expect((await world.client.listSubscriptions({ projectId: 1 }, as)).subscriptions).toEqual([]);
  });

  it('subscriptions are deleted with their project', async () => {
    const subscription = await subscribe();
    await world.bus.publish(newEvent('test', 'projectDeleted', { projectId: 1, slug: 'open' }, 1));
    await until(async () =>
      world.client.getSubscription({ id: subscription.id }, { as: admin }).then(
        () => false,
        (error: { reason: string }) => error.reason === 'NOT_FOUND',
      ),
    );
  });
});
