import { EventBus, OutboxRelay } from '@parlance/events';
import { createClient, ownCaller, serve, type RunningServer } from '@parlance/grpc-kit';
import { SecretBox } from '@parlance/secrets';
import type { RunningProcess } from '@parlance/telemetry';
import { BlockIds } from '@parlance/store-kit';
import { catalogClient } from './app/catalog-client';
import { historyClient } from './app/history-client';
import { Feed } from './app/outbound/feed';
import { poster } from './app/outbound/post';
import { Sender } from './app/outbound/sender';
import { SOURCE } from './app/start-pulls';
import { CHANGES_BATCH, CHANGES_CONSUMER, CHANGES_GATHER_MS, changeEvents, queueChanges } from './consumers/changes';
import { forgetDeleted, STRUCTURE_CONSUMER, structureEvents } from './consumers/structure';
import { handlers } from './grpc/handlers';
import { connectStore } from './store/connect';
import { MongoDeliveryStore } from './store/delivery-store';
import { MongoInboundStore } from './store/inbound-store';
import { MongoSubscriptionStore } from './store/subscription-store';

/** What the parts are made from; the environment's settings, or a test's. */
export interface ComposeOptions {
  mongodbUri: string;
  /** How long a query may keep the store busy, in milliseconds; default 5 000. */
  queryTimeoutMs?: number;
  natsUrl: string;
  natsReplicas?: number;
  grpcListen: string;
  serviceSecret: string;
  /** 32 bytes in base64. */
  encryptionKey: string;
  catalogAddress: string;
  translationAddress: string;
  hooksEnabled: boolean;
  /** Triggers of a component within this time leave one entry in its history, in milliseconds. */
  mergeMs: number;
  /** Most webhooks of a project, and of the site. */
  maxWebhooks: number;
  allowPrivate: boolean;
  /** Separates systems that share one event server (tests). */
  namespace?: string;
}

/** Puts the service together. */
export async function compose(
  options: ComposeOptions,
): Promise<RunningProcess & { server: RunningServer; relayOnce: (graceMs?: number) => Promise<number> }> {
  const mongo = await connectStore(options.mongodbUri, options.queryTimeoutMs);
  const bus = await EventBus.connect({
    url: options.natsUrl,
    service: SOURCE,
    replicas: options.natsReplicas,
    namespace: options.namespace,
  });
  const own = ownCaller(SOURCE, options.serviceSecret);
  const catalogService = createClient('catalog', options.catalogAddress);
  const translation = createClient('translation', options.translationAddress);
  const catalog = catalogClient(catalogService, own);
  const inbound = new MongoInboundStore(mongo.models);
  const relay = new OutboxRelay(bus, inbound);
  const subscriptions = new MongoSubscriptionStore(mongo.models, new BlockIds(mongo.models.counters.collection));
  const deliveries = new MongoDeliveryStore(mongo.models);
  const secrets = new SecretBox(options.encryptionKey);
  const sender = new Sender({
    subscriptions,
    deliveries,
    secrets,
    post: poster({ allowPrivate: options.allowPrivate }),
  });
  const wake = () => sender.wake();
  const feed = new Feed({ catalog, history: historyClient(translation, own), subscriptions, deliveries, wake });

  await bus.consume({
    durable: CHANGES_CONSUMER,
    payloads: changeEvents,
    batch: CHANGES_BATCH,
    gatherMs: CHANGES_GATHER_MS,
    handle: queueChanges(feed),
  });
  await bus.consume({ durable: STRUCTURE_CONSUMER, payloads: structureEvents, handle: forgetDeleted(subscriptions) });
  relay.start();
  sender.start();
  const server = await serve({
    name: 'hooks',
    listen: options.grpcListen,
    serviceSecret: options.serviceSecret,
    implementation: handlers(
      { catalog, inbound, relay, enabled: options.hooksEnabled, mergeMs: options.mergeMs },
      {
        catalog,
        subscriptions,
        deliveries,
        secrets,
        allowPrivate: options.allowPrivate,
        maxWebhooks: options.maxWebhooks,
        wake,
      },
    ),
  });
  return {
    server,
    relayOnce: (graceMs) => relay.relayOnce(graceMs),
    ready: { store: mongo.ping, events: () => bus.connected(), catalog: () => catalogService.connected() },
    dependencies: { store: mongo.dependency, events: bus.dependency() },
    async drain() {
      await server.drain();
      await bus.drain();
      await sender.stop();
      await relay.stop();
    },
    async close() {
      await bus.close();
      catalogService.close();
      translation.close();
      await mongo.close();
    },
  };
}
